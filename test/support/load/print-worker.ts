// A process that handles one notification and kills itself at a given point, if any.
import { type DatabaseConnection, type Dialect, type Driver, Kysely } from 'kysely'
import { svcApi } from '../../../plugins/index.ts'
import { mysql2Dialect, openPool } from '../../../src/db/mysql.ts'
import { nodeSqlite } from '../../../src/db/sqlite.ts'
import type { Tables } from '../../../src/db/tables.ts'
import type { DraftItem } from '../../../src/print/providers/provider.ts'
import { Fastify } from '../hosts/fastify.ts'

export interface WorkerTask {
  address: string
  uploads: string
  tempDir: string
  /** host:port of the server of print files and of the provider. */
  trusted: string
  providerUrl: string
  /** Base URL of the provider's own API; then the adapter orders there. */
  printful?: string
  guid: string
  fileUrl: string
  /** Dies before or after the n-th query, before or after the provider's response, or after some milliseconds. */
  point?: { query?: number; provider?: true; when?: 'before' | 'after'; millis?: number }
}

const task = JSON.parse(process.argv[2] ?? '') as WorkerTask
const { point = {} } = task
const die = () => process.kill(process.pid, 'SIGKILL')
let queries = Number.NEGATIVE_INFINITY

/** Counts queries from the notification on. */
function counted(dialect: Dialect): Dialect {
  const wrap = (connection: DatabaseConnection): DatabaseConnection => ({
    async executeQuery(query) {
      const isIt = ++queries === point.query
      if (isIt && point.when === 'before') die()
      const result = await connection.executeQuery<never>(query)
      if (isIt) die()
      return result
    },
    streamQuery: (...args) => connection.streamQuery(...args),
  })
  const originals = new WeakMap<DatabaseConnection, DatabaseConnection>()
  const counting = (driver: Driver): Driver =>
    Object.assign(Object.create(driver) as Driver, {
      async acquireConnection() {
        const connection = await driver.acquireConnection()
        const facade = wrap(connection)
        originals.set(facade, connection)
        return facade
      },
      releaseConnection: (facade: DatabaseConnection) =>
        driver.releaseConnection(originals.get(facade) ?? facade),
      init: () => driver.init(),
      destroy: () => driver.destroy(),
    })
  return {
    createDriver: () => counting(dialect.createDriver()),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

const { address } = task
const dialect = address.startsWith('sqlite:')
  ? nodeSqlite(address.slice(7))
  : mysql2Dialect((await openPool(address)).pool)
const app = Fastify()
await app.register(svcApi, {
  database: new Kysely<Tables>({ dialect: counted(dialect) }),
  siteUrl: 'https://shop.example',
  uploads: { dir: task.uploads, url: 'https://shop.example/uploads' },
  printReady: { allow: [task.trusted], tempDir: task.tempDir },
  ...(task.printful === undefined
    ? {
        printProvider: {
          async upsertDraft(item: DraftItem) {
            if (point.provider && point.when === 'before') die()
            await fetch(task.providerUrl, { method: 'POST', body: JSON.stringify(item) })
            if (point.provider) die()
            return { providerOrder: `draft-${item.orderId}` }
          },
        },
      }
    : { printful: { url: task.printful } }),
})
await app.ready()
queries = 0
if (point.millis !== undefined) setTimeout(die, point.millis)
const { statusCode, payload } = await app.inject({
  method: 'POST',
  url: `/wp-json/svc-export/v1.0/print_job/${task.guid}`,
  payload: { file_url: task.fileUrl },
})
if (statusCode !== 200) console.error(payload)
process.exit(statusCode === 200 ? 0 : 1)
