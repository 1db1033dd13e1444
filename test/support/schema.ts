// Reads a database's schema from the database itself, for tests that must see every change.
import { CompiledQuery, type Kysely } from 'kysely'
import type { Tables } from '../../src/db/tables.ts'
import type { Engine } from './build.ts'

/** The CREATE statement of every table (and index, on SQLite), by name. */
export async function schemaOf(db: Kysely<Tables>, engine: Engine): Promise<Record<string, string>> {
  const all = async <Row>(text: string) => (await db.executeQuery(CompiledQuery.raw(text))).rows as Row[]
  if (engine === 'SQLite') {
    const rows = await all<{ name: string; sql: string }>(
      `select name, sql from sqlite_master where name not like 'sqlite%' order by name`,
    )
    return Object.fromEntries(rows.map((row) => [row.name, row.sql]))
  }
  const schema: Record<string, string> = {}
  for (const row of await all<Record<string, string>>('show tables')) {
    const name = String(Object.values(row)[0])
    const [created] = await all<Record<'Create Table', string>>(`show create table \`${name}\``)
    // The next id is content, and where the file lies is of no interest: MySQL names it once a table was altered.
    schema[name] = String(created?.['Create Table']).replace(
      / AUTO_INCREMENT=\d+| \/\*!50100 TABLESPACE .*? \*\//g,
      '',
    )
  }
  return schema
}

/** Runs a test's own statements directly. */
export async function run(db: Kysely<Tables>, ...statements: string[]): Promise<void> {
  for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement))
}
