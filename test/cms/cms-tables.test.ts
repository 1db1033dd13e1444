// The tables of the fixtures and of the demo shop, compared with those that a real WordPress creates; and every column that is read of
// others' tables is a column of these.
import t from 'tap'
import { wordpressTables } from '../../examples/host/cms-tables.ts'
import { type CmsTableName, cmsTableNames, cmsTables } from '../../examples/host/create-tables.ts'
import { connect } from '../../src/db/connect.ts'
import { migrateTables } from '../../src/db/migrate.ts'
import type { ForeignTables } from '../../src/orders/tables.ts'
import { createShop, row } from '../support/fixtures/shop.ts'
import { createAgain, definitionOf } from '../support/fixtures/table-definitions.ts'
import { build, freshAddress, onEachEngine, onEachServer } from '../support/hosts/build.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

/** Columns that are read of a table and that its description lacks: the type checker refuses this file unless there is none. */
type Unknown = {
  [T in keyof ForeignTables]: Exclude<keyof ForeignTables[T], keyof (typeof cmsTables)[T]['columns']>
}[keyof ForeignTables]
const isComplete: [Unknown] extends [never] ? true : Unknown = true

t.test(
  'createStatements: the tables of WordPress have the columns, types, defaults and keys of real ones',
  (t) =>
    onEachServer(t, async (t, engine) => {
      const database = await freshAddress(t, engine)
      await installWordpress(t, database)
      const connection = await connect({ database, tablePrefix: 'own_' })
      t.teardown(() => connection.close())
      const { db, dialect } = connection
      const names = Object.keys(wordpressTables) as CmsTableName[]
      await createAgain(db, names, 'own_')
      for (const name of names)
        t.same(await definitionOf(db, `own_${name}`), await definitionOf(db, `wp_${name}`), name)
      await migrateTables(db, dialect, connection.t, {})
      t.same(await definitionOf(db, 'own_options'), await definitionOf(db, 'wp_options'))
    }),
)

t.test('createStatements: every table can be created and takes a row on every engine', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await createShop(host, cmsTableNames)
    for (const name of cmsTableNames) {
      const [key = ''] = Object.keys(cmsTables[name].columns)
      await t.resolves(row(host, name, { [key]: 7 }), name)
    }
    t.ok(isComplete)
  }),
)
