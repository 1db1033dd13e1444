// What the status page advises for each component that is not set up or does not work.
import t from 'tap'
import { buildScreen } from '../../support/hosts/screen.ts'

const partOf = (id: string) => `section[aria-labelledby=section-${id}]`

t.test('GET /status: what an integration needs, with a link to its setting', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('status')
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
