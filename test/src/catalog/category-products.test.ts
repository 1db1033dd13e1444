// The products of all categories are whole, even where the server truncates lists of ids, and lack what does not exist.
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { categoryProducts } from '../../../src/catalog/category-products.ts'
import { physicalNames, type Tables } from '../../../src/db/tables.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { freshAddress, onEachServer } from '../../support/hosts/build.ts'

t.test(
  'categoryProducts: reads lists that the server truncates again, and leaves out missing products',
  (t) =>
    onEachServer(t, async (t, engine) => {
      const uri = await freshAddress(t, engine)
      await migrate({ database: uri })
      const pool = createPool({ uri, connectionLimit: 1 })
      const db = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }) })
      t.teardown(() => db.destroy())
      const names = physicalNames('wp_')
      const ids = Array.from({ length: 50 }, (_, i) => i * 40_000 + 1)
      await db
        .insertInto(names.products)
        .values(ids.map((ID) => ({ ID, title: 'Shirt' })))
        .execute()
      const pairs = [...ids, 7, 99].map((product_id) => ({ category_id: 3, product_id }))
      await db
        .insertInto(names.category_products)
        .values([...pairs, { category_id: 4, product_id: 7 }])
        .execute()
      const wanted = new Map([
        [3, ids],
        [4, []],
      ])
      t.same(await categoryProducts({ db, t: names })(), wanted)
      // Ends within the last number.
      await pool.promise().query(`set session group_concat_max_len = ${ids.join().length + 3}`)
      t.same(await categoryProducts({ db, t: names })(), wanted)
      await pool.promise().query('set session group_concat_max_len = 4')
      t.same(await categoryProducts({ db, t: names })(), wanted)
    }),
)
