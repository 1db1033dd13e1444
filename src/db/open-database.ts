// Opens what a host passes as `database`: a Kysely instance, a mysql2 pool, or a URL.
import { Kysely } from 'kysely'
import type { Pool } from 'mysql2'
import { assertMysqlUrl, urlFormat } from './database-url.ts'
import { hostKysely } from './host-kysely.ts'
import { corePool, mysql2Dialect, openPool } from './mysql.ts'
import type { DatabaseInput } from './options.ts'
import type { Tables } from './tables.ts'

/** An open database. `close` closes what was opened here, for a URL; a pool or Kysely instance of the host stays open. */
interface Opened {
  db: Kysely<Tables>
  close(): Promise<void>
}

/** @throws Error that begins with `database:` for a value of another kind, or a URL that cannot be opened */
export async function openDatabase(database: DatabaseInput): Promise<Opened> {
  const keepOpen = async () => {}
  if (isKysely(database)) return { db: hostKysely(database), close: keepOpen }
  const pool = corePool(database)
  if (pool) return { db: onPool(pool), close: keepOpen }
  if (typeof database === 'string') return openUrl(database)
  throw new Error('database: must be a Kysely instance, a mysql2 pool or a URL (mysql://… or sqlite:…).')
}

const onPool = (pool: Pool) => new Kysely<Tables>({ dialect: mysql2Dialect(pool) })

async function openUrl(url: string): Promise<Opened> {
  if (url.startsWith('sqlite:')) {
    const path = url.slice('sqlite:'.length)
    if (path === '')
      throw new Error('database: "sqlite:" must be followed by the path of a file, or by ":memory:".')
    const { nodeSqlite } = await import('./sqlite.ts')
    const db = new Kysely<Tables>({ dialect: nodeSqlite(path) })
    try {
      await db.connection().execute(async () => {})
      return { db, close: () => db.destroy() }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`database: "${path}" cannot be opened as an SQLite database (${reason}).`, {
        cause: error,
      })
    }
  }
  if (url.startsWith('mysql://')) {
    assertMysqlUrl(url)
    const { pool, close } = await openPool(url)
    return { db: onPool(pool), close }
  }
  // The message does not repeat the URL, which may contain a password.
  throw new Error(urlFormat)
}

function isKysely(value: unknown): value is Kysely<Tables> {
  return typeof value === 'object' && value !== null && 'withoutPlugins' in value && 'selectFrom' in value
}

/** Host and port of the server, for messages; undefined for other databases than `mysql://` URLs. */
export function serverOf(database: DatabaseInput): string | undefined {
  if (typeof database !== 'string' || !database.startsWith('mysql://')) return undefined
  const { hostname, port } = new URL(database)
  return `${hostname}:${port || 3306}`
}
