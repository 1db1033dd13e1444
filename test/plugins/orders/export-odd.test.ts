// An export service that does every odd thing that HTTP allows: the export still ends within its timeout.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { behave, type OddServer, oddServers } from '../../support/hostile/odd-servers.ts'
import { accept, exportShop } from '../../support/hosts/export-shop.ts'
import { rawServer } from '../../support/peers/servers.ts'

/** Milliseconds after which a test calls a hand-over hung. */
const ceiling = 15_000

t.test('a response of the service that would take long to parse is not parsed', async (t) => {
  const long = '{"\\"":1},'.repeat(30_000)
  const shop = await exportShop(t, 'SQLite', (response) =>
    response.writeHead(422).end(`{"message":"A","a":[${long}0]}`),
  )
  const refused = await shop.order()
  t.match(refused, { status: 502, body: { code: 'svc_export_refused' } })
  t.notOk(String(refused.body.message).startsWith('The export service refused the order: A'))
})

t.test('whatever the service does, the export gets a response and no connection stays open', async (t) => {
  let now: OddServer = { do: () => {} }
  const service = await rawServer(t, (socket) => behave(socket, now))
  const shop = await exportShop(t, 'SQLite', accept, {
    wait: 180,
    exportService: { url: `${service.url}/export`, seconds: 0.2 },
  })
  const servers = Object.entries(oddServers).filter(([, { tls }]) => !tls)
  for (const [name, odd] of servers) {
    now = odd
    const response = await Promise.race([
      shop.order({}, { prefer: 'respond-async' }),
      delay(ceiling, { status: 'hangs' }, { ref: false }),
    ])
    t.ok([201, 502].includes(Number(response.status)), `${name}: ${response.status}`)
    for (const socket of service.open) socket.resume()
    const deadline = performance.now() + ceiling
    while (service.open.size > 0 && performance.now() < deadline) await delay(5)
    t.equal(service.open.size, 0, `${name}: the connection is closed from our side`)
  }
  t.equal((await shop.host.call('GET', '/print-jobs')).status, 200)
})
