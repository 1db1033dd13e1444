// Reads the catalog of the database: the existing tables with engines, columns and keys; and compares them with the schema.
import { type Kysely, sql } from 'kysely'
import type { Dialect } from './dialects.ts'
import { type PhysicalNames, shapes, type TableName, type Tables, tableNames } from './tables.ts'

export interface ColumnLimits {
  /** Maximum number of characters; undefined if only bytes count. */
  chars?: number
  /** Maximum number of bytes. */
  bytes?: number
  /** MySQL's name of the column's charset; undefined on SQLite, which has none. */
  charset?: string
}

export interface Inspection<Name extends string = TableName> {
  /** For each existing table its engine, and its columns by lower-cased name. */
  tables: Map<Name, { engine: string | undefined; columns: Map<string, ColumnLimits> }>
}

/** Reads the catalog of the database in one statement. @param names physical names of the tables */
export async function inspect<Name extends string = TableName>(
  db: Kysely<Tables>,
  dialect: Dialect,
  names: Readonly<Record<Name, string>>,
): Promise<Inspection<Name>> {
  const nameList = sql.join(Object.values(names))
  const { rows } = await (dialect.name === 'mysql'
    ? sql<ColumnRow>`
        select t.table_name as ${sql.id('table_name')}, t.engine as ${sql.id('engine')},
          c.column_name as ${sql.id('column_name')}, c.data_type as ${sql.id('data_type')},
          c.character_maximum_length as ${sql.id('chars')}, c.character_octet_length as ${sql.id('bytes')},
          c.character_set_name as ${sql.id('charset')}
        from information_schema.tables as t
        join information_schema.columns as c on c.table_schema = t.table_schema and c.table_name = t.table_name
        where t.table_schema = database() and t.table_name in (${nameList})`
    : sql<ColumnRow>`
        select m.name as table_name, null as engine, c.name as column_name, c.type as data_type,
          null as chars, null as bytes, null as charset
        from sqlite_master as m join pragma_table_info(m.name) as c
        where m.type = 'table' and m.name in (${nameList})`
  ).execute(db)
  // Servers on case-insensitive file systems store table names in lower case.
  const tables = Object.entries(names) as [Name, string][]
  const logical = new Map(tables.map(([table, name]) => [name.toLowerCase(), table]))
  const inspection: Inspection<Name> = { tables: new Map() }
  for (const row of rows) {
    const table = logical.get(row.table_name.toLowerCase())
    if (!table) continue
    const inspected = inspection.tables.get(table) ?? { engine: row.engine ?? undefined, columns: new Map() }
    inspection.tables.set(table, inspected)
    inspected.columns.set(row.column_name.toLowerCase(), {
      ...(row.charset ? { charset: row.charset } : {}),
      ...limitsOf(row),
    })
  }
  return inspection
}

interface ColumnRow {
  table_name: string
  engine: string | null
  column_name: string
  data_type: string
  chars: number | string | null
  bytes: number | string | null
  charset: string | null
}

function limitsOf(row: ColumnRow): Pick<ColumnLimits, 'chars' | 'bytes'> {
  if (row.chars === null) return {}
  // TEXT types are limited in bytes, whatever the catalog says about characters.
  return /text|blob/i.test(row.data_type) ? { bytes: Number(row.bytes) } : { chars: Number(row.chars) }
}

/** Whether a unique key of the table, or its primary key, consists of these columns in this order. */
export async function hasUniqueKey(
  db: Kysely<Tables>,
  dialect: Dialect,
  table: string,
  columns: readonly string[],
): Promise<boolean> {
  const { rows } = await (dialect.name === 'mysql'
    ? sql<KeyPart>`select index_name as ${sql.id('key')}, column_name as ${sql.id('column')}
        from information_schema.statistics
        where table_schema = database() and table_name = ${table} and non_unique = 0
        order by index_name, seq_in_index`
    : sql<KeyPart>`select k.name as ${sql.id('key')}, c.name as ${sql.id('column')}
        from pragma_index_list(${table}) as k join pragma_index_info(k.name) as c
        where k."unique" = 1 and k.partial = 0 order by k.name, c.seqno`
  ).execute(db)
  const keys = Map.groupBy(rows, (part) => part.key)
  return [...keys.values()].some(
    (keyParts) => keyParts.map(({ column }) => column?.toLowerCase()).join() === columns.join(),
  )
}

/** A column of a unique key. */
interface KeyPart {
  key: string
  /** Null for an expression. */
  column: string | null
}

/** Names of the indexes of our tables. */
export async function indexNames(
  db: Kysely<Tables>,
  dialect: Dialect,
  names: PhysicalNames,
): Promise<Set<string>> {
  const tables = sql.join(Object.values(names))
  const { rows } = await (dialect.name === 'mysql'
    ? sql<{ name: string }>`select distinct index_name as name from information_schema.statistics
        where table_schema = database() and table_name in (${tables})`
    : sql<{ name: string }>`select name from sqlite_master where type = 'index' and tbl_name in (${tables})`
  ).execute(db)
  return new Set(rows.map((row) => row.name))
}

/** Missing tables and columns by their physical names (`table` or `table.column`), and whether migrate can create them. */
export function missingParts(
  inspection: Inspection,
  names: PhysicalNames,
): { name: string; creatable: boolean }[] {
  return tableNames.flatMap((table) => {
    const existing = inspection.tables.get(table)
    if (!existing) return shapes[table].optional ? [] : { name: names[table], creatable: true }
    return Object.entries(shapes[table].columns)
      .filter(([column]) => !existing.columns.has(column.toLowerCase()))
      .map(([column, { addable = false }]) => ({ name: `${names[table]}.${column}`, creatable: addable }))
  })
}

/** Whether the database is an SQLite file in which nothing was ever created, as one is that did not exist before. */
export async function isNewFile(db: Kysely<Tables>, dialect: Dialect): Promise<boolean> {
  if (dialect.name !== 'sqlite') return false
  const { rows } = await sql`select 1 from sqlite_master limit 1`.execute(db)
  return rows.length === 0
}

/** A table that every installation has, without its prefix. */
const landmark = 'svc_products'

/** Prefixes of other installations in the same database. */
export async function otherPrefixes(
  db: Kysely<Tables>,
  dialect: Dialect,
  { products }: PhysicalNames,
): Promise<string[]> {
  const { rows } = await (dialect.name === 'mysql'
    ? sql<{ name: string }>`select table_name as name from information_schema.tables
        where table_schema = database() and table_name like '%svc!_products' escape '!'`
    : sql<{ name: string }>`select name from sqlite_master
        where type = 'table' and name like '%svc!_products' escape '!'`
  ).execute(db)
  const names = rows.map(({ name }) => name).filter((name) => name.toLowerCase() !== products.toLowerCase())
  return names.map((name) => name.slice(0, -landmark.length)).sort()
}

/** The message for a prefix without tables, in a database with other installations. @param existing their prefixes */
export const wrongPrefix = (prefix: string, existing: readonly string[]): string =>
  `no table of an installation begins with "${prefix}"; the database holds those with ${existing.map((name) => `"${name}"`).join(', ')}. Name one of them, or call migrate() for one more installation.`
