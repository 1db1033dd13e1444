// A member of a group of MySQL servers that has not got the others' data yet: it answers reads, and takes no writes.
import t from 'tap'
import { build } from '../support/hosts/build.ts'
import { isUnavailable } from '../support/hosts/faults.ts'
import { eventually } from '../support/hosts/webhooks.ts'
import { type Member, mysqlGroup } from '../support/peers/group-replication.ts'

const minutes = (count: number) => count * 60_000
t.setTimeout(minutes(5))

const recoveryUser = (user: string) =>
  `change replication source to source_user = '${user}' for channel 'group_replication_recovery'`

async function stateOf({ query }: Member): Promise<unknown> {
  const [row] = await query(
    'select member_state as state from performance_schema.replication_group_members where member_id = @@server_uuid',
  )
  return row?.state
}

t.test('POST /categories, GET /ready: 503 on a member that recovers, while reads go on', async (t) => {
  t.setTimeout(minutes(5))
  const group = await mysqlGroup(t)
  const primary = await group.primary()
  await primary.query(
    'create database shop character set utf8mb4',
    'select group_replication_switch_to_multi_primary_mode()',
  )
  const first = await build(t, { address: primary.url('shop') })
  t.equal((await first.call('POST', '/categories', { title: 'before' })).status, 201)

  const [member] = group.members.filter((other) => other !== primary) as [Member]
  await member.query('stop group_replication', recoveryUser('nobody'))
  t.equal((await first.call('POST', '/categories', { title: 'missed' })).status, 201)
  // Its donors refuse the user, and it tries again and again.
  await member.query(
    'set global group_replication_recovery_reconnect_interval = 1',
    'start group_replication',
  )
  t.equal(await stateOf(member), 'RECOVERING')

  const { call, app } = await build(t, {
    address: member.url('shop'),
    migrate: false,
    readinessPath: '/ready',
  })
  const ready = async () => (await app.inject('/ready')).statusCode
  await isUnavailable(t, () => call('POST', '/categories', { title: 'while' }), 'database-read-only')
  const titles = async () =>
    (await call('GET', '/categories')).body.data.map(({ title }: { title: string }) => title)
  t.same(await titles(), ['before'])
  t.equal(await ready(), 503)
  t.equal(await stateOf(member), 'RECOVERING')

  await member.query('stop group_replication', recoveryUser('root'), 'start group_replication')
  await eventually(async () => (await ready()) === 200, 60_000)
  t.equal((await call('POST', '/categories', { title: 'after' })).status, 201)
  t.same((await titles()).sort(), ['after', 'before', 'missed'])
})

t.test('POST /categories, GET /ready: 503 on a secondary, which is super_read_only', async (t) => {
  t.setTimeout(minutes(5))
  const group = await mysqlGroup(t)
  const primary = await group.primary()
  await primary.query('create database shop character set utf8mb4')
  await build(t, { address: group.url('shop') })
  const [secondary] = group.members.filter((other) => other !== primary) as [Member]
  const { call, app } = await build(t, {
    address: secondary.url('shop'),
    migrate: false,
    readinessPath: '/ready',
  })
  await isUnavailable(t, () => call('POST', '/categories', { title: 'while' }), 'database-read-only')
  t.equal((await call('GET', '/categories')).status, 200)
  t.equal((await app.inject('/ready')).statusCode, 503)
})
