// Writes tables of the CMS, which the API only reads, into the host's own database of either kind.
import { DatabaseSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import { type CmsTableName, createStatements, requiredValues } from './create-tables.ts'

type Values = Record<string, string | number>

/** One connection in one transaction, of which a server takes out the creation of tables. */
interface Session {
  isSqlite: boolean
  execute(text: string, values?: (string | number)[]): Promise<{ id: number; hasRows: boolean }>
  close(): Promise<void>
}

function sqliteSession(file: string): Session {
  const db = new DatabaseSync(file, { timeout: 5000 })
  return {
    isSqlite: true,
    async execute(text, values = []) {
      const statement = db.prepare(text)
      if (/^select/.test(text)) return { id: 0, hasRows: statement.get(...values) !== undefined }
      return { id: Number(statement.run(...values).lastInsertRowid), hasRows: false }
    },
    close: async () => db.close(),
  }
}

async function serverSession(uri: string): Promise<Session> {
  const connection = await createConnection({ uri, charset: 'utf8mb4' })
  // The mode in which the CMS works: its tables have zero dates as defaults.
  await connection.query("set session sql_mode = ''")
  return {
    isSqlite: false,
    async execute(text, values = []) {
      const [result] = await connection.query(text, values)
      return {
        id: Number(Reflect.get(result, 'insertId')),
        hasRows: Array.isArray(result) && result.length > 0,
      }
    },
    close: () => connection.end(),
  }
}

/** @param address `sqlite:` with a path, or `mysql://` */
export async function openShop(address: string, prefix: string) {
  const file = /^sqlite:(.*)/s.exec(address)?.[1]
  const session = file === undefined ? await serverSession(address) : sqliteSession(file)
  const { isSqlite, execute } = session
  const schema = isSqlite
    ? 'select 1 from sqlite_schema where name = ?'
    : 'select 1 from information_schema.tables where table_schema = database() and table_name = ?'
  return {
    /** Whether the database has one of these tables. */
    async hasAny(names: readonly CmsTableName[]): Promise<boolean> {
      const found = await Promise.all(names.map((name) => execute(schema, [prefix + name])))
      return found.some(({ hasRows }) => hasRows)
    },

    /** Creates the tables, and begins the transaction. */
    async create(names: readonly CmsTableName[]): Promise<void> {
      if (isSqlite) await execute('begin immediate')
      for (const name of names)
        for (const statement of createStatements(name, { prefix, isSqlite })) await execute(statement)
      if (!isSqlite) await execute('begin')
    },

    /** Inserts rows with the same columns. @returns the id of a single one */
    async insert(name: CmsTableName, ...rows: Values[]): Promise<number> {
      const all = rows.map((values): Values => ({ ...requiredValues(name), ...values }))
      const columns = Object.keys(all[0] ?? {})
      const places = `(${columns.map(() => '?').join()})`
      const text = `insert into \`${prefix}${name}\` (${columns.join()}) values ${all.map(() => places).join()}`
      return (
        await execute(
          text,
          all.flatMap((values) => Object.values(values)),
        )
      ).id
    },

    commit: () => execute('commit'),
    close: session.close,
  }
}

export type ShopDatabase = Awaited<ReturnType<typeof openShop>>
