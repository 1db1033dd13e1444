// Wraps the host's Kysely in our own driver, so that waits for connections and results have time limits.
import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult, sql } from 'kysely'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { acquired, driverOf } from './driver.ts'
import { withoutEscapes } from './sql-text.ts'
import type { Tables } from './tables.ts'
import { isSpent, maxResultBytes, maxWait, sequenceTimeout } from './timeouts.ts'

/** The same database with our time limits and without the host's plugins. The settings of the host's connections stay. */
export function hostKysely(host: Kysely<Tables>): Kysely<Tables> {
  const executor = host.withoutPlugins().getExecutor()
  const isMysql = sql.id('name').compile(host).sql === '`name`'

  function acquireConnection(): Promise<LeasedConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<LeasedConnection>()
    executor
      // The host's Kysely takes the connection back when this function returns.
      .provideConnection(async (connection) => {
        const leased = new LeasedConnection(connection, isMysql)
        resolve(leased)
        await leased.released
      })
      .catch(reject)
    return acquired(promise, (connection) => connection.release())
  }

  const driver = driverOf(isMysql ? 'begin' : 'begin immediate', {
    acquireConnection,
    // The connection is the one that `acquireConnection` returned.
    releaseConnection: async (connection) => (connection as LeasedConnection).release(),
  })
  return new Kysely({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => executor.adapter,
      createQueryCompiler: () => ({ compileQuery: (node, id) => executor.compileQuery(node, id) }),
      createIntrospector: () => host.introspection,
    },
  })
}

/**
 * Checks a result that is in memory already; connections of our own pool stop reading in time.
 * @throws SvcError if several rows together exceed `maxResultBytes`
 */
function assertBounded(rows: readonly unknown[]): void {
  if (rows.length < 2) return
  let size = 0
  for (const row of rows)
    for (const value of Object.values(membersOf(row)))
      if (typeof value === 'string' || value instanceof Uint8Array) size += value.length
  if (size > maxResultBytes) throw new SvcError('svc_list_too_large')
}

/** A connection of the host's Kysely, from when it is acquired until it is released. */
class LeasedConnection implements DatabaseConnection {
  /** Resolves when `release` is called. */
  readonly released: Promise<void>
  readonly release: () => void
  readonly #connection: DatabaseConnection
  readonly #isMysql: boolean
  #isDropped = false

  constructor(connection: DatabaseConnection, isMysql: boolean) {
    this.#isMysql = isMysql
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#connection = connection
    this.released = promise
    this.release = resolve
  }

  /** The driver gets nothing to escape: it knows neither the sql_mode nor the charset to which the host may change a session. */
  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#isMysql) return this.#run(query)
    return this.#run({ ...query, ...withoutEscapes(query.sql, query.parameters) })
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isDropped) throw sequenceTimeout()
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult<R>>()
    const maxMilliseconds = maxWait(query.sql)
    const timer = maxMilliseconds > 0 && setTimeout(() => reject(sequenceTimeout()), maxMilliseconds)
    this.#connection.executeQuery<R>(query).then(resolve, reject)
    try {
      const result = await promise
      assertBounded(result.rows)
      return result
    } catch (error) {
      if (isSpent(error, query.sql)) this.#drop()
      throw error
    } finally {
      if (timer) clearTimeout(timer)
    }
  }

  /**
   * Closes the connection, if the driver of the host can. Kysely's `killSession` closes it first, and then kills the session on a
   * control connection, which is left out here.
   */
  #drop(): void {
    this.#isDropped = true
    this.#connection.killSession?.(async () => {}).catch(() => {})
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported.')
  }
}
