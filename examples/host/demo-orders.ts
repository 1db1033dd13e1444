// The orders of the demo shop, from three sources and in every state.
import {
  type DemoProduct,
  type DemoSide,
  demoElements,
  demoProducts,
  fileName,
  viewOptions,
} from './demo-catalog.ts'

export interface DemoOrder {
  name: string
  mail: string
  /** Title of the product. */
  product: string
  /** What the customer changed, by side. */
  changes?: Record<string, Partial<DemoSide>>
  /** File name of the customer's own picture. */
  photo?: string
  names?: { name: string; number: string; select: string }[]
  quantity?: number
  /** State of an order of the shop. */
  state?: string
  /** What the customer wrote beside it. */
  note?: string
}

const customer = (name: string) => ({ name, mail: `${name.split(' ')[0]?.toLowerCase()}@shop.example` })

/** The last one is the newest. */
export const shortcodeOrders: DemoOrder[] = [
  // Its picture is nowhere, so that its print file fails.
  { ...customer('Noor Haddad'), product: 'Ceramic Mug', photo: 'lost-photo.jpg' },
  {
    ...customer('Ada Example'),
    product: 'Classic T-Shirt',
    changes: { Front: { text: 'Hello, print!' }, Back: { text: 'Made here' } },
  },
]

/** Orders of the shop, oldest first, in every state that a shop has. */
export const shopOrders: DemoOrder[] = [
  { ...customer('Ben Okafor'), product: 'Vinyl Banner', state: 'completed', quantity: 2 },
  { ...customer('Clara Nowak'), product: 'Steel Bottle', state: 'refunded' },
  { ...customer('Deniz Yilmaz'), product: 'Cotton Tote Bag', state: 'cancelled', quantity: 25 },
  { ...customer('Emil Sørensen'), product: 'Zip Hoodie', state: 'failed' },
  { ...customer('Fatima Rossi'), product: 'Ceramic Mug', state: 'on-hold', quantity: 6 },
  {
    ...customer('Goran Ito'),
    product: 'Business Cards',
    state: 'pending',
    changes: { Front: { text: 'Goran Ito' } },
    quantity: 250,
  },
  {
    ...customer('Hana Kim'),
    product: 'Team Jersey with Name and Number',
    state: 'processing',
    names: [
      { name: 'Kim', number: '7', select: 'M' },
      { name: 'Okoye', number: '23', select: 'L' },
      { name: 'Lindqvist', number: '4', select: 'S' },
    ],
    quantity: 3,
  },
  {
    ...customer('Ines Duarte'),
    product: 'Classic T-Shirt',
    state: 'processing',
    changes: { Front: { text: 'Run club', graphic: 'bolt' } },
    note: 'Please deliver before Friday.',
  },
]

/** Entries of a form. */
export const formOrders: DemoOrder[] = [
  { ...customer('Jonas Weber'), product: 'Cotton Tote Bag', changes: { Front: { text: 'Bakery Weber' } } },
  { ...customer('Kaya Moreau'), product: 'Ceramic Mug', changes: { Right: { text: 'Tea first' } } },
]

export function productOf({ product }: Pick<DemoOrder, 'product'>): DemoProduct {
  const found = demoProducts.find(({ title }) => title === product)
  if (!found) throw new Error(`The demo has no product ${product}.`)
  return found
}

/** The views as the designer stores them with an order. */
export function orderedViews(order: DemoOrder, address: string): object[] {
  const product = productOf(order)
  return Object.entries(product.sides).map(([title, side]) => ({
    title,
    thumbnail: `${address}/${fileName(product, title)}`,
    elements: demoElements(
      product,
      title,
      { ...side, ...order.changes?.[title] },
      {
        address,
        isOrdered: true,
        photo: order.photo,
      },
    ),
    options: viewOptions(product.outline),
    ...(order.names && side.number !== undefined && { names_numbers: order.names }),
  }))
}
