// Assignments of products to categories, of more ids than one statement takes.
import t from 'tap'
import { assignments } from '../../../src/catalog/assignments.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

t.test('assignments.setProducts: thousands of products, each once, or none if one does not exist', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const database = await databaseOn(host.connection)
    const relation = assignments(database)
    const ids = Array.from({ length: 2345 }, (_, index) => index + 1)
    for (const start of [0, 1000, 2000])
      await host.db
        .insertInto(host.t.products)
        .values(ids.slice(start, start + 1000).map((ID) => ({ ID, title: 'Shirt' })))
        .execute()
    const set = (productIds: number[]) =>
      database.transaction((trx) => relation.setProducts(trx, 3, productIds))
    const stored = async () => {
      const rows = await host.db
        .selectFrom(host.t.category_products)
        .select('product_id')
        .where('category_id', '=', 3)
        .execute()
      return rows.map(({ product_id }) => Number(product_id)).sort((a, b) => a - b)
    }
    await set([...ids, 7])
    t.same(await stored(), ids)
    await t.rejects(set([...ids, 4711]), { statusCode: 400, message: /4711/ })
    t.same(await stored(), ids)
  }),
)
