// Deliveries and changes on the desk, where the host keeps them.
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { viewWith } from '../../support/render/render-shop.ts'

const design = [viewWith()]
const kept = {
  audit: true,
  webhooks: [{ url: 'https://erp.example/svc', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
}

t.test('a dead event is sent again, and the change that caused it is told with its author', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { client, host } = await deskShop(t, engine, design, kept)
    const { body } = await host.call('POST', '/categories', { title: 'Cups <b>' })
    await host.db
      .updateTable(host.t.api_outbox)
      .set({ state: 'dead', error: 'It <i>responded</i> 500.' })
      .execute()
    const page = await client.get('deliveries')
    t.match(
      page.texts('[aria-labelledby=section-dead] li').join(),
      /category created.*It <i>responded<\/i> 500\./,
    )
    const sent = await client.submit(page, 'send-again')
    t.equal(sent.headers.location, 'deliveries?sent=1')
    t.match(
      (await client.get('deliveries?sent=1')).texts('[role=status]').join(),
      '1 delivery was started again.',
    )
    const rows = async (query: string) => (await client.get(`audit?${query}`)).texts('tbody tr')
    t.match(
      (await rows('resource=category')).join(),
      new RegExp(`category ${body.data.id} created.*token.*create_category`),
    )
    t.same(await rows('resource=product'), [])
    t.same(await rows(`resource=category&id=${body.data.id + 1}`), [])
  }),
)

t.test('without the options there are no such pages, and without the rights neither', async (t) => {
  const plain = await deskShop(t, 'SQLite', design)
  t.same((await plain.client.get('orders')).texts('nav a'), [
    'Orders',
    'Queue',
    'Products',
    'Fonts',
    'Library',
  ])
  t.equal((await plain.client.get('deliveries')).status, 404)
  const limited = await deskShop(t, 'SQLite', design, {
    ...kept,
    desk: { authorize: () => ({ name: 'anna', scopes: ['orders:write'] }) },
  })
  t.equal((await limited.client.get('audit')).status, 403)
  t.equal((await limited.client.post('send-again', [['all', 'yes']])).status, 403)
})
