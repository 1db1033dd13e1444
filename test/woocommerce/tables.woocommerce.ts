// The tables of the fixtures and of the demo shop, compared with those that WooCommerce creates.
import t from 'tap'
import { woocommerceTables } from '../../examples/host/cms-tables.ts'
import type { CmsTableName } from '../../examples/host/create-tables.ts'
import { connect } from '../../src/db/connect.ts'
import { createAgain, definitionOf } from '../support/fixtures/table-definitions.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { installWoocommerce } from '../support/wordpress/woocommerce.ts'

t.setTimeout(600_000)

t.test(
  'createStatements: the tables of WooCommerce have the columns, types, defaults and keys of real ones',
  async (t) => {
    const database = await freshDatabase(t)
    await installWoocommerce(t, database, 'orders in tables')
    const { db, close } = await connect({ database, tablePrefix: 'own_' })
    t.teardown(close)
    const names = Object.keys(woocommerceTables) as CmsTableName[]
    await createAgain(db, names, 'own_')
    for (const name of names)
      t.same(await definitionOf(db, `own_${name}`), await definitionOf(db, `wp_${name}`), name)
  },
)
