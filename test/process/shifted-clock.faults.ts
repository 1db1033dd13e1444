// Hosts whose clocks are a day ahead or behind, beside one that is right: what processes share is compared by the database's clock.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { databaseOn } from '../../src/db/connect.ts'
import { databaseTime } from '../../src/db/time.ts'
import { namedTokens } from '../../src/settings/named-tokens.ts'
import { build, type Engine, onEachEngine, token } from '../support/hosts/build.ts'
import { type Peer, shiftedPeer } from '../support/hosts/process.ts'
import { eventually, webhookSecret } from '../support/hosts/webhooks.ts'
import { httpServer } from '../support/peers/servers.ts'

const day = 86_400_000

/** A host with the right clock, and two processes on its database whose clocks are a day ahead and a day behind. */
async function hostsOn(t: Test, engine: Engine, options: object = {}) {
  const host = await build(t, { engine, ...options })
  const serve = async (milliseconds: number): Promise<Peer> => {
    const peer = await shiftedPeer(t, milliseconds)
    await peer.order({ do: 'serve', database: host.address, token, options })
    return peer
  }
  const [ahead, behind] = await Promise.all([serve(day), serve(-day)])
  return { host, peers: [ahead, behind] }
}

t.test('authentication: named tokens expire, and overlap when they are rotated, by the database', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, peers } = await hostsOn(t, engine)
    const database = await databaseOn(host.connection)
    const tokens = namedTokens(database)
    const now = await databaseTime(database)
    const create = (name: string, expiresAt: number) => tokens.create({ name, scopes: ['read'], expiresAt })
    const valid = await create('valid', now + 3600)
    const expired = await create('expired', now + 3600)
    await host.db
      .updateTable(host.t.api_tokens)
      .set({ expires_at: now - 60 })
      .where('name', '=', 'expired')
      .execute()
    const rotated = await tokens.rotate('valid', '1h')
    for (const peer of peers) {
      const send = (presented: string) => ({ method: 'GET', path: '/categories', token: presented })
      const responses = await peer.requests([send(valid), send(rotated?.token ?? ''), send(expired)])
      t.same(
        responses.map(({ status }) => status),
        [200, 200, 403],
      )
    }
  }),
)

t.test('POST /categories: a repeated Idempotency-Key is found by every host', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, peers } = await hostsOn(t, engine)
    for (const [index, peer] of peers.entries()) {
      const headers = { 'idempotency-key': randomUUID() }
      const post = { method: 'POST', path: '/categories', body: { title: `Keyed ${index}` }, headers }
      const [first] = await peer.requests([post])
      const again = await host.call('POST', '/categories', post.body, headers)
      const [third] = await (peers[1 - index] as Peer).requests([post])
      t.same([first?.status, again.status, third?.status], [201, 201, 201])
      t.equal(new Set([first?.body.data.id, again.body.data.id, third?.body.data.id]).size, 1)
    }
  }),
)

t.test('webhooks, audit trail: an event is sent once, and dated by the database', (t) =>
  onEachEngine(t, async (t, engine) => {
    const ids: string[] = []
    // A receiver that verified signatures would refuse them: their time is that of the host.
    const { url } = await httpServer(t, (request, response) => {
      ids.push(String(request.headers['webhook-id']))
      request.resume().once('end', () => response.writeHead(204).end())
    })
    const endpoint = { url: `${url}/hook`, secret: webhookSecret, allowInternal: true, seconds: 5 }
    const { host, peers } = await hostsOn(t, engine, { audit: true, webhooks: [endpoint] })
    for (const [index, peer] of peers.entries())
      await peer.requests([{ method: 'POST', path: '/categories', body: { title: `Audited ${index}` } }])
    const entries = await host.db.selectFrom(host.t.api_audit).select('at').execute()
    t.equal(entries.length, 2)
    for (const { at } of entries) t.ok(Math.abs(Number(at) - Date.now() / 1000) < 60, `${at}`)
    await eventually(() => ids.length >= 2)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    t.equal(ids.length, 2)
  }),
)

t.test('the sweep of temporary files: a host that is a day ahead leaves the files of others', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-clock-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  const [assets, temporary] = [join(dir, 'uploads/svc/uploads'), join(dir, 'temp')]
  for (const folder of [assets, temporary]) mkdirSync(folder, { recursive: true })
  const unfinished = [
    join(assets, `.a.png.${randomUUID()}.part`),
    join(temporary, `svc-print-${randomUUID()}.part`),
  ]
  for (const file of unfinished) writeFileSync(file, 'x')
  const options = {
    uploads: { dir: join(dir, 'uploads'), url: 'https://shop.example/wp-content/uploads' },
    printReady: { tempDir: temporary },
  }
  await hostsOn(t, 'SQLite', options)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  t.same(unfinished.map(existsSync), [true, true])
})
