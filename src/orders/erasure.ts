// Empties the shortcode orders of a customer, together with their print jobs.
import { type Kysely, sql } from 'kysely'
import { noteChange } from '../core/change.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { idWindows } from '../db/id-windows.ts'
import { readStoredJson } from '../db/stored-json.ts'
import type { Tables } from '../db/tables.ts'
import type { WriteTransaction } from '../db/transaction.ts'
import { parseExact } from '../json/parse.ts'
import { fileOf, type JobFile, objectOf, orderOf } from '../print/job-data.ts'
import { deleteJobRows } from '../print/job-rows.ts'
import { hasEnded as isEndStatus, linkedStep } from '../print/print-job-reads.ts'
import { fileOfStep, type StepFile } from '../print/print-job-steps.ts'
import { isLikeMail, isMailOf, mentionsMail } from './customer-mail.ts'
import { type ErasedDesign, erasedDesign } from './erased-design.ts'
import { emptyValues } from './source.ts'

/** A print job of an order, with everything that says where its files are. */
export interface OrderJob {
  id: number
  hasEnded: boolean
  /** The file in the data of the job. */
  file: JobFile | undefined
  /** The file that is or was being stored for it. */
  stepFile: StepFile | undefined
  /** Id of the order at the print provider. */
  providerOrder: string | null
  /** Changes when the job gets another file. */
  signature: string
}

/**
 * What `erase` did. `gone`: there is no such order of this customer. `changed`: since the jobs were read, a job or a file was
 * added; read them again. `unreadable`: these columns cannot be read, and nothing was erased. `erased`: `pictures` are the assets
 * that its design showed.
 */
export type EraseOutcome =
  | { state: 'gone' | 'changed' }
  | { state: 'unreadable'; columns: string[] }
  | { state: 'erased'; pictures: string[] }

/** Whether an order can be erased; `design` is what is stored in place of its design, undefined if it has none. */
type OrderState =
  | { state: 'gone' }
  | { state: 'unreadable'; columns: string[] }
  | { state: 'erasable'; pictures: string[]; design: ErasedDesign | undefined }

interface EraseStep {
  id: number
  /** Ids of the order's jobs that PHP made: without a row in `svc_print_job_steps`, or with one that only links them. */
  phpJobs: readonly number[]
  /** All jobs of the order as they were read before, `retainedJobs` among them. Any other job or file ends in `changed`. */
  checkedJobs: readonly OrderJob[]
  /** The checked jobs that are not deleted, because they name files outside of the folder of print files. */
  retainedJobs: readonly OrderJob[]
}

/** The erasure of one customer, whose steps upkeep/erase-customer.ts calls. @param mail as `plainMail` returns it */
export function customerErasure(database: Database, mail: string) {
  const { db, t, dialect, encoder, transaction } = database

  /** The ids of the customer's orders, and of orders whose address is only similar; a page at a time. */
  async function* orders(): AsyncGenerator<{ ids: number[]; similar: number[] }> {
    for await (const { from, to } of idWindows(database, t.orders, 'ID')) {
      const rows = await db
        .selectFrom(t.orders)
        .select(['ID', 'customer_mail'])
        .where('ID', '>', from)
        .where('ID', '<=', to)
        .orderBy('ID')
        .execute()
      const idsOf = (isMatch: typeof isMailOf) =>
        rows.filter((row) => isMatch(mail, row.customer_mail)).map(({ ID }) => ID)
      yield { ids: idsOf(isMailOf), similar: idsOf(isLikeMail) }
    }
  }

  /**
   * All print jobs that PHP made, with the reference of their order, such as `wc:7`, from their details, and whether the details
   * contain the address.
   */
  async function* phpJobs(): AsyncGenerator<{
    id: number
    order: string | undefined
    mentions: boolean
  }> {
    for await (const { from, to } of idWindows(database, t.print_jobs, 'ID')) {
      for (let after = from; after < to; ) {
        const rows = await db
          .selectFrom(`${t.print_jobs} as j`)
          .leftJoin(`${t.print_job_steps} as s`, 's.job_id', 'j.ID')
          .select(['j.ID', 'j.details'])
          .where(({ eb, or }) => or([eb('s.job_id', 'is', null), eb('s.step', '=', linkedStep)]))
          .where('j.ID', '>', after)
          .where('j.ID', '<=', to)
          .orderBy('j.ID')
          .limit(100)
          .execute()
        for (const { ID: id, details } of rows) {
          const order = orderOf(objectOf(details))
          const type = order?.type === 'sc' ? 'shortcode' : order?.type
          yield { id, order: order && `${type}:${order.orderId}`, mentions: mentionsMail(mail, details) }
        }
        after = rows.at(-1)?.ID ?? to
      }
    }
  }

  /** The print jobs of an order: those that name it, and those of PHP. */
  async function readJobs(
    id: number,
    phpJobIds: readonly number[],
    executor: Kysely<Tables> = db,
  ): Promise<OrderJob[]> {
    const jobs = () =>
      executor
        .selectFrom(`${t.print_jobs} as j`)
        .leftJoin(`${t.print_job_steps} as s`, 's.job_id', 'j.ID')
        .select(['j.ID', 'j.status', 'j.data', 's.file', 's.storage', 's.location', 's.provider_order'])
    const rows = await jobs()
      .where('s.order_ref', 'in', [`shortcode:${id}`, `sc:${id}`])
      .execute()
    if (phpJobIds.length > 0)
      rows.push(
        ...(await jobs()
          .where('j.ID', 'in', [...phpJobIds])
          .execute()),
      )
    const unique = new Map(rows.map((row) => [row.ID, row]))
    return [...unique.values()].map(({ ID, status, data, provider_order, ...step }) => ({
      id: ID,
      hasEnded: isEndStatus(status),
      file: fileOf(objectOf(data)),
      stepFile: fileOfStep(step),
      providerOrder: provider_order,
      signature: JSON.stringify([data && String(data), step.file, step.storage, step.location]),
    }))
  }

  /** The row of an order. In a transaction it is locked, because PHP writes it without our guard. */
  const readRow = (id: number, trx: Kysely<Tables> | undefined) =>
    (trx ?? db)
      .selectFrom(t.orders)
      .select(['customer_mail', 'views', 'print_order'])
      .where('ID', '=', id)
      .$if(trx !== undefined && dialect.locksRows, (query) => query.forUpdate())
      .executeTakeFirst()

  /** Whether an order can be erased; with the design that would be stored. Writes nothing. */
  async function inspect(id: number, trx?: Kysely<Tables>): Promise<OrderState> {
    const row = await readRow(id, trx)
    if (!row || !isMailOf(mail, row.customer_mail)) return { state: 'gone' }
    const views = String(row.views ?? '')
    const hasDesign = !emptyValues.includes(views.trim())
    const design = hasDesign ? erasedDesign(views) : undefined
    const isPrintOrderReadable = readStoredJson(row.print_order, '{}') !== undefined
    const unreadable = [
      ...(hasDesign && !design ? ['views'] : []),
      ...(isPrintOrderReadable ? [] : ['print_order']),
    ]
    if (unreadable.length > 0) return { state: 'unreadable', columns: unreadable }
    return { state: 'erasable', pictures: design?.pictures ?? [], design }
  }

  /** Deletes jobs, running ones, too: the process that makes the file then misses its job, and removes the file. */
  async function removeJobs(trx: WriteTransaction, ids: readonly number[]): Promise<void> {
    await deleteJobRows(database, trx, ids)
    for (const id of ids) noteChange(trx, { resource: 'print_job', action: 'deleted', id })
  }

  /** Writes the emptied order and deletes its jobs, unless a job or file was added since `checkedJobs` were read. */
  function erase({ id, phpJobs: phpJobIds, checkedJobs, retainedJobs }: EraseStep): Promise<EraseOutcome> {
    return transaction(
      async (trx) => {
        await guard(database, trx, 'orders')
        await guard(database, trx, 'print_orders')
        const order = await inspect(id, trx)
        if (order.state !== 'erasable') return order
        const jobs = await readJobs(id, phpJobIds, trx)
        const signatures = new Map(checkedJobs.map((job) => [job.id, job.signature]))
        if (jobs.some((job) => signatures.get(job.id) !== job.signature)) return { state: 'changed' }
        const retainedIds = new Set(retainedJobs.map((job) => job.id))
        const removableIds = jobs.map((job) => job.id).filter((jobId) => !retainedIds.has(jobId))
        await removeJobs(trx, removableIds)
        const { design, pictures } = order
        const views = design && encoder.json('orders', 'views', 'views', parseExact(design.json))
        await trx
          .updateTable(t.orders)
          .set({
            customer_name: '',
            customer_mail: '',
            print_order: null,
            // Legacy tables may set it to the time of each change.
            created_date: sql<string>`created_date`,
            ...(views !== undefined && { views }),
          })
          .where('ID', '=', id)
          .execute()
        // The index contains the name of the customer, and nothing else would correct it.
        await trx
          .deleteFrom(t.order_index)
          .where('source', '=', 'shortcode')
          .where('order_id', '=', id)
          .execute()
        noteChange(trx, { resource: 'shortcode_order', action: 'updated', id })
        return { state: 'erased', pictures }
      },
      async ({ state }) => state !== 'erased' || (await inspect(id)).state === 'gone',
    )
  }

  return { orders, phpJobs, readJobs, inspect, erase }
}
