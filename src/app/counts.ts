// How many resources of each kind the tables contain.
import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { designCounts } from '../library/design-counts.ts'

/** Counts of whole tables. */
const counted = {
  views: 'views',
  categories: 'categories',
  design_categories: 'designs',
  pricing_rules: 'pricing_rules',
  print_profiles: 'print_profiles',
  user_interfaces: 'user_interfaces',
  shortcode_orders: 'orders',
  print_jobs: 'print_jobs',
} as const

type RowCounts = Record<'products' | 'templates' | 'designs' | keyof typeof counted, number>

export function countsRepository(database: Database) {
  const { db, t } = database

  async function tables(): Promise<Omit<RowCounts, 'designs'>> {
    const templates = sql<number>`sum(case when type = 'template' then 1 else 0 end)`
    const selections = Object.entries(counted).map(
      ([name, table]) => sql`(select count(*) from ${sql.table(t[table])}) as ${sql.id(name)}`,
    )
    const { rows } = await sql<Record<string, number | string | null>>`
      select count(*) as ${sql.id('all')}, ${templates} as ${sql.id('templates')}, ${sql.join(selections)}
      from ${sql.table(t.products)}`.execute(db)
    const { all = 0, ...numbers } = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, number]) => [name, Number(number ?? 0)]),
    )
    return { ...numbers, products: all - (numbers.templates ?? 0) } as Omit<RowCounts, 'designs'>
  }

  const counts = designCounts(database)

  async function designs(): Promise<number> {
    let sum = 0
    // An unreadable list counts as empty.
    for (const count of (await counts()).values()) sum += count ?? 0
    return sum
  }

  return {
    async all(): Promise<RowCounts> {
      const [numbers, designCount] = await Promise.all([tables(), designs()])
      return { ...numbers, designs: designCount }
    },
  }
}
