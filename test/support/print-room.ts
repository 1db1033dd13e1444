// A print room in the morning: 50 orders of three sources, some printed, five failed for different reasons.
import type { TestHost } from './build.ts'
import { addForm, formEntry, jobRow, shortcodeOrder, wcOrder } from './desk.ts'
import { photoUrl, pictureElement, textElement, viewWith } from './render/render-shop.ts'

export const failures = [
  {
    code: 'svc_render_refused',
    message: 'View "Front", element "Name": The font "Lobster" is not uploaded.',
  },
  { code: 'svc_render_failed', message: '5 attempts to draw the design were interrupted.' },
  { code: 'svc_storage_unavailable', message: 'The file storage could not be reached.' },
  { code: 'svc_print_provider_unavailable', message: 'The print provider could not be reached.' },
  { code: 'svc_print_job_cancelled', message: 'Anna cancelled the job.' },
]

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

/** Fills the shop; there is one order of the shop before. */
export async function openPrintRoom(host: TestHost, orders = 50): Promise<void> {
  const form = await addForm(host)
  for (let index = 1; index < orders; index++) {
    const name = people[index % people.length] ?? ''
    const [first = '', last = ''] = name.split(' ')
    const mail = `${first.toLowerCase()}${index}@shop.example`
    const created = `2026-10-${String(1 + (index % 28)).padStart(2, '0')} 0${index % 10}:15:00`
    const design = designOf(name)
    let job: { type: string; id: number; item: number }
    if (index % 3 === 0) {
      const { id, items } = await wcOrder(host, created, [design], {
        first,
        last,
        mail,
        number: `W-${1000 + index}`,
      })
      job = { type: 'wc', id, item: items[0] ?? 0 }
    } else if (index % 3 === 1)
      job = { type: 'gf', id: await formEntry(host, form, { created, name, mail, design }), item: 0 }
    else {
      const order = { customer_name: name, customer_mail: mail, views: design.product }
      job = { type: 'shortcode', id: await shortcodeOrder(host, order), item: 0 }
    }
    const error = failures[index / 5 - 1]
    if (error) await jobRow(host, { ...job, status: 'failed', error })
    else if (index % 7 === 0) await jobRow(host, { ...job, status: 'completed' })
  }
}
