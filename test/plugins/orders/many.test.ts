// The list of the shop's orders beyond its first pages, its count and its search, as they are found in a large shop.
import t from 'tap'
import { createShop, type Shop, shopOrder, useShop } from '../../support/fixtures/shop.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { jobRow } from '../../support/hosts/desk.ts'

const meta: [string, string][] = [['_svc_data', '{"product":[]}']]

t.test('GET /orders: late pages, counts and searches are those of the whole list', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const shop of ['posts', 'tables'] satisfies Shop[]) {
      const host = await build(t, { engine })
      await createShop(host)
      await useShop(host, shop)
      const design = { items: [{ meta }, { meta }] }
      const old = await shopOrder(host, shop, { ...design, created: '2020-01-01 00:00:00', number: 'A-17' })
      const zoe = await shopOrder(host, shop, { ...design, first: 'Zoë', last: 'Ångström' })
      await shopOrder(host, shop, { ...design, status: 'trash' })
      await shopOrder(host, shop, { items: [{ meta: [['_svc_data', '']] }] })
      await shopOrder(host, shop, { items: [{}] })
      const last = await shopOrder(host, shop, { ...design, mail: 'k@shop.example' })
      for (const item of last.items) {
        const { id } = await jobRow(host, { type: 'wc', id: last.id, item, status: 'completed' })
        const data = '{"local_file":"/var/www/1.pdf"}'
        await host.db.updateTable(host.t.print_jobs).set({ data }).where('ID', '=', id).execute()
      }
      const list = async (query: string) => {
        const { body } = await host.call('GET', `/orders?fields=id&${query}`)
        return [body.data?.map(({ id }: { id: number }) => id), body.meta?.total]
      }
      t.same(await list(''), [[last.id, zoe.id, old.id], 3], shop)
      t.same(await list('has_print_file=true'), [[last.id], 1])
      t.same(await list('has_print_file=false&limit=1&page=2'), [[old.id], 2])
      t.same(await list('limit=1&page=1001'), [[], 3])
      t.same(await list('limit=100&page=11&has_print_file=false'), [[], 2])
      t.same(await list('search=zo%C3%AB%20%C3%A5ng'), [[zoe.id], 1])
      t.same(await list('search=a-17'), [[old.id], 1])
      t.same(await list('search=K@SHOP'), [[last.id], 1])
      t.same(await list(`search=${zoe.id}&include=${zoe.id},${old.id}`), [[zoe.id], 1])
      t.same(await list('search=zeppelin'), [[], 0])
      t.same(await list('search=zo%C3%AB&has_print_file=true'), [[], 0])
    }
  }),
)

t.test('GET /orders: pages from an offset of 1,000 on follow the ones before', async (t) => {
  const host = await build(t)
  await createShop(host)
  for (let i = 0; i < 1010; i++)
    await shopOrder(host, 'posts', {
      created: `2026-04-29 10:${String(i % 60).padStart(2, '0')}:00`,
      items: [{ meta }],
    })
  const page = async (offset: number, limit: number) =>
    (await host.call('GET', `/orders?fields=id&limit=${limit}&page=${offset / limit + 1}`)).body.data.map(
      ({ id }: { id: number }) => id,
    )
  const pages: number[] = []
  for (let offset = 0; offset < 1100; offset += 100) pages.push(...(await page(offset, 100)))
  const whole = (await host.call('GET', '/orders?fields=id&include=1')).body.data.length
  t.equal(whole, 1)
  t.equal(pages.length, 1010)
  t.equal(new Set(pages).size, 1010)
})
