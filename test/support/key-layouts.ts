// Databases whose relation of products and categories has the keys that installations have: one for the pair, or one each.
import { type Kysely, sql } from 'kysely'
import type { Test } from 'tap'
import { connect } from '../../src/db/connect.ts'
import type { Tables } from '../../src/db/tables.ts'
import { migrate } from '../../src/upkeep/set-up.ts'
import { type Engine, freshAddress } from './build.ts'

export const keyLayouts = ['a key of the pair', 'a key for each column'] as const
type KeyLayout = (typeof keyLayouts)[number]

/** URL of a fresh database with all tables, whose relation has these keys. */
export async function addressWithKeys(t: Test, engine: Engine, layout: KeyLayout): Promise<string> {
  const address = await freshAddress(t, engine)
  await migrate({ database: address })
  if (layout === 'a key of the pair') return address
  const { db, t: names, close } = await connect({ database: address })
  const relation = sql.table(names.category_products)
  const id = engine === 'SQLite' ? sql`integer not null` : sql`bigint unsigned not null`
  await sql`drop table ${relation}`.execute(db)
  await sql`create table ${relation} (category_id ${id}, product_id ${id})`.execute(db)
  await sql`create index rel_category_id on ${relation} (category_id)`.execute(db)
  await sql`create index rel_product_id on ${relation} (product_id)`.execute(db)
  await close()
  return address
}

/** Inserts rows in statements of bounded size. */
export async function insertMany<T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly object[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += 500) {
    const chunk = rows.slice(i, i + 500)
    await db
      .insertInto(table)
      .values(chunk as never)
      .execute()
  }
}
