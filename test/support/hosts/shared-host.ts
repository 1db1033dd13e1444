// Many small tests that share one host per engine, each with empty tables. `fresh-host.ts` is for tests with their own host.
import { sql } from 'kysely'
import type { Test } from 'tap'
import type { TableName } from '../../../src/db/tables.ts'
import { passSecond } from '../fixtures/clock.ts'
import { type BuildOptions, build, type Engine, onEachEngine, type TestHost } from './build.ts'

export type Rule = (name: string, run: (t: Test, host: TestHost) => Promise<void>) => Promise<unknown>

export const catalogTables: TableName[] = ['products', 'views', 'categories', 'category_products']

/** Returns a function that defines one test per rule and engine. Before each test `tables` are emptied and their ids reset. */
export function rulesOn(t: Test, tables: TableName[], options: BuildOptions = {}): Rule {
  const hosts = new Map<Engine, Promise<TestHost>>()
  function hostOn(engine: Engine): Promise<TestHost> {
    const host = hosts.get(engine) ?? build(t, { engine, ...options })
    hosts.set(engine, host)
    return host
  }
  return (name, run) =>
    t.test(name, (t) =>
      onEachEngine(t, async (t, engine) => {
        const host = await hostOn(engine)
        for (const table of tables) await empty(host, host.t[table])
        // The host remembers for a second how many rows there are.
        passSecond()
        await run(t, host)
      }),
    )
}

async function empty({ db, engine }: TestHost, table: string): Promise<void> {
  if (engine !== 'SQLite') {
    await sql`truncate table ${sql.table(table)}`.execute(db)
    return
  }
  await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
}
