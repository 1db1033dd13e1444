// Creates tables of the CMS and its plugins where none of these is installed, on either kind of database.
import { type CmsTable, woocommerceTables, wordpressTables } from './cms-tables.ts'
import { formTables } from './form-tables.ts'

export const cmsTables = { ...wordpressTables, ...woocommerceTables, ...formTables }

export type CmsTableName = keyof typeof cmsTables

export const cmsTableNames = Object.keys(cmsTables) as CmsTableName[]

/** The statements for a table. Those for MySQL and MariaDB need an SQL mode that takes zero dates, as the CMS sets it. */
export function createStatements(
  name: CmsTableName,
  { prefix, isSqlite }: { prefix: string; isSqlite: boolean },
): string[] {
  const table: CmsTable = cmsTables[name]
  const columns = Object.entries(table.columns)
  if (isSqlite) return sqliteStatements(prefix + name, columns, table.keys)
  const lines = [...columns.map((column) => column.join(' ')), ...table.keys]
  return [`create table \`${prefix}${name}\` (${lines.join(', ')}) engine=InnoDB default charset=utf8mb4`]
}

function sqliteStatements(
  name: string,
  columns: readonly [name: string, definition: string][],
  keys: readonly string[],
): string[] {
  const isNumbered = columns.some(([, definition]) => definition.endsWith('auto_increment'))
  const lines = columns.map(([column, definition]) =>
    definition.endsWith('auto_increment')
      ? `${column} integer primary key autoincrement`
      : `${column} ${definition.replace(' unsigned', '')}`,
  )
  const indexes = keys.flatMap((key) => {
    const [, kind = '', index = '', list = ''] = /^(UNIQUE |PRIMARY )?KEY (\w*) ?\((.+)\)$/.exec(key) ?? []
    const parts = list.replace(/\(\d+\)/g, '')
    if (kind !== 'PRIMARY ') return `create ${kind}index \`${name}_${index}\` on \`${name}\` (${parts})`
    if (!isNumbered) lines.push(`primary key (${parts})`)
    return []
  })
  return [`create table \`${name}\` (${lines.join(', ')})`, ...indexes]
}

/** Values for the columns of a table that have no default. */
export function requiredValues(name: CmsTableName): Record<string, string | number> {
  const columns = Object.entries<string>(cmsTables[name].columns).filter(([, definition]) =>
    / NOT NULL$/.test(definition),
  )
  return Object.fromEntries(
    columns.map(([column, definition]) => [
      column,
      /int/.test(definition) ? 0 : definition.startsWith('datetime') ? '1970-01-01 00:00:00' : '',
    ]),
  )
}
