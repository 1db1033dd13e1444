// Kills sessions of MySQL and MariaDB whose caller has stopped waiting, with KILL on a second connection to the same server.
// Otherwise abandoned sessions keep waiting for locks while replacements pile up in the pool.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection, PoolConnection } from 'mysql2'
import { membersOf } from '../core/foreign.ts'
import { drop, firstRow, socketOf } from './mysql-statement.ts'
import { timeouts } from './timeouts.ts'

export type Killer = ReturnType<typeof killer>

/** Tells a session from all others, so that KILL never hits the session of another client. */
interface SessionIdentity {
  /** The number that KILL takes. */
  id: number
  /** Milliseconds of `performance.now`. */
  seenAt: number
  /** Differs between the servers behind one host name. */
  server: string
}

const identityQuery = `select connection_id() as id, concat_ws('/', @@hostname, @@port, @@server_id, @@datadir) as server`
const uptimeQuery = `show global status like 'Uptime'`
/** Milliseconds between two KILL. */
const pause = 20
/** Error of the server: there is no session with this id (any more). */
const noSuchThread = 1094

/** A killer for the connections of one pool. */
export function killer() {
  /** Undefined until the server has returned the identity, and if it does not return one. */
  const identities = new WeakMap<PoolConnection, SessionIdentity | undefined>()
  /** The second connection, shared by all kills that run at the same time; undefined while none runs. */
  let control: Promise<Connection> | undefined
  let runningKills = 0

  /**
   * Repeats KILL until the server no longer knows the session.
   * @param until as `performance.now()`
   * @returns whether the server has ended it; false if it cannot be identified, or still exists at `until`
   */
  async function killUntilEnded(connection: PoolConnection, until: number): Promise<boolean> {
    const identity = identities.get(connection)
    // Behind a proxy, the id may be that of a session of another client.
    if (identity?.id !== connection.threadId) return false
    control ??= openControl(connection)
    const controlConnection = await control
    if ((await identityOf(controlConnection))?.server !== identity.server) return false
    // A restarted server numbers its sessions from one again: the id may be that of another client by now.
    const uptime = await uptimeOf(controlConnection)
    const age = performance.now() - identity.seenAt
    // The uptime is exact to a second. Within that second, and without an uptime (NaN), it is unknown whether it has restarted.
    const hasRestarted = uptime + 1000 < age
    if (hasRestarted) return true
    const isSameRun = uptime - 1000 > age
    if (!isSameRun) return false
    for (; performance.now() < until; await delay(pause)) {
      const errno = await errnoOfQuery(controlConnection, `kill ${identity.id}`)
      if (errno !== 0) return errno === noSuchThread
    }
    return false
  }

  return {
    /** Asks for the identity of a connection's session, once. Call it before anything else is sent on the connection. */
    register(connection: PoolConnection): void {
      if (identities.has(connection)) return
      identities.set(connection, undefined)
      // An idle connection that the server ends must not end the process.
      connection.on('error', () => {})
      void identityOf(connection).then((identity) => identities.set(connection, identity))
    },

    /**
     * Kills a session. The server rolls back its transaction, unless that is committed.
     * @returns `hasEnded` resolves to whether the server has ended the session: false after `timeouts.kill`, or if the server is
     *   out of reach; `finished` resolves when nothing more is tried, after `timeouts.hold` at the latest
     */
    kill(connection: PoolConnection) {
      runningKills++
      const attempt = killUntilEnded(connection, performance.now() + timeouts.hold).catch(() => false)
      const finished = Promise.race([attempt, delay(timeouts.hold, false, { ref: false })]).finally(() => {
        if (--runningKills > 0) return
        control?.then(drop, () => {})
        control = undefined
      })
      // Keeps the process alive until the caller has the result.
      const waiting = new AbortController()
      void finished.finally(() => waiting.abort())
      const late = delay(timeouts.kill, false, { signal: waiting.signal }).catch(() => false)
      return { hasEnded: Promise.race([finished, late]), finished }
    },
  }
}

/** Opens a second connection with the configuration of the first one, which mysql2 has completed with its defaults. */
async function openControl({ config }: PoolConnection): Promise<Connection> {
  const { createConnection } = await import('mysql2')
  const { host, port, socketPath, localAddress, user, password, ssl } = config
  const { stream, authPlugins, enableCleartextPlugin } = config
  const address = { host, port, socketPath, localAddress, user, password, ssl, stream }
  const connection = createConnection({
    // The completed configuration has properties that are undefined, which the type of the options does not allow.
    ...(address as object),
    ...(authPlugins && { authPlugins }),
    ...(enableCleartextPlugin && { enableCleartextPlugin }),
    connectTimeout: timeouts.connect,
  })
  // The statements on it report the error as well.
  connection.on('error', () => {})
  // It must not keep the process alive.
  socketOf(connection).unref()
  return connection
}

/** What mysql2 queues on a connection: a statement, or the `Quit` of `pool.end()`. */
interface Command {
  onResult?: (error?: unknown) => void
}

/** Members of a connection that the types of mysql2 do not declare. */
export interface ConnectionInternals {
  _commands: { length: number; shift(): Command; push(command: Command): void }
  addCommand(command: Command): Command
}

/**
 * Lets `end()` of the host's pool resolve although this connection is being killed: the `Quit` on this connection counts as done
 * once `hasEnded` resolves, after `timeouts.kill` at the latest. Otherwise `end()` would reject or never resolve.
 */
export function endWithKill(connection: PoolConnection, hasEnded: Promise<unknown>): void {
  const completeLater = (command: Command) => {
    void hasEnded.then(() => command.onResult?.())
    return command
  }
  // mysql2 has no other way: end() queues its command behind the statement that does not end.
  const internals = connection as unknown as ConnectionInternals
  const commands = internals._commands
  for (let remaining = commands.length; remaining > 0; remaining--) {
    const command = commands.shift()
    if (command.constructor.name === 'Quit') completeLater(command)
    else commands.push(command)
  }
  internals.addCommand = completeLater
}

/** The first row of a result; undefined on failure. */
const rowOf = (connection: Connection, sql: string) =>
  new Promise<object | undefined>((resolve) =>
    firstRow(connection, sql, (error, row) => resolve(error ? undefined : membersOf(row))),
  )

/** The identity of the session on this connection; undefined if the server does not return it. */
async function identityOf(connection: Connection): Promise<SessionIdentity | undefined> {
  const seenAt = performance.now()
  const row = await rowOf(connection, identityQuery)
  return row && ({ ...row, seenAt } as SessionIdentity)
}

/** Milliseconds since the server started, rounded to seconds; NaN on failure. */
const uptimeOf = async (connection: Connection): Promise<number> =>
  Number(membersOf(await rowOf(connection, uptimeQuery)).Value ?? Number.NaN) * 1000

/** Runs a statement. @returns the error number of the server, -1 for a lost connection, 0 on success */
const errnoOfQuery = (connection: Connection, sql: string) =>
  new Promise<number>((resolve) => connection.query(sql, (error) => resolve(error ? (error.errno ?? -1) : 0)))
