// Notes the event of a print job that has ended, with the printed order and the name of the file.
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import { fileOf, objectOf, orderOf } from './job-data.ts'
import { printFilePath } from './print-file.ts'

/** Call it in the transaction that completes or fails a job. Reads nothing if changes have no consumer. */
export async function noteEnded(
  { t, reportsChanges }: Pick<Database, 't' | 'reportsChanges'>,
  trx: WriteTransaction,
  id: number,
  action: 'completed' | 'failed',
): Promise<void> {
  if (!reportsChanges) return
  const job = trx.selectFrom(t.print_jobs).select(['details', 'data']).where('ID', '=', id)
  const { details = null, data = null } = (await job.executeTakeFirst()) ?? {}
  const order = orderOf(objectOf(details))
  const file = action === 'completed' ? printFilePath(fileOf(objectOf(data))) : null
  const print = order && {
    order_type: order.type,
    order_id: order.orderId,
    item_ids: order.itemId > 0 ? [order.itemId] : [],
    file: file?.split('/').at(-1) ?? null,
  }
  noteChange(trx, { resource: 'print_job', action, id, ...(print && { print }) })
}
