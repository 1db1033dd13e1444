// Search in columns of other charsets and collations, whose own rules of case and equality must not show.
import { sql } from 'kysely'
import { connect } from '../../src/db/connect.ts'
import { migrate } from '../../src/upkeep/set-up.ts'
import { newProduct } from '../support/fixtures/rows.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

const columns = [
  'utf8mb4 collate utf8mb4_general_ci',
  'utf8mb4 collate utf8mb4_bin',
  'utf8mb4 collate utf8mb4_turkish_ci',
  'utf8mb4 collate utf8mb4_unicode_520_ci',
  'utf8mb3 collate utf8mb3_general_ci',
  'utf8mb3 collate utf8mb3_bin',
  'latin1 collate latin1_swedish_ci',
  'latin1 collate latin1_bin',
]

for (const charset of columns) {
  onServers(`search finds the same in a column of ${charset}`, async (t, engine) => {
    const address = await freshAddress(t, engine)
    await migrate({ database: address })
    const { db, t: names, close } = await connect({ database: address })
    for (const [table, column] of [
      [names.products, 'title'],
      [names.pricing_rules, 'name'],
    ] as const) {
      const [type, collation] = charset.split(' collate ')
      const definition = sql.raw(`text character set ${type} collate ${collation}`)
      await sql`alter table ${sql.table(table)} modify ${sql.ref(column)} ${definition}`.execute(db)
    }
    await close()
    const host = await build(t, { engine, address })
    for (const title of ['KIRSCH Shirt', 'kirsch cap', 'Äpfel', 'apfel', 'TITLE 100%']) {
      await newProduct(host, { title })
      await host.call('POST', '/pricing-rules', { name: title, data: {} })
    }
    for (const [term, found] of [
      ['kirsch', ['KIRSCH Shirt', 'kirsch cap']],
      ['SHIRT', ['KIRSCH Shirt']],
      ['title', ['TITLE 100%']],
      ['ÄPFEL', ['Äpfel']],
      ['APFEL', ['apfel']],
      ['0%', ['TITLE 100%']],
    ] as const) {
      const search = encodeURIComponent(term)
      const products = await host.call('GET', `/products?search=${search}&order=asc`)
      t.strictSame(
        products.body.data.map(({ title }: { title: string }) => title),
        found,
        `products: ${term}`,
      )
      const rules = await host.call('GET', `/pricing-rules?search=${search}&order_by=id`)
      t.strictSame(
        rules.body.data.map(({ name }: { name: string }) => name),
        found,
        `rules: ${term}`,
      )
    }
  })
}
