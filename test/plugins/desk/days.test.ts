// The days by which the desk filters orders are those of the shop's time zone.
import t from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { addForm, deskShop, formEntry, wcOrder } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada'))] }

t.test(
  'GET /orders?since&until: 23:30 UTC is the next day in Berlin, in orders of shop and forms',
  async (t) => {
    const { host, client } = await deskShop(t, 'SQLite', design)
    await storeOption(host, 'timezone_string', 'Europe/Berlin')
    const created = '2026-05-01 23:30:00'
    const { id } = await wcOrder(host, created, [design])
    const entry = await formEntry(host, await addForm(host), { created, name: 'Ada', mail: '', design })
    const found = async (day: string) =>
      (await client.get(`orders?since=${day}&until=${day}`)).texts('.orders .name').sort()
    t.strictSame(await found('2026-05-01'), [])
    t.strictSame(await found('2026-05-02'), [`Form ${entry}`, `Shop ${id}`])
    t.strictSame(await found('2026-05-03'), [])
  },
)

t.test('GET /orders?work=to_print: days are those of the time zone, too', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design)
  await storeOption(host, 'timezone_string', 'Europe/Berlin')
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const items = [{ meta: [['_svc_data', JSON.stringify(design)]] as [string, string][] }]
  const order = { created: `${dayBefore(5)} 23:30:00`, status: 'wc-processing', items }
  const { id } = await shopOrder(host, 'posts', order)
  const found = async (day: string) =>
    (await client.get(`orders?work=to_print&since=${day}&until=${day}`)).texts('.orders .name')
  t.strictSame(await found(dayBefore(5)), [])
  t.strictSame(await found(dayBefore(4)), [`Shop ${id}`])
})
