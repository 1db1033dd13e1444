// The catalog of the demo shop: request bodies in the form in which a designer front end saves them.
import { type Graphic, type Outline, shapeOf } from './demo-pictures.ts'

export interface DemoProduct {
  title: string
  category?: string
  type?: 'template'
  outline: Outline
  color: string
  price: number
  sides: Record<string, DemoSide>
}

/** What is on one side of a product. */
export interface DemoSide {
  text: string
  graphic: Graphic
  font?: keyof typeof demoFonts
  /** Color of the text; default dark. */
  fill?: string
  /** A number, and the text as a name: both take the place of those in a list of names and numbers. */
  number?: string
}

/** The families that the demo uploads, and their files. */
export const demoFonts = {
  'Liberation Sans Bold': 'LiberationSans-Bold.ttf',
  'Gelasio Bold Italic': 'Gelasio-BoldItalic.ttf',
} as const
const serif = 'Gelasio Bold Italic'

export const demoCategories = ['Apparel', 'Drinkware', 'Paper and signs', 'Bags']

export const demoProducts: DemoProduct[] = [
  {
    title: 'Classic T-Shirt',
    category: 'Apparel',
    outline: 'shirt',
    color: '#ffffff',
    price: 19.9,
    sides: {
      Front: { text: 'Go outside', graphic: 'mountain', font: serif },
      Back: { text: 'Team 2026', graphic: 'star' },
    },
  },
  {
    title: 'Team Jersey with Name and Number',
    category: 'Apparel',
    outline: 'jersey',
    color: '#1d4e89',
    price: 34,
    sides: {
      Front: { text: 'Harbour FC', graphic: 'bolt', fill: '#ffffff' },
      Back: { text: 'Name', number: '10', graphic: 'star', fill: '#ffffff' },
    },
  },
  {
    title: 'Zip Hoodie',
    category: 'Apparel',
    outline: 'hoodie',
    color: '#8fa3b8',
    price: 44.5,
    sides: {
      Front: { text: 'Crew', graphic: 'bolt' },
      Back: { text: 'Since 1998', graphic: 'mountain', font: serif },
    },
  },
  {
    title: 'Ceramic Mug',
    category: 'Drinkware',
    outline: 'mug',
    color: '#fdf6e3',
    price: 12,
    sides: {
      Left: { text: 'Good morning', graphic: 'cup', font: serif },
      Right: { text: 'Coffee first', graphic: 'heart' },
    },
  },
  {
    title: 'Steel Bottle',
    category: 'Drinkware',
    outline: 'bottle',
    color: '#c9d6cf',
    price: 24,
    sides: {
      Front: { text: 'Stay cool', graphic: 'leaf' },
      Back: { text: '750 ml', graphic: 'leaf', font: serif },
    },
  },
  {
    title: 'Cotton Tote Bag',
    category: 'Bags',
    outline: 'tote',
    color: '#e8dcc4',
    price: 9.5,
    sides: {
      Front: { text: 'Fresh today', graphic: 'leaf', font: serif },
      Back: { text: 'Thank you!', graphic: 'heart' },
    },
  },
  {
    title: 'Business Cards',
    category: 'Paper and signs',
    outline: 'card',
    color: '#ffffff',
    price: 29,
    sides: {
      Front: { text: 'Ada Example', graphic: 'leaf', font: serif, fill: '#2e4057' },
      Back: { text: 'shop.example', graphic: 'star' },
    },
  },
  {
    title: 'Vinyl Banner',
    category: 'Paper and signs',
    outline: 'banner',
    color: '#fbe9b7',
    price: 59,
    sides: {
      Front: { text: 'Grand opening', graphic: 'star', fill: '#e4572e' },
      Back: { text: 'See you soon', graphic: 'heart', font: serif },
    },
  },
  {
    title: 'Blank T-Shirt (template)',
    type: 'template',
    outline: 'shirt',
    color: '#f2f2f2',
    price: 0,
    sides: {
      Front: { text: 'Front text', graphic: 'star' },
      Back: { text: 'Back text', graphic: 'star' },
    },
  },
]

/** Name of the picture of a side. */
export const fileName = ({ outline, color }: Pick<DemoProduct, 'outline' | 'color'>, side: string) =>
  `${outline}-${color.slice(1)}-${side}.svg`.toLowerCase()

/** Options of a view: the canvas size in pixels and the print area. */
export function viewOptions(outline: Outline): object {
  const { box, output } = shapeOf(outline)
  return { stageWidth: 400, stageHeight: 400, output, printingBox: box }
}

interface Wishes {
  /** Address of the folder with the pictures. */
  address: string
  /** Whether it is the design of an order: without the upload zone. */
  isOrdered?: boolean
  /** File name of the customer's own picture, which takes the place of the upload zone. */
  photo?: string | undefined
}

/** The elements of a view, from back to front. Positions in canvas pixels from the top left corner; sources are URLs. */
export function demoElements(
  product: Pick<DemoProduct, 'outline' | 'color'>,
  side: string,
  { text, graphic, font = 'Liberation Sans Bold', fill = '#333333', number }: DemoSide,
  { address, isOrdered = false, photo }: Wishes,
): object[] {
  const { left, top, width, height } = shapeOf(product.outline).box
  const isWide = width > 1.3 * height
  // Beside each other on wide products, below each other on all others.
  const at = (x: number, y: number) => ({ left: left + x * width, top: top + y * height })
  const places = isWide
    ? { graphic: at(0.18, 0.5), text: at(0.64, 0.4), number: at(0.64, 0.8), upload: at(0.64, 0.78) }
    : { graphic: at(0.5, 0.3), text: at(0.5, 0.68), number: at(0.5, 0.4), upload: at(0.5, 0.88) }
  const centered = { originX: 'center', originY: 'center' }
  const printable = {
    boundingBox: { x: left, y: top, width, height },
    boundingBoxMode: 'clipping',
  }
  const letters = Math.min(0.3 * height, (isWide ? 0.9 : 1.4) * (width / text.length)) * 0.95
  const written = {
    ...centered,
    fontFamily: font,
    textAlign: 'center',
    fill,
    editable: true,
    draggable: true,
    colors: ['#333333', '#ffffff', '#e4572e', '#2e4057'],
    maxLength: 40,
    price: 2,
    ...printable,
  }
  const base = {
    type: 'image',
    source: `${address}/${fileName(product, side)}`,
    title: 'Base',
    // The product itself is not printed.
    parameters: {
      ...centered,
      left: 200,
      top: 200,
      z: 0,
      draggable: false,
      excludeFromExport: true,
      price: 0,
    },
  }
  const scale = (isWide ? 0.6 * height : 0.55 * Math.min(width, height)) / 120
  const picture = {
    type: 'image',
    source: `${address}/${graphic}.svg`,
    title: 'Graphic',
    parameters: {
      ...places.graphic,
      ...centered,
      z: 1,
      scaleX: scale,
      scaleY: scale,
      price: 1.5,
      draggable: true,
      rotatable: true,
      resizable: true,
      removable: true,
      replace: 'graphic',
      ...printable,
    },
  }
  const words = {
    type: 'text',
    source: text,
    title: number === undefined ? 'Text' : 'Name',
    parameters: {
      ...places.text,
      z: 2,
      fontSize: Math.round(number === undefined ? letters : 0.16 * height),
      ...written,
      ...(number !== undefined && { textPlaceholder: 'Name' }),
    },
  }
  const numbers = number !== undefined && {
    type: 'text',
    source: number,
    title: 'Number',
    parameters: {
      ...places.number,
      z: 3,
      fontSize: Math.round(0.42 * height),
      numberPlaceholder: [0, 99],
      ...written,
    },
  }
  const upload = !isOrdered && {
    type: 'image',
    source: `${address}/upload.svg`,
    title: 'Your picture',
    parameters: {
      ...places.upload,
      ...centered,
      z: 4,
      width: 90,
      height: 20,
      uploadZone: true,
      price: 3,
      customAdds: { uploads: true, texts: false, designs: true },
      draggable: false,
      adaptColors: false,
      ...printable,
    },
  }
  const own = photo !== undefined && {
    type: 'image',
    source: `${address}/${photo}`,
    title: 'Your picture',
    parameters: { ...places.upload, ...centered, z: 4, width: 90, height: 20, ...printable },
  }
  // A number takes the place of the graphic.
  return [base, numbers || picture, words, upload, own].filter((element) => element !== false)
}
