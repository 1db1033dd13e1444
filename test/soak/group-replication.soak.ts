// The guarantees between processes on three MySQL servers with Group Replication: while its primary dies or freezes, while all
// three take writes, and while the majority is lost.
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, token } from '../support/hosts/build.ts'
import type { PeerRequest } from '../support/hosts/peer.ts'
import { type Peer, startPeer } from '../support/hosts/process.ts'
import { eventually, receiver } from '../support/hosts/webhooks.ts'
import { client, compare, type Hook, isUnknown, startLoad, type Told } from '../support/load/group-load.ts'
import { type Group, type Member, mysqlGroup } from '../support/peers/group-replication.ts'

const minutes = (count: number) => count * 60_000
/** Milliseconds of load around each fault, and with all members taking writes. */
const calm = 5000
const allWrite = 30_000
const enabled = (endpoint: Hook['endpoint']) => ({ audit: true, webhooks: [endpoint] })

async function servingAt(t: Test, addresses: readonly string[], hook: Hook): Promise<Peer[]> {
  const peers = await Promise.all(addresses.map(() => startPeer(t)))
  const serve = (peer: Peer, i: number) =>
    peer.order({ do: 'serve', database: addresses[i] as string, token, options: enabled(hook.endpoint) })
  await Promise.all(peers.map(serve))
  return peers
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
  const read = { method: 'GET', path }
  const { etag } = await insist(0, read)
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
  // Those who wake up must hear each other before one expels the other for its silence.
  for (const { query } of members) await query('set global group_replication_member_expel_timeout = 5')
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
  if (leaves) {
    await eventually(async () => (await onlineFor(alone)) === 0, 60_000)
    await eventually(async () => (await send(0, read)).status === 503, 10_000)
  } else t.equal((await send(0, read)).status, 200, 'it serves reads')
  for (const other of others) other.thaw()
  const [seen] = leaves ? others : [alone]
  const back = leaves ? 2 : 3
  await eventually(async () => (await onlineFor(seen as Member)) === back, 60_000)
  const at = leaves ? 1 : 0
  t.equal((await insist(at, withKey)).status, 201)
  // 412 where it was saved by the first request.
  t.ok([200, 412].includes((await insist(at, rename)).status))
  t.equal((await insist(at, read)).body.data.title, `${name}-renamed`)
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
