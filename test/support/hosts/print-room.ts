// A print room in the morning: 50 orders of three sources, some printed, and among them those that give trouble today.
import type { OrderType } from '../../../src/orders/source.ts'
import { photoUrl, pictureElement, textElement, viewWith } from '../render/render-shop.ts'
import type { TestHost } from './build.ts'
import { addForm, formEntry, jobRow, shortcodeOrder, wcOrder } from './desk.ts'

const people = ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson', 'Zoë Ōe', 'Mary <b>Jackson</b>']

export const designOf = (name: string, color = '#a4161a') => ({
  product: [
    {
      ...viewWith(
        pictureElement(photoUrl, { scaleX: 0.8, scaleY: 0.8 }),
        textElement(name, { fill: color, fontSize: 24 }),
      ),
      names_numbers: [{ name: name.split(' ')[0], number: '10', select: 'L' }],
    },
    { ...viewWith(textElement('Made here')), title: 'Back' },
  ],
})

/** Orders that cannot be printed without more ado, by what is wrong with them; they stand among the newest. */
export interface Trouble {
  type: OrderType
  id: number
  /** What the list calls it. */
  name: string
}
const troubles = { font: 25, resolution: 26, provider: 27, picture: 48, cancelled: 49 } as const

/** A picture that an order has before it lies in the uploads folder. */
export const latePhoto = 'late.jpg'
const pictureless = { product: [viewWith(pictureElement(photoUrl.replace('photo.jpg', latePhoto)))] }
const lobster = { product: [viewWith(textElement('Ahoy', { fontFamily: 'Lobster' }))] }

/** Fills the shop; there is one order of the shop before. */
export async function openPrintRoom(
  host: TestHost,
  orders = 50,
): Promise<Record<keyof typeof troubles, Trouble>> {
  const form = await addForm(host)
  const made = new Map<number, Trouble & { item: number }>()
  for (let index = 1; index < orders; index++) {
    const name = people[index % people.length] ?? ''
    const [first = '', last = ''] = name.split(' ')
    const mail = `${first.toLowerCase()}${index}@shop.example`
    const created = `2026-10-${String(1 + (index % 28)).padStart(2, '0')} 0${index % 10}:15:00`
    const odd = new Map<number, ReturnType<typeof designOf>>([
      [troubles.font, lobster],
      [troubles.picture, pictureless],
    ])
    const design = odd.get(index) ?? designOf(name)
    const order = await ordered(index % 3)
    made.set(index, order)
    if (index % 7 === 0 && !Object.values(troubles).includes(index as never))
      await jobRow(host, { ...order, status: 'completed' })

    async function ordered(source: number): Promise<Trouble & { item: number }> {
      if (source === 0) {
        const sold = index === troubles.provider ? { ...design, variation_printful: '4012' } : design
        const number = `W-${1000 + index}`
        const { id, items } = await wcOrder(host, created, [sold], { first, last, mail, number })
        return { type: 'wc', id, item: items[0] ?? 0, name: `Shop ${number}` }
      }
      if (source === 1) {
        const id = await formEntry(host, form, { created, name, mail, design })
        return { type: 'gf', id, item: 0, name: `Form ${id}` }
      }
      const id = await shortcodeOrder(host, {
        customer_name: name,
        customer_mail: mail,
        views: design.product,
      })
      return { type: 'shortcode', id, item: 0, name: `Website order ${id}` }
    }
  }
  const { cancelled } = troubles
  const waits = made.get(cancelled)
  if (waits) await jobRow(host, { ...waits, status: 'pending', isHeld: true })
  return Object.fromEntries(
    Object.entries(troubles).map(([what, index]) => [what, made.get(index)]),
  ) as unknown as Record<keyof typeof troubles, Trouble>
}
