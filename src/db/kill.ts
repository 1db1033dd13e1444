// Ends sessions whose statement nobody waits for any more, from a second connection to the same server: otherwise they wait
// for a lock as long as the server allows, beside those that took their places in the pool.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, PoolConnection } from 'mysql2'
import { drop, firstRow, socketOf } from './mysql-statement.ts'
import { timeouts } from './timeouts.ts'

export type Killer = ReturnType<typeof killer>

interface SessionIdentity {
  id: number
  /** Milliseconds of `performance.now`. */
  seenAt: number
  /** Differs between the servers behind one host name. */
  server: string
}

const identityQuery = `select connection_id() as id, concat_ws('/', @@hostname, @@port, @@server_id, @@datadir) as server`
const uptimeQuery = `show global status like 'Uptime'`
const second = 1000
/** Milliseconds between two looks. */
const pause = 20
/** The session is gone. */
const noSuchThread = 1094

/** A killer for the connections of one pool. */
export function killer() {
  const identities = new WeakMap<PoolConnection, SessionIdentity | undefined>()
  /** One for all that are to be ended at the same time. */
  let control: Promise<Connection> | undefined
  let users = 0

  async function isGone(connection: PoolConnection, until: number): Promise<boolean> {
    const identity = identities.get(connection)
    // Behind a proxy, the session may have the id of somebody else's.
    if (identity?.id !== connection.threadId) return false
    control ??= opened(connection)
    const other = await control
    if ((await identityOf(other))?.server !== identity.server) return false
    // A server that was started anew counts its sessions from one again: the id may be somebody else's by now.
    const uptime = await uptimeOf(other)
    const age = performance.now() - identity.seenAt
    if (uptime + second < age) return true
    if (!(uptime - second > age)) return false
    for (; performance.now() < until; await delay(pause)) {
      const errno = await sent(other, `kill ${identity.id}`)
      if (errno !== 0) return errno === noSuchThread
    }
    return false
  }

  return {
    /** Call it before anything else is sent on a connection. */
    register(connection: PoolConnection): void {
      if (identities.has(connection)) return
      identities.set(connection, undefined)
      // One that is ended by the server while nothing runs on it must not end the process.
      connection.on('error', () => {})
      void identityOf(connection).then((identity) => identities.set(connection, identity))
    },

    /**
     * Ends a session, and its transaction unless that is committed. `gone` resolves to whether it is gone: false after
     * `timeouts.kill`, or if the server is out of reach. `over` resolves when nothing more is tried: on a busy machine
     * `timeouts.hold` later.
     */
    kill(connection: PoolConnection) {
      users++
      const attempt = isGone(connection, performance.now() + timeouts.hold).catch(() => false)
      const over = Promise.race([attempt, delay(timeouts.hold, false, { ref: false })]).finally(() => {
        if (--users > 0) return
        control?.then(drop, () => {})
        control = undefined
      })
      // Whoever waits for it must get it, even if nothing else keeps the process alive.
      const waiting = new AbortController()
      void over.finally(() => waiting.abort())
      const late = delay(timeouts.kill, false, { signal: waiting.signal }).catch(() => false)
      return { gone: Promise.race([over, late]), over }
    },
  }
}

/** A connection to where another one leads. mysql2 has set its configuration up already. */
async function opened({ config }: PoolConnection): Promise<Connection> {
  const { createConnection } = await import('mysql2')
  const { host, port, socketPath, localAddress, user, password, ssl } = config
  const { stream, authPlugins, enableCleartextPlugin } = config
  const address = { host, port, socketPath, localAddress, user, password, ssl, stream }
  const connection = createConnection({
    ...(address as object),
    ...(authPlugins && { authPlugins }),
    ...(enableCleartextPlugin && { enableCleartextPlugin }),
    connectTimeout: timeouts.connect,
  })
  // Its statements fail, too.
  connection.on('error', () => {})
  // Nobody waits for it after `timeouts.kill`.
  socketOf(connection).unref()
  return connection
}

interface Command {
  onResult?: (error?: unknown) => void
}

/**
 * Lets the pool end although this connection is being killed: what `end()` of a host's pool sends to it counts as done once
 * `gone` is settled, after `timeouts.kill` at the latest. Otherwise `end()` would reject or never resolve.
 */
export function partQuietly(connection: PoolConnection, gone: Promise<unknown>): void {
  const later = (command: Command) => {
    void gone.then(() => command.onResult?.())
    return command
  }
  // mysql2 has no other way: end() adds a command, behind the statement that does not end.
  const commands: { length: number; shift(): Command; push(command: Command): void } = Reflect.get(
    connection,
    '_commands',
  )
  for (let remaining = commands.length; remaining > 0; remaining--) {
    const command = commands.shift()
    if (command.constructor.name === 'Quit') later(command)
    else commands.push(command)
  }
  Reflect.set(connection, 'addCommand', later)
}

/** The first row; undefined on failure. */
const rowOf = (connection: Connection, sql: string) =>
  new Promise<object | undefined>((resolve) =>
    firstRow(connection, sql, (error, row) => resolve(error ? undefined : Object(row))),
  )

async function identityOf(connection: Connection): Promise<SessionIdentity | undefined> {
  const seenAt = performance.now()
  const row = await rowOf(connection, identityQuery)
  return row && ({ ...row, seenAt } as SessionIdentity)
}

/** Milliseconds since the server started, up to a second more or less; NaN if it does not say. */
const uptimeOf = async (connection: Connection): Promise<number> =>
  Number(Reflect.get(Object(await rowOf(connection, uptimeQuery)), 'Value') ?? Number.NaN) * second

/** Errno of the server, or of a lost connection -1; 0 on success. */
const sent = (connection: Connection, sql: string) =>
  new Promise<number>((resolve) => connection.query(sql, (error) => resolve(error ? (error.errno ?? -1) : 0)))
