// The lists of a print room.
import { type RawBuilder, sql } from 'kysely'
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { printRoom } from '../../../src/orders/print-room.ts'

import { toPrintDays, workLists } from '../../../src/orders/work-lists.ts'
import { build } from '../../support/hosts/build.ts'

t.test('workLists: what is to print was ordered in the last days by the clock of the database', async (t) => {
  const host = await build(t)
  const database = await databaseOn(host.connection)
  const lead = 400 * 86_400
  const now: RawBuilder<number> = sql`(${database.dialect.now} + ${sql.lit(lead)})`
  const times: number[] = []
  const recent = async (since: number) => {
    times.push(since)
    return { orders: [], isCut: false }
  }
  const orders = { of: () => ({ recent, designDigests: async () => new Map() }) } as never
  const room = printRoom({ ...database, dialect: { ...database.dialect, now } }, orders)
  await workLists(orders, room, async () => ['processing']).list('to_print', ['wc'])
  const days = (Date.now() / 1000 + lead - Number(times[0])) / 86_400
  t.ok(days >= toPrintDays && days < toPrintDays + 1.1, `${days} days`)
})
