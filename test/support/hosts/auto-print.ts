// A shop whose orders are printed automatically, what PHP writes to it, and its print jobs.
import { sql } from 'kysely'
import type { Test } from 'tap'
import { printNewOrders } from '../../../plugins/index.ts'
import { row, type Shop, shopOrder, useShop } from '../fixtures/shop.ts'
import { renderShop, textElement, uploadsUrl, viewWith } from '../render/render-shop.ts'
import { type BuildOptions, build, type Engine, type TestHost } from './build.ts'

export const designOf = (text: string) => ({ product: [viewWith(textElement(text))] })

interface Options extends Omit<BuildOptions, 'engine' | 'address'> {
  shop?: Shop
  /** Runs before automatic printing begins. */
  earlier?: (host: TestHost) => Promise<unknown>
}

/** A shop in which automatic printing has begun; `another` starts one more process on its database. */
export async function autoPrintShop(
  t: Test,
  engine: Engine,
  { shop = 'tables', earlier, ...options }: Options = {},
) {
  const { host: php, dir, tempDir } = await renderShop(t, engine, designOf('Earlier'), { autoPrint: false })
  await useShop(php, shop)
  await earlier?.(php)
  const another = (more: Partial<BuildOptions> = {}) =>
    build(t, {
      address: php.address,
      uploads: { dir, url: uploadsUrl },
      printReady: { tempDir, leaseSeconds: 2 },
      renderer: true,
      autoPrint: { format: 'svg' },
      ...options,
      ...more,
    })
  const host = await another()
  await printNewOrders(host.app)
  const look = () => printNewOrders(host.app)
  return { host, php, another, look, dir, tempDir, ...shopWriter(php, shop) }
}

/** What PHP writes when orders are made, paid, edited or refunded. */
export function shopWriter(php: TestHost, shop: Shop) {
  const { db } = php.connection
  const now = () => new Date().toISOString().slice(0, 19).replace('T', ' ')

  /** A change of the state, with the time or the note that the shop writes. */
  async function setStatus(id: number, status: string, at = now()): Promise<void> {
    if (shop === 'tables') {
      await sql`update wp_wc_orders set status = ${status}, date_updated_gmt = ${at} where id = ${id}`.execute(
        db,
      )
      return
    }
    await sql`update wp_posts set post_status = ${status}, post_modified_gmt = ${at} where ID = ${id}`.execute(
      db,
    )
    const note = { comment_post_ID: id, comment_type: 'order_note', comment_content: 'Order status changed.' }
    await row(php, 'comments', note)
  }

  async function store(item: number, design: object): Promise<void> {
    await sql`update wp_woocommerce_order_itemmeta set meta_value = ${JSON.stringify(design)}
      where order_item_id = ${item} and meta_key = '_svc_data'`.execute(db)
  }

  return {
    setStatus,

    /** An unpaid order with an item for each design. */
    async order(designs: readonly string[], status = 'wc-pending') {
      const items = designs.map((text) => ({
        meta: [['_svc_data', JSON.stringify(designOf(text))]] as [string, string][],
      }))
      const made = await shopOrder(php, shop, { status: 'wc-pending', created: now(), items })
      if (shop === 'posts')
        await sql`update wp_posts set post_date = ${now()} where ID = ${made.id}`.execute(db)
      await setStatus(made.id, status)
      return made
    },

    setDesign: (item: number, text: string) => store(item, designOf(text)),

    /** A font that is missing makes a design that cannot be drawn. */
    setFont: (item: number, fontFamily: string) =>
      store(item, { product: [viewWith(textElement('Text', { fontFamily }))] }),
  }
}

/** The print jobs, oldest first: `type:order:item status`. */
export async function jobsOf({ db, t }: TestHost): Promise<string[]> {
  const rows = await db.selectFrom(t.print_jobs).select(['details', 'status']).orderBy('ID').execute()
  return rows.map(({ details, status }) => {
    const { order_type, order_id, item_id } = JSON.parse(details ?? '{}')
    return `${order_type}:${order_id}:${item_id ?? 0} ${status}`
  })
}

/** Waits until the jobs are as expected, and returns them. */
export async function eventually(read: () => Promise<string[]>, isEnough: (jobs: string[]) => boolean) {
  const until = Date.now() + 60_000
  let jobs = await read()
  while (!isEnough(jobs) && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    jobs = await read()
  }
  return jobs
}
