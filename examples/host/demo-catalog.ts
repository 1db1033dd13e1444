// The catalog of the demo shop: request bodies in the form in which a designer front end saves them.
import type { Outline } from './demo-pictures.ts'

export interface DemoProduct {
  title: string
  category?: string
  type?: 'template'
  outline: Outline
  color: string
  price: number
  /** Its views, and the text on each. */
  sides: Record<string, string>
}

export const demoCategories = ['Apparel', 'Drinkware', 'Paper and bags']

export const demoProducts: DemoProduct[] = [
  {
    title: 'Classic T-Shirt',
    category: 'Apparel',
    outline: 'shirt',
    color: '#ffffff',
    price: 19.9,
    sides: { Front: 'Your text', Back: 'Team 2026' },
  },
  {
    title: 'Zip Hoodie',
    category: 'Apparel',
    outline: 'hoodie',
    color: '#2e4057',
    price: 44.5,
    sides: { Front: 'Crew', Back: 'Since 1998' },
  },
  {
    title: 'Ceramic Mug',
    category: 'Drinkware',
    outline: 'mug',
    color: '#fdf6e3',
    price: 12,
    sides: { Left: 'Good morning', Right: 'Coffee first' },
  },
  {
    title: 'Steel Bottle',
    category: 'Drinkware',
    outline: 'bottle',
    color: '#9fb8ad',
    price: 24,
    sides: { Front: 'Stay cool', Back: '750 ml' },
  },
  {
    title: 'Cotton Tote Bag',
    category: 'Paper and bags',
    outline: 'tote',
    color: '#e8dcc4',
    price: 9.5,
    sides: { Front: 'Fresh today', Back: 'Thank you!' },
  },
  {
    title: 'Business Cards',
    category: 'Paper and bags',
    outline: 'card',
    color: '#ffffff',
    price: 29,
    sides: { Front: 'Ada Example', Back: 'shop.example' },
  },
  {
    title: 'Blank T-Shirt (template)',
    type: 'template',
    outline: 'shirt',
    color: '#f2f2f2',
    price: 0,
    sides: { Front: 'Front text', Back: 'Back text' },
  },
]

/** The family of the font that the demo uploads. */
export const demoFont = 'Liberation Sans Bold'

/** Options of a view: the canvas size in pixels and the print area. */
export const viewOptions = {
  stageWidth: 400,
  stageHeight: 400,
  // Millimetres, in the ratio of the print area: 2 mm for each pixel.
  output: { width: 200, height: 240, bleed: 3 },
  printingBox: { left: 150, top: 150, width: 100, height: 120 },
}

/** The elements of a view, from back to front. Positions in canvas pixels from the top left corner; sources are URLs. */
export function demoElements(
  { base, badge, upload }: Record<'base' | 'badge' | 'upload', string>,
  text: string,
): object[] {
  const printable = { boundingBox: { x: 150, y: 150, width: 100, height: 120 }, boundingBoxMode: 'clipping' }
  return [
    {
      type: 'image',
      source: base,
      title: 'Base',
      parameters: {
        left: 200,
        top: 200,
        originX: 'center',
        originY: 'center',
        z: 0,
        draggable: false,
        // The product itself is not printed.
        excludeFromExport: true,
        price: 0,
      },
    },
    {
      type: 'image',
      source: badge,
      title: 'Badge',
      parameters: {
        ...{ left: 200, top: 185, originX: 'center', originY: 'center', z: 1, scaleX: 0.5, scaleY: 0.5 },
        ...{
          draggable: true,
          rotatable: true,
          resizable: true,
          removable: true,
          replace: 'badge',
          price: 1.5,
        },
        ...printable,
      },
    },
    {
      type: 'text',
      source: text,
      title: 'Text',
      parameters: {
        ...{ left: 200, top: 235, originX: 'center', originY: 'center', z: 2 },
        ...{ fontFamily: demoFont, fontSize: 15, textAlign: 'center', fill: '#333333', maxLength: 40 },
        ...{ colors: ['#333333', '#e4572e', '#2e4057'], editable: true, draggable: true, price: 2 },
        ...printable,
      },
    },
    {
      type: 'image',
      source: upload,
      title: 'Your picture',
      parameters: {
        ...{ left: 200, top: 258, originX: 'center', originY: 'center', z: 3, width: 90, height: 20 },
        ...{ uploadZone: true, customAdds: { uploads: true, texts: false, designs: true } },
        ...{ draggable: false, adaptColors: false, price: 3 },
        ...printable,
      },
    },
  ]
}
