// The desk as a browser without scripts uses it, on a shop whose orders are drawn by the renderer.
import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import { type DeskOptions, svcDesk } from '../../../plugins/index.ts'
import { row, shopOrder } from '../fixtures/shop.ts'
import { renderShop } from '../render/render-shop.ts'
import type { Engine, TestHost } from './build.ts'
import { type ScreenClient, screenClient } from './screen.ts'

type Shop = Awaited<ReturnType<typeof renderShop>>
type ShopOptions = NonNullable<Parameters<typeof renderShop>[3]>

/** A shop with one order of this design, and the desk under `/desk`. */
export async function deskShop(
  t: Test,
  engine: Engine,
  design: unknown,
  { desk = {}, ...options }: ShopOptions & { desk?: Partial<DeskOptions> } = {},
): Promise<Shop & { client: ScreenClient }> {
  const shop = await renderShop(t, engine, design, {
    ...options,
    after: (app) => {
      options.after?.(app)
      app.register(svcDesk, { prefix: '/desk', authorize: () => true, ...desk })
    },
  })
  return { ...shop, client: screenClient(shop.host.app, { prefix: '/desk' }) }
}

/** A form whose entries have designs, with fields for name and mail. */
export async function addForm(host: TestHost, title = ''): Promise<number> {
  const fields = [
    { id: 1, type: 'name', label: 'Name', inputs: [] },
    { id: 2, type: 'email', label: 'E-mail' },
    { id: 3, type: 'text', label: 'Size' },
    { id: 9, type: 'textarea', cssClass: 'svc-order' },
  ]
  const form = await row(host, 'gf_form', { title: 'Order', date_created: '2026-01-01 00:00:00' })
  await row(host, 'gf_form_meta', { form_id: form, display_meta: JSON.stringify({ title, fields }) })
  return form
}

export async function formEntry(
  host: TestHost,
  form_id: number,
  { created, name, mail, design }: { created: string; name: string; mail: string; design: unknown },
): Promise<number> {
  const entry = await row(host, 'gf_entry', { form_id, date_created: created })
  const values = { 1: name, 2: mail, 3: 'XL', 9: JSON.stringify(design) }
  for (const [meta_key, meta_value] of Object.entries(values))
    await row(host, 'gf_entry_meta', { form_id, entry_id: entry, meta_key, meta_value })
  return entry
}

/** An order of the shop with one item per design. */
export const wcOrder = (host: TestHost, created: string, designs: unknown[], more: object = {}) =>
  shopOrder(host, 'posts', {
    created,
    items: designs.map((design) => ({ meta: [['_svc_data', JSON.stringify(design)]] })),
    ...more,
  })

export async function shortcodeOrder(
  host: TestHost,
  order: { customer_name: string; customer_mail: string; views: unknown },
): Promise<number> {
  const { insertId } = await host.db
    .insertInto(host.t.orders)
    .values({ ...order, views: JSON.stringify(order.views) } as never)
    .executeTakeFirstOrThrow()
  return Number(insertId)
}

/** A print job as the database holds it, with its row of steps. */
export async function jobRow(
  { db, t }: TestHost,
  job: {
    type: string
    id: number
    item: number
    status: string
    error?: { code: string; message: string; refusals?: string[] }
    step?: string
    /** Whether somebody works on it; the host takes others up itself. */
    isHeld?: boolean
  },
): Promise<{ id: number; guid: string }> {
  const guid = randomUUID()
  const { type, id: order_id, item, status, error, step = '' } = job
  const details = JSON.stringify({
    order_id,
    order_type: type,
    item_id: item || null,
    export_method: 'renderer',
  })
  const { insertId } = await db
    .insertInto(t.print_jobs)
    .values({ guid, status, details, data: null })
    .executeTakeFirstOrThrow()
  const id = Number(insertId)
  const lease_until = job.isHeld ? Math.floor(Date.now() / 1000) + 600 : 0
  const steps = { job_id: id, order_ref: `${type}:${order_id}`, item_id: item, step, lease_until }
  await db
    .insertInto(t.print_job_steps)
    .values({ ...steps, error: error ? JSON.stringify(error) : null })
    .execute()
  return { id, guid }
}
