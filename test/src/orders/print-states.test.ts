// Print states whose connection is lost in the COMMIT of their transaction.
import t from 'tap'
import { type Database, databaseOn } from '../../../src/db/connect.ts'
import type { Transaction } from '../../../src/db/transaction.ts'
import { printStatesOf, type StateToSet } from '../../../src/orders/print-states.ts'
import { build } from '../../support/hosts/build.ts'

t.test(
  'printStatesOf: set fails after a lost COMMIT unless state, note and content are stored',
  async (t) => {
    const host = await build(t)
    const database = await databaseOn(host.connection)
    const printed: StateToSet = { type: 'wc', id: 7, item: 3, state: 'printed', note: 'first', content: 'a' }
    await printStatesOf(database).set([printed], 'Ada')
    const set = (state: StateToSet) => printStatesOf(losingCommits(database)).set([state], 'Ada')
    await t.resolves(set(printed))
    await t.rejects(set({ ...printed, state: 'reprint' }), { message: 'The COMMIT was lost.' })
    await t.rejects(set({ ...printed, note: 'second' }), { message: 'The COMMIT was lost.' })
    await t.rejects(set({ ...printed, content: 'b' }), { message: 'The COMMIT was lost.' })
  },
)

/** The database; its transactions write nothing and lose their connection in COMMIT. */
function losingCommits(database: Database): Database {
  const transaction: Transaction = async (_work, verify) => {
    const result = undefined as never
    if (await verify?.(result)) return result
    throw new Error('The COMMIT was lost.')
  }
  return { ...database, transaction }
}
