/**
 * Starts a real group for soak tests: three MySQL servers with Group Replication on loopback, which can be killed, frozen and
 * started again, and a port that leads to its primary.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'
import { reset } from '../hostile/chaos-proxy.ts'
import { startMysql } from './mysql.ts'

export interface Member {
  port: number
  /** The mysql:// URL of `database` for an ordinary user, whom the group sends away from a member that has failed. */
  url(database: string): string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it again after `kill`; resolves once it has the others' data. */
  restart(): Promise<void>
  /** Lets it join again that was expelled; resolves once it has the others' data. */
  rejoin(): Promise<void>
  /** Stops and continues its process: it keeps its connections, and takes part in nothing. */
  freeze(): void
  thaw(): void
  /** Runs statements as root, and returns the rows of the last one. */
  query(...statements: string[]): Promise<RowDataPacket[]>
}

export interface Group {
  members: [Member, Member, Member]
  /** The mysql:// URL of `database` on the primary, whichever it is, as a router finds it. */
  url(database: string): string
  /** Resolves with a member that is the primary, other than `former`. */
  primary(former?: Member): Promise<Member>
  /** How often the router has changed to another member. */
  readonly changes: number
}

const user = 'shop'
/** Ceiling for what a group does by itself, such as electing a primary. It only prevents hangs. */
const patience = 90_000

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + patience
  for (;;) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`The group takes too long: ${what}.`)
    await delay(100)
  }
}

/** A group with one primary, which is stopped with the test. */
export async function mysqlGroup(t: Test): Promise<Group> {
  const name = randomUUID()
  const base = randomInt(20_000, 32_000)
  const talks = [0, 1, 2].map((number) => `127.0.0.1:${base + number}`)
  const members = (await Promise.all([0, 1, 2].map((number) => member(t, number, name, talks)))) as [
    Awaited<ReturnType<typeof member>>,
    Awaited<ReturnType<typeof member>>,
    Awaited<ReturnType<typeof member>>,
  ]
  await members[0].query(
    'set global group_replication_bootstrap_group = on',
    'start group_replication',
    'set global group_replication_bootstrap_group = off',
    `create user ${user}@127.0.0.1`,
    `grant all on shop.* to ${user}@127.0.0.1`,
  )
  for (const other of members.slice(1)) await other.rejoin()
  const router = await primaryRouter(t, members)
  return Object.assign(router, { members })
}

/** A connection whose server may be killed while nothing runs on it. */
async function opened(uri: string): Promise<Connection> {
  const connection = await createConnection({ uri, connectTimeout: 1000 })
  connection.on('error', () => {})
  return connection
}

async function member(t: Test, number: number, name: string, talks: readonly string[]): Promise<Member> {
  const server = await startMysql({
    flags: [
      `--server-id=${number + 1}`,
      '--report-host=127.0.0.1',
      '--plugin-load-add=group_replication.so',
      // Tells who is a member.
      '--performance-schema=ON',
      // What a killed server has acknowledged to the group must be there when it starts again.
      '--innodb-flush-log-at-trx-commit=2',
      `--loose-group-replication-group-name=${name}`,
      `--loose-group-replication-local-address=${talks[number]}`,
      `--loose-group-replication-group-seeds=${talks.join()}`,
      '--loose-group-replication-start-on-boot=OFF',
      '--loose-group-replication-recovery-get-public-key=ON',
      '--loose-group-replication-communication-stack=XCOM',
      '--loose-group-replication-ip-allowlist=127.0.0.1',
      // A dead member is expelled after five seconds; the default are ten.
      '--loose-group-replication-member-expel-timeout=0',
      '--loose-group-replication-autorejoin-tries=0',
      '--loose-group-replication-exit-state-action=OFFLINE_MODE',
      '--loose-group-replication-consistency=BEFORE_ON_PRIMARY_FAILOVER',
    ],
  })
  t.teardown(() => {
    thaw()
    return server.stop()
  })
  let control: Connection | undefined

  async function query(...statements: string[]): Promise<RowDataPacket[]> {
    let rows: RowDataPacket[] = []
    try {
      control ??= await opened(server.url())
      for (const statement of statements) [rows] = await control.query<RowDataPacket[]>(statement)
    } catch (error) {
      control?.destroy()
      control = undefined
      throw error
    }
    return rows
  }

  async function rejoin(): Promise<void> {
    await query('stop group_replication', 'set global offline_mode = off', 'start group_replication')
    await until('a member does not join', async () => {
      const [row] = await query(
        `select 1 from performance_schema.replication_group_members
          where member_id = @@server_uuid and member_state = 'ONLINE'`,
      )
      return row
    })
  }

  const thaw = () => void process.kill(server.pid, 'SIGCONT')

  // What the installation has written is no transaction of the group.
  await query('reset binary logs and gtids')
  await query(`change replication source to source_user = 'root' for channel 'group_replication_recovery'`)
  return {
    port: server.port,
    url: (database) => `mysql://${user}@127.0.0.1:${server.port}/${database}`,
    kill: () => server.kill(),
    async restart() {
      await server.restart()
      await rejoin()
    },
    rejoin,
    freeze: () => void process.kill(server.pid, 'SIGSTOP'),
    thaw,
    query,
  }
}

/** Leads to the primary, and closes the connections to a former one as soon as there is another. */
async function primaryRouter(t: Test, members: readonly Member[]): Promise<Omit<Group, 'members'>> {
  const links = new Set<Socket>()
  let current: Member | undefined
  let changes = 0

  const listener = createServer((client) => {
    if (!current) return void reset(client)
    const server = dial({ host: '127.0.0.1', port: current.port })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      links.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        links.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })

  /** The primary in the eyes of a member that sees a majority. */
  async function primaryFor(asked: Member): Promise<Member | undefined> {
    const rows = await Promise.race([
      asked.query(
        'select member_port as port, member_state as state, member_role as role from performance_schema.replication_group_members',
      ),
      delay(500, []),
    ])
    const online = rows.filter(({ state }) => state === 'ONLINE')
    const isPrimary = (one: Member) =>
      online.some(({ port, role }) => port === one.port && role === 'PRIMARY')
    if (online.length * 2 <= rows.length) return undefined
    // Where all are primaries, it stays.
    return current && isPrimary(current) ? current : members.find(isPrimary)
  }

  async function look(): Promise<void> {
    const seen = await Promise.all(members.map((asked) => primaryFor(asked).catch(() => undefined)))
    const votes = (one: Member | undefined) => seen.filter((other) => other === one).length
    // A frozen primary believes in itself when it wakes up.
    const elected = seen.filter((one) => one !== undefined).toSorted((a, b) => votes(b) - votes(a))[0]
    if (!elected || elected === current) return
    if (current) changes++
    current = elected
    for (const socket of links) reset(socket)
  }

  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  let isOver = false
  const watch = (async () => {
    for (; !isOver; await delay(200)) await look()
  })()
  t.teardown(async () => {
    isOver = true
    await watch
    for (const socket of links) socket.destroy()
    await new Promise<void>((resolve) => listener.close(() => resolve()))
  })
  return {
    url: (database) => `mysql://${user}@127.0.0.1:${port}/${database}`,
    primary: (former) => until('no primary', async () => (current === former ? undefined : current)),
    get changes() {
      return changes
    },
  }
}
