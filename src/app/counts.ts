// How many resources of each kind the tables contain.
import { sql } from 'kysely'
import { declaredGroups } from '../core/groups.ts'
import type { Database } from '../db/connect.ts'
import type { TableName } from '../db/tables.ts'
import { designCounts } from '../library/design-counts.ts'

/** Tables that are counted as a whole, by the names of their counts. */
const counted = () =>
  declaredGroups().flatMap(({ counts = {} }) => Object.entries(counts) as [string, TableName][])

/** Templates are no products, and designs are part of their category's row. */
export const rowCountNames = () => ['products', 'templates', ...counted().map(([name]) => name), 'designs']

export function countsRepository(database: Database) {
  const { db, t } = database

  async function tables(): Promise<Record<string, number>> {
    const templates = sql<number>`sum(case when type = 'template' then 1 else 0 end)`
    const selections = counted().map(
      ([name, table]) => sql`(select count(*) from ${sql.table(t[table])}) as ${sql.id(name)}`,
    )
    const { rows } = await sql<Record<string, number | string | null>>`
      select count(*) as ${sql.id('all')}, ${templates} as ${sql.id('templates')}, ${sql.join(selections)}
      from ${sql.table(t.products)}`.execute(db)
    const { all = 0, ...numbers } = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, number]) => [name, Number(number ?? 0)]),
    )
    return { ...numbers, products: all - (numbers.templates ?? 0) }
  }

  const counts = designCounts(database)

  async function designs(): Promise<number> {
    let sum = 0
    // An unreadable list counts as empty.
    for (const count of (await counts()).values()) sum += count ?? 0
    return sum
  }

  return {
    async all(): Promise<Record<string, number>> {
      const [numbers, designCount] = await Promise.all([tables(), designs()])
      return { ...numbers, designs: designCount }
    },
  }
}
