// A database that fails from a certain statement on, passed to the API as the host's own Kysely instance.
import { type CompiledQuery, type DatabaseConnection, type Dialect, Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import type { Test } from 'tap'
import type { Tables } from '../../../src/db/tables.ts'

export const statementFaults = ['lost', 'silent', 'lost once'] as const

/**
 * `lost`: the connection breaks at this statement and at all later ones. `silent`: nothing from it on is ever responded to.
 * `lost once`: only this one fails, while all others respond late.
 */
export type StatementFault = (typeof statementFaults)[number]

/** Milliseconds of a late response. */
const late = 20

const connectionLost = () =>
  Object.assign(new Error('Connection lost: The server closed the connection.'), {
    code: 'PROTOCOL_CONNECTION_LOST',
    fatal: true,
  })

export function faultyDatabase(t: Test, address: string) {
  let fault: StatementFault | undefined
  let at = 0
  let sent = 0
  /** Ends what is not responded to, so that its connections come back. */
  const hanging: (() => void)[] = []

  async function run<R>(send: () => Promise<R>): Promise<R> {
    const number = ++sent
    const isStruck = fault === 'lost once' ? number === at : fault !== undefined && number >= at
    if (isStruck && fault === 'silent')
      return new Promise((_, reject) => hanging.push(() => reject(connectionLost())))
    if (isStruck) throw connectionLost()
    const result = await send()
    if (fault === 'lost once') await new Promise((resolve) => setTimeout(resolve, late))
    return result
  }

  const wrapped = (connection: DatabaseConnection): DatabaseConnection => ({
    executeQuery: <R>(query: CompiledQuery) => run(() => connection.executeQuery<R>(query)),
    streamQuery: () => {
      throw new Error('Nothing is streamed.')
    },
  })

  const dialect = new MysqlDialect({ pool: createPool({ uri: address, connectionLimit: 20 }) })
  const failing: Dialect = {
    createAdapter: () => dialect.createAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createDriver() {
      const driver = dialect.createDriver()
      const originals = new WeakMap<DatabaseConnection, DatabaseConnection>()
      const originalOf = (connection: DatabaseConnection) => originals.get(connection) ?? connection
      return {
        init: () => driver.init(),
        async acquireConnection() {
          const connection = await driver.acquireConnection()
          const faulty = wrapped(connection)
          originals.set(faulty, connection)
          return faulty
        },
        beginTransaction: (connection, settings) => driver.beginTransaction(originalOf(connection), settings),
        commitTransaction: (connection) => driver.commitTransaction(originalOf(connection)),
        rollbackTransaction: (connection) => driver.rollbackTransaction(originalOf(connection)),
        releaseConnection: (connection) => driver.releaseConnection(originalOf(connection)),
        destroy: () => driver.destroy(),
      }
    },
  }
  const database = new Kysely<Tables>({ dialect: failing })
  t.teardown(() => database.destroy())
  return {
    database,
    /** Sets the fault for the statement with this number from now on, counted from one. */
    suffer(next: StatementFault | undefined, number = 0): void {
      fault = next
      at = number
      sent = 0
      for (const end of hanging.splice(0)) end()
    },
    /** How many statements were sent since `suffer`. */
    get sent() {
      return sent
    },
  }
}
