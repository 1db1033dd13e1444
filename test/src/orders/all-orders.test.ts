// The orders of all sources in one list.
import t from 'tap'
import { secondsOfDays } from '../../../src/core/time-in.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { allOrders, firstPage, orderTypes } from '../../../src/orders/all-orders.ts'
import { ordersOf } from '../../../src/orders/orders.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { createShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { addForm, formEntry, shortcodeOrder, wcOrder } from '../../support/hosts/desk.ts'

const view = { title: 'Front', elements: [], options: {} }
const everything = { types: orderTypes, search: undefined, limit: 2, offsets: firstPage }

async function listOf(host: TestHost) {
  const database = await databaseOn(host.connection)
  return allOrders(ordersOf(database, cmsOptions(database)))
}

t.test('pages follow each other without a gap, by the dates of all sources', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host)
    const form = await addForm(host)
    const created = (day: string) => `2026-03-${day} 12:00:00`
    const entry = (day: string) =>
      formEntry(host, form, { created: created(day), name: 'A', mail: '', design: { product: [view] } })
    await wcOrder(host, created('01'), [{ product: [view] }])
    await entry('02')
    await wcOrder(host, created('03'), [{ product: [view] }])
    await entry('04')
    await shortcodeOrder(host, { customer_name: 'B', customer_mail: '', views: [view] })
    const list = await listOf(host)
    const seen: string[] = []
    let offsets: typeof firstPage | undefined = firstPage
    while (offsets) {
      const page = await list.page({ ...everything, offsets })
      seen.push(page.orders.map(({ type }) => type).join())
      offsets = page.next
    }
    t.same(seen, ['shortcode,gf', 'wc,gf', 'wc'])
    const days = secondsOfDays({ since: '2026-03-02', until: '2026-03-03' }, 'UTC')
    const some = await list.page({ ...everything, ...days })
    t.same(
      some.orders.map(({ type, created_date }) => [type, created_date]),
      [
        ['wc', '2026-03-03T12:00:00Z'],
        ['gf', '2026-03-02T12:00:00Z'],
      ],
    )
    const today = new Date().toISOString().slice(0, 10)
    const recent = await list.page({ ...everything, ...secondsOfDays({ since: today, until: today }, 'UTC') })
    t.same(
      recent.orders.map(({ type }) => type),
      ['shortcode'],
    )
    const chosen = await list.page(
      everything,
      async (all) => new Set(all.filter(({ type }) => type === 'wc')),
    )
    t.equal(chosen.orders.length, 2)
    const others = await list.page(
      everything,
      async (all) => new Set(all.filter(({ type }) => type !== 'gf')),
    )
    t.same(
      others.orders.map(({ type }) => type),
      ['shortcode', 'wc'],
    )
    t.same(others.next, { wc: 1, gf: 1, shortcode: 1 }, 'the next page begins behind the last that is kept')
  }),
)

t.test('a source whose plugin is not installed has no orders', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await shortcodeOrder(host, { customer_name: 'B', customer_mail: '', views: [view] })
    const { orders, next } = await (await listOf(host)).page(everything)
    t.same([orders.map(({ type }) => type), next], [['shortcode'], undefined])
  }),
)
