// Rights, clock and SQL modes of the database, for `svc-api doctor`. No statement changes a row.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'
import type { Inspection } from './inspect.ts'
import { errnoOf } from './mysql-errors.ts'
import { databaseTime } from './time.ts'

/** A right that the database user lacks. */
export interface MissingRight {
  /** Physical name. */
  table: string
  right: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'
}

/** ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR. */
const accessDenied = [1142, 1143]

/**
 * The rights that the user of the connection lacks on existing tables: tries each right with a statement that affects no row.
 * @returns `read-only` if the server takes no writes at all
 */
export async function missingRights(
  { db, dialect, t }: Connection,
  { tables }: Inspection,
): Promise<MissingRight[] | 'read-only'> {
  const missing: MissingRight[] = []
  for (const [logicalName, { columns }] of tables) {
    const table = t[logicalName]
    const [column = ''] = columns.keys()
    const [name, value] = [sql.table(table), sql.ref(column)]
    const statements = {
      SELECT: sql`select ${value} from ${name} where 1 = 0`,
      INSERT: sql`insert into ${name} select * from ${name} where 1 = 0`,
      UPDATE: sql`update ${name} set ${value} = ${value} where 1 = 0`,
      DELETE: sql`delete from ${name} where 1 = 0`,
    }
    for (const right of ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const) {
      try {
        await statements[right].execute(db)
      } catch (error) {
        if (dialect.isReadOnly(error)) return 'read-only'
        if (!accessDenied.includes(errnoOf(error))) throw error
        missing.push({ table, right })
      }
    }
  }
  return missing
}

/** Seconds by which the clock of the database is ahead of the clock of this process; precise to one second. */
export async function clockLead(connection: Connection): Promise<number> {
  const startedAt = Date.now()
  const databaseNow = await databaseTime(connection)
  // The database has read its clock somewhere between; the middle is the best estimate.
  const middle = (startedAt + Date.now()) / 2000
  return Math.round(databaseNow - middle)
}

/** The SQL modes that new sessions get; undefined on SQLite, which has none. */
export async function sqlModes({ db, dialect }: Connection): Promise<string[] | undefined> {
  if (dialect.name === 'sqlite') return undefined
  const { rows } = await sql<{ modes: string }>`select @@global.sql_mode as ${sql.id('modes')}`.execute(db)
  return (rows[0]?.modes ?? '').split(',').filter(Boolean)
}
