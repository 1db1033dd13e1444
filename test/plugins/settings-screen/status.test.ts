// What the status page reports of each component and advises if it is not set up or does not work, and its pictures of orders.
import t from 'tap'
import { svcSettingsScreen } from '../../../plugins/index.ts'
import { wcOrder } from '../../support/hosts/desk.ts'
import { buildScreen, screenClient } from '../../support/hosts/screen.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

const partOf = (id: string) => `section[aria-labelledby=section-${id}]`

t.test('GET /status: what an integration needs, with a link to its setting', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('status')
  t.same(page.texts('nav [aria-current=page]'), ['Status'])
  const remedies = page.texts(`${partOf('integrations')} .remark`)
  t.equal(remedies.length, page.texts(`${partOf('integrations')} dt`).length)
  t.match(remedies.join('\n'), /Activate the plugin in WordPress to print its orders/)
  for (const link of page.document.querySelectorAll(`${partOf('integrations')} a`)) {
    const [tab = '', anchor = ''] = (link.getAttribute('href') ?? '').split('#')
    t.ok((await client.get(tab)).document.getElementById(anchor), anchor)
  }
})

t.test('GET /status: events that were not delivered, their receivers, and what to do', async (t) => {
  const webhooks = [
    { url: 'https://hook.example/in', secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  ]
  const { client, host } = await buildScreen(t, { webhooks }, { deskUrl: '/desk/' })
  t.match((await client.get('status')).texts(`${partOf('webhooks')} dl > *`), ['Events not delivered', '0'])
  t.same((await client.get('status')).texts(`${partOf('webhooks')} .remark`), [])
  await host.call('POST', '/products', { title: 'Mug' })
  await host.db.updateTable(host.t.api_outbox).set({ state: 'dead', error: 'It responded 500.' }).execute()
  const page = await client.get('status')
  t.same(page.texts(`${partOf('webhooks')} dd`), ['1', 'https://hook.example', 'It responded 500.'])
  const link = page.document.querySelector(`${partOf('webhooks')} .remark a`)
  t.equal(link?.getAttribute('href'), '/desk/deliveries')
})

t.test('GET /status: no part for webhooks in an app without them', async (t) => {
  const { client } = await buildScreen(t)
  t.same((await client.get('status')).texts(partOf('webhooks')), [])
})

t.test('GET /status: how many print files were not delivered, the last reason, and what to do', async (t) => {
  const { client, host } = await buildScreen(t, { deliver: { folder: t.testdir() }, migrate: true })
  const insert = (job_id: number, values: { state: string; attempts: number; error?: string }) =>
    host.db
      .insertInto(host.t.print_deliveries)
      .values({ job_id, next_at: 2 ** 32, ...values })
      .execute()
  const facts = async () =>
    (await client.get('status')).texts(`${partOf('deliveries')} :is(.on, .bad, .remark)`)
  await insert(1, { state: 'pending', attempts: 0 })
  t.same(await facts(), ['0', '0'])
  await insert(2, { state: 'pending', attempts: 1, error: 'The disk is full.' })
  await insert(3, { state: 'failed', attempts: 9, error: 'The folder does not exist.' })
  const page = await client.get('status')
  t.same(page.texts(`${partOf('deliveries')} dd`), ['2', '1', '1', 'The folder does not exist.'])
  t.same(page.texts(`${partOf('deliveries')} .bad`), ['1', '1'])
  t.match(page.texts(`${partOf('deliveries')} .remark`), [/Check that the folder or the SFTP server/])
})

t.test('GET /order-picture: the first view of the item, not of the whole order', async (t) => {
  const designs = ['#f00', '#00f'].map((fill) => ({ product: [viewWith(textElement('Ada', { fill }))] }))
  const { host } = await renderShop(t, 'SQLite', designs[0], {
    after: (app) => void app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
  })
  const { id, items } = await wcOrder(host, '2026-06-01 08:00:00', designs)
  const client = screenClient(host.app)
  const pictures = items.map((item) => client.get(`order-picture?type=wc&order=${id}&item=${item}`))
  const [first, second] = await Promise.all(pictures)
  t.equal(second?.headers['content-type'], 'image/png')
  t.not(second?.text, first?.text)
})
