// The guarantees between processes on three MySQL servers with Group Replication: while its primary dies or freezes, while all
// three take writes, and while the majority is lost.
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { auditEntries } from '../../plugins/index.ts'
import { build, type TestHost, token } from '../support/build.ts'
import { type Group, type Member, mysqlGroup } from '../support/group-replication.ts'
import type { PeerRequest, PeerResponse } from '../support/peer.ts'
import { type Peer, startPeer } from '../support/process.ts'
import { newProduct } from '../support/rows.ts'
import { eventually, receiver, rows } from '../support/webhooks.ts'

const minutes = (count: number) => count * 60_000
/** Milliseconds of load around each fault, and with all members taking writes. */
const calm = 5000
const allWrite = 30_000
const workers = 6
const enabled = (endpoint: Hook['endpoint']) => ({ audit: true, webhooks: [endpoint] })
type Hook = Awaited<ReturnType<typeof receiver>>

interface Figures {
  requests: number
  /** Responses 503, and those of them that say that the outcome is unknown. */
  unavailable: number
  unknown: number
  /** Writes on top of another state than the client has seen, or of a title that another one took. */
  refused: number
  hangs: number
  unexpected: number
}

/** Sends requests to processes, and counts what comes of them. */
function client(t: Test, peers: readonly Peer[]) {
  const figures: Figures = { requests: 0, unavailable: 0, unknown: 0, refused: 0, hangs: 0, unexpected: 0 }

  async function send(at: number, request: PeerRequest): Promise<PeerResponse> {
    const since = performance.now()
    const [response] = await (peers[at % peers.length] as Peer).requests([request])
    if (!response) throw new Error('No response came.')
    const { status, body } = response
    figures.requests++
    if (performance.now() - since > 10_000) figures.hangs++
    if (status === 503) figures.unavailable++
    if (isUnknown(response)) figures.unknown++
    if (status === 409 || status === 412) figures.refused++
    if (![200, 201, 409, 412, 503].includes(status)) {
      figures.unexpected++
      t.fail(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`)
    }
    return response
  }

  /** What a sensible client does: repeat the request, elsewhere if possible, until it is served. */
  async function insist(at: number, request: PeerRequest): Promise<PeerResponse> {
    for (; ; await delay(100)) {
      const response = await send(at++, request)
      if (response.status !== 503 && response.body.code !== 'svc_idempotency_key_running') return response
    }
  }
  return { figures, send, insist }
}

const isUnknown = ({ body }: PeerResponse): boolean => body.data?.outcome === 'unknown'
const keyed = (id: string) => ({ 'idempotency-key': id, 'x-request-id': id })

/** What the clients were told, by the title or name that they sent. */
interface Told {
  saved: Set<string>
  /** 503 without a word about the outcome, or refused: must not be saved, then or later. */
  refused: Set<string>
  views: Set<string>
  options: Set<string>
}

interface Load {
  peers: readonly Peer[]
  product: number
  /** Categories that all workers rename. */
  contested: readonly number[]
  /** Distinguishes its writes from those of other loads. */
  name: string
}

/** Writes in many ways until it is stopped. */
function startLoad(t: Test, { peers, product, contested, name }: Load, told: Told) {
  const { figures, send, insist } = client(t, peers)

  /** One write of each kind; `id` is never used twice. */
  const writes: ((n: number, id: string) => Promise<void>)[] = [
    async function withKey(n, id) {
      const request = { method: 'POST', path: '/categories', body: { title: id }, headers: keyed(id) }
      const first = await insist(n, request)
      const again = await insist(n + 1, request)
      if (again.body.data.id !== first.body.data.id) t.fail(`two categories were made for the key ${id}`)
      told.saved.add(id)
    },
    async function once(n, id) {
      const headers = { 'x-request-id': id }
      const response = await send(n, { method: 'POST', path: '/categories', body: { title: id }, headers })
      if (response.status === 201) told.saved.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
    },
    async function viewAtAPlace(n, id) {
      const path = `/products/${product}/views`
      const body = { title: id, order: n % 4 }
      await insist(n, { method: 'POST', path, body, headers: keyed(id) })
      told.saved.add(id)
      told.views.add(id)
    },
    async function viewOnce(n, id) {
      const path = `/products/${product}/views`
      const headers = { 'x-request-id': id }
      const response = await send(n, { method: 'POST', path, body: { title: id, order: 0 }, headers })
      if (response.status === 201) told.saved.add(id) && told.views.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
    },
    async function renamed(n, id) {
      const path = `/categories/${contested[n % contested.length]}`
      const found = await insist(n, { method: 'GET', path })
      const headers = { 'if-match': String(found.etag), 'x-request-id': id }
      const request = { method: 'PATCH', path, body: { title: id }, headers }
      const response = await send(n + 1, request)
      if (response.status === 200) told.saved.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
      // The state has been left behind, or the rename is made now, for the first time.
      else if ((await insist(n + 1, request)).status === 200) told.saved.add(id)
    },
    async function mergedOptions(n, id) {
      const request = {
        method: 'PATCH',
        path: `/products/${product}`,
        body: { options: { [id]: { by: n } } },
      }
      await insist(n, request)
      told.options.add(id)
    },
  ]

  let isOver = false
  let next = 0
  const running = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = worker; !isOver; turn++) {
      const n = next++
      await writes[turn % writes.length]?.(n, `${name}-${n}`)
    }
  })
  return {
    async stop(): Promise<Figures> {
      isOver = true
      await Promise.all(running)
      return figures
    },
  }
}

async function servingAt(t: Test, addresses: readonly string[], hook: Hook): Promise<Peer[]> {
  const peers = await Promise.all(addresses.map(() => startPeer(t)))
  const serve = (peer: Peer, i: number) =>
    peer.order({ do: 'serve', database: addresses[i] as string, token, options: enabled(hook.endpoint) })
  await Promise.all(peers.map(serve))
  return peers
}

/** Whether a load or its like sent it; hosts name other requests themselves. */
const isOurs = (id: string) => id.includes('-') && !id.startsWith('req-')

const missing = (wanted: Iterable<string>, found: readonly string[]) =>
  [...wanted].filter((one) => !found.includes(one))
const repeated = (found: readonly string[]) => found.filter((one, i) => found.indexOf(one) !== i)

/** Compares rows, audit trail and events with each other and with what the clients were told. */
async function compare(t: Test, host: TestHost, hook: Hook, product: number, told: Told) {
  const { db, t: names, call, address } = host
  await eventually(async () => (await rows(host)).every(({ state }) => state === 'delivered'), 60_000)
  const categories = (await db.selectFrom(names.categories).select('title').execute()).map(
    ({ title }) => title,
  )
  const views = await db
    .selectFrom(names.views)
    .select(['title', 'view_order'])
    .where('product_id', '=', product)
    .orderBy('view_order')
    .execute()
  const titles = [...categories, ...views.map(({ title }) => title)].map(String)
  const entries = await auditEntries({ database: address, limit: 10_000 })
  t.ok(entries.length < 10_000, 'the audit trail is read as a whole')
  const audited = entries.map(({ request_id }) => request_id ?? '').filter(isOurs)
  const sent = (await rows(host)).map(({ payload }) => String(JSON.parse(payload ?? '').data.request_id))
  const events = sent.filter(isOurs)
  const delivered = hook.received.map(({ data }) => String(data.request_id))
  const renamed = entries
    .filter(({ operation }) => operation === 'update_category')
    .map(({ id, before_etag }) => `${id} ${before_etag}`)
  const { body } = await call('GET', `/products/${product}`)

  const found = {
    lost: [
      ...missing(told.saved, audited),
      ...missing(told.saved, events),
      ...missing(told.saved, delivered),
      ...missing(told.views, titles),
      ...missing(told.options, Object.keys(body.data.options)),
    ],
    doubled: [...repeated(titles), ...repeated(audited), ...repeated(events)],
    // Two writes with If-Match on top of the same state.
    overwritten: repeated(renamed),
    // Refused, and saved all the same.
    late: [...told.refused].filter((id) => audited.includes(id) || titles.includes(id)),
  }
  t.same(found, { lost: [], doubled: [], overwritten: [], late: [] })
  t.same(new Set(events), new Set(audited), 'each entry has its event')
  const known = new Set(audited)
  t.same(
    titles.filter((title) => isOurs(title) && !known.has(title)),
    [],
    'each row has its entry',
  )
  t.same(
    views.map(({ view_order }) => view_order),
    views.map((_, i) => i),
    'the orders have no gaps and no doubles',
  )
  const counts = Object.entries(found).map(([name, list]) => [name, list.length])
  return { saved: told.saved.size, ...Object.fromEntries(counts) }
}

/** Transactions that the group has rolled back because another member was faster. */
async function conflictsOf(members: readonly Member[]): Promise<number> {
  const counted = await Promise.all(
    members.map(({ query }) =>
      query(`select count_conflicts_detected as n from performance_schema.replication_group_member_stats
        where member_id = @@server_uuid`),
    ),
  )
  return counted.flat().reduce((sum, { n }) => sum + Number(n), 0)
}

/**
 * Writes to a member that has lost the others, and again when they are back.
 * @param leaves whether it leaves the group before that, and requests go to another one from then on
 */
async function withoutMajority(
  t: Test,
  { members }: Group,
  peers: Peer[],
  { told, category, leaves }: Alone,
) {
  const { figures, send, insist } = client(t, peers)
  const name = leaves ? 'left' : 'alone'
  const path = `/categories/${category}`
  const { etag } = await insist(0, { method: 'GET', path })
  const post = (title: string, headers: Record<string, string>): PeerRequest => ({
    method: 'POST',
    path: '/categories',
    body: { title },
    headers: { 'x-request-id': title, ...headers },
  })
  const withKey = post(`${name}-keyed`, { 'idempotency-key': name })
  const once = post(`${name}-once`, {})
  const headers = { 'if-match': String(etag), 'x-request-id': `${name}-renamed` }
  const rename = { method: 'PATCH', path, body: { title: `${name}-renamed` }, headers }
  const [alone, ...others] = members
  await alone.query(`set global group_replication_unreachable_majority_timeout = ${leaves ? 2 : 0}`)
  for (const other of others) other.freeze()
  // One waits for the group at its end, the others for its locks.
  const first = await Promise.all([send(0, withKey), send(0, rename), send(0, once)])
  t.same(
    first.map(({ status }) => status),
    [503, 503, 503],
  )
  if (!leaves) t.ok(first.some(isUnknown), 'what waits for the group is unknown')
  if (first[2] && !isUnknown(first[2])) told.refused.add(`${name}-once`)
  const again = await send(0, withKey)
  t.ok([409, 503].includes(again.status), 'a repeated request does not succeed before the first one is over')
  if (leaves) await eventually(async () => (await onlineFor(alone)) === 0, 60_000)
  for (const other of others) other.thaw()
  const [seen] = leaves ? others : [alone]
  const back = leaves ? 2 : 3
  await eventually(async () => (await onlineFor(seen as Member)) === back, 60_000)
  const at = leaves ? 1 : 0
  t.equal((await insist(at, withKey)).status, 201)
  // 412 where it was saved by the first request.
  t.ok([200, 412].includes((await insist(at, rename)).status))
  t.equal((await insist(at, { method: 'GET', path })).body.data.title, `${name}-renamed`)
  told.saved.add(`${name}-keyed`).add(`${name}-renamed`)
  if (leaves) await alone.rejoin()
  return figures
}

interface Alone {
  told: Told
  category: number
  leaves: boolean
}

async function onlineFor({ query }: Member): Promise<number> {
  const [row] = await query(
    `select count(*) as n from performance_schema.replication_group_members where member_state = 'ONLINE'`,
  )
  return Number(row?.n)
}

t.setTimeout(minutes(10))
t.test('processes on a group of three members lose, double and overwrite nothing', async (t) => {
  t.setTimeout(minutes(10))
  const group = await mysqlGroup(t)
  await (await group.primary()).query('create database shop character set utf8mb4')
  const hook = await receiver(t)
  const host = await build(t, { address: group.url('shop'), ...enabled(hook.endpoint) })
  const product = await newProduct(host, { title: 'Contested' })
  const contested: number[] = []
  for (const title of ['A', 'B', 'C'])
    contested.push((await host.call('POST', '/categories', { title })).body.data.id)
  const told: Told = { saved: new Set(), refused: new Set(), views: new Set(), options: new Set() }

  await t.test('while the primary dies, and while it freezes', async (t) => {
    const peers = await servingAt(t, [group.url('shop'), group.url('shop')], hook)
    const load = startLoad(t, { peers, product, contested, name: 'failover' }, told)
    await delay(calm)
    const dead = await group.primary()
    await dead.kill()
    await group.primary(dead)
    await delay(calm)
    await dead.restart()
    const frozen = await group.primary()
    frozen.freeze()
    await group.primary(frozen)
    await delay(calm)
    frozen.thaw()
    await delay(calm)
    await frozen.rejoin()
    await delay(calm)
    const figures = await load.stop()
    const result = await compare(t, host, hook, product, told)
    t.comment(JSON.stringify({ ...figures, ...result, failovers: group.changes }))
    t.match(figures, { hangs: 0, unexpected: 0 })
    t.equal(group.changes, 2)
  })

  await t.test('while all members take writes, and while the majority is lost', async (t) => {
    await (await group.primary()).query('select group_replication_switch_to_multi_primary_mode()')
    const before = await conflictsOf(group.members)
    const addresses = group.members.map(({ url }) => url('shop'))
    const peers = await servingAt(t, addresses, hook)
    const load = startLoad(t, { peers, product, contested, name: 'everywhere' }, told)
    await delay(allWrite)
    const figures = await load.stop()
    const conflicts = (await conflictsOf(group.members)) - before
    t.ok(conflicts > 0, 'members were in conflict')
    t.comment(JSON.stringify({ ...figures, ...(await compare(t, host, hook, product, told)), conflicts }))
    t.match(figures, { hangs: 0, unexpected: 0 })
    for (const leaves of [false, true]) {
      const category = contested[0] as number
      const alone = await withoutMajority(t, group, peers, { told, category, leaves })
      t.comment(JSON.stringify({ leaves, ...alone, ...(await compare(t, host, hook, product, told)) }))
      t.match(alone, { hangs: 0, unexpected: 0 })
    }
  })
})
