// Links the print jobs of PHP to their orders: each job gets a row in the steps table, so that an index finds the jobs of an order.
// PHP writes only the table of jobs. Before a lookup, jobs with new ids are therefore linked, and the newest jobs are checked for
// changes. An option row stores, for all processes, up to which id all jobs are linked.
import { sql } from 'kysely'
import { withoutDeadline } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import { membersOf } from '../core/foreign.ts'
import { turns } from '../core/turns.ts'
import { tryAgain } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { batches, idWindows } from '../db/id-windows.ts'
import { storeProgress } from '../db/progress-row.ts'
import type { NewRow } from '../db/tables.ts'
import { retried } from '../db/transaction.ts'
import { fromJson } from '../json/parse.ts'
import { objectOf, referenceOf } from './job-data.ts'
import { linkedStep } from './print-job-reads.ts'
import { flagOrders } from './stale-orders.ts'

/** The option with the progress, as JSON. */
const progressKey = 'svc_print_jobs_linked'

/** What is linked. Each look goes through all ids above `low` again, because a transaction may commit an id late. */
interface Progress {
  /** All jobs up to this id are linked. */
  low: number
  /** The newest id at the time `at`: where `low` rises to when `at` is `settlingSeconds` ago. See `nextProgress`. */
  next: number
  /** Unix seconds by the database's clock. */
  at: number
}

/** The order and item of a job, as the steps table stores them. */
type Reference = ReturnType<typeof referenceOf>

/** Seconds after which every transaction with an id is expected to have committed. */
const settlingSeconds = 600
/** So many of the newest ids are looked at again whatever their age, and are checked for changes by PHP. */
const newestIds = 200
/** More ids than these are not linked by a request that waits, but window by window, as at the first time. */
const maxNewIds = 5000
/** At most so many ids stay to be looked at again: half as many, so that as many new ones fit in before the next look. */
const maxRelookedIds = maxNewIds / 2
/** Milliseconds that a request waits while jobs are linked for the first time. */
const maxWait = 2000
/** Milliseconds between two looks at the details of the newest jobs, which PHP may change. */
const betweenChecks = 900
/** Bytes of details that are read at once. */
const maxBatchBytes = 8 * 1024 * 1024

/** The links of one database. Each instance checks the newest jobs on its own. */
export function jobLinks(database: Database) {
  const { db, t, dialect } = database
  const steps = t.print_job_steps
  /** When the newest jobs were last checked, on the clock of performance.now(). */
  let checkedAt = Number.NEGATIVE_INFINITY
  /** The linking of all jobs, while it runs; it continues without the request that started it. */
  let firstLinking: Promise<void> | undefined
  /** Status and size of the data of the newest jobs, by id, as `flagChanged` saw them last; empty before it ran. */
  let lastStates = new Map<number, string>()

  /** The stored progress (`stored` as text, `progress` parsed), the newest id and the database's clock. */
  async function readProgress() {
    const { rows } = await sql<{ progress: string | null; newest: number | null; now: number }>`
      select (select option_value from ${sql.table(t.options)} where option_name = ${progressKey}) as progress,
        (select max(ID) from ${sql.table(t.print_jobs)}) as newest, ${dialect.now} as ${sql.ref('now')}`.execute(
      db,
    )
    const [row] = rows
    const stored = row?.progress == null ? undefined : String(row.progress)
    const newest = Number(row?.newest ?? 0)
    return { stored, progress: progressIn(stored), newest, now: Number(row?.now) }
  }

  /** Stores the progress, unless another process has changed it. @returns whether it was stored */
  const save = (stored: string | undefined, progress: Progress) =>
    storeProgress(database, progressKey, stored, progress)

  /**
   * Links the jobs with ids above `from` up to `to` that have no row in the steps table.
   * @param options.withLinked whether to read also the details of those that are linked and that this API has not worked on, and
   *   correct the links of those that PHP has changed
   */
  async function linkJobs(from: number, to: number, { withLinked }: { withLinked: boolean }): Promise<void> {
    const rows = await db
      .selectFrom(`${t.print_jobs} as j`)
      .leftJoin(`${steps} as s`, 's.job_id', 'j.ID')
      .select(['j.ID as id', 's.order_ref', 's.item_id', dialect.byteLength('j.details').as('size')])
      .where('j.ID', '>', from)
      .where('j.ID', '<=', to)
      .where(({ eb, or }) =>
        or([eb('s.job_id', 'is', null), ...(withLinked ? [eb('s.step', '=', linkedStep)] : [])]),
      )
      .orderBy('j.ID')
      .execute()
    for (const batch of batches(rows, maxBatchBytes)) {
      const ids = batch.map(({ id }) => id)
      const jobs = await db
        .selectFrom(t.print_jobs)
        .select(['ID', 'details'])
        .where('ID', 'in', ids)
        .execute()
      const rowById = new Map(batch.map((row) => [row.id, row]))
      const turn = turns()
      const newLinks: NewRow<'print_job_steps'>[] = []
      for (const { ID, details } of jobs) {
        const reference = referenceOf(objectOf(details))
        const row = rowById.get(ID)
        if (row?.order_ref == null) newLinks.push({ job_id: ID, ...reference, step: linkedStep })
        else if (row.order_ref !== reference.order_ref || Number(row.item_id) !== reference.item_id)
          await updateLink(ID, reference, row.order_ref)
        await turn()
      }
      if (newLinks.length > 0) await insertLinks(newLinks)
    }
  }

  /** Inserts rows, except those that another process has inserted meanwhile. */
  const insertLinks = (rows: NewRow<'print_job_steps'>[]) =>
    retried(dialect, async () => {
      const insert = db.insertInto(steps).values(rows)
      await (dialect.name === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
      const refs = rows.map(({ order_ref = '' }) => order_ref)
      await flagOrders(database, db, refs)
    })

  /** Changes the order of a linked job. @param previousRef the order until now */
  async function updateLink(id: number, reference: Reference, previousRef: string): Promise<void> {
    const update = db.updateTable(steps).set(reference).where('job_id', '=', id)
    await update.where('step', '=', linkedStep).execute()
    await flagOrders(database, db, [reference.order_ref, previousRef])
  }

  /** Flags the orders of these jobs whose states changed since the last call; the first call flags the orders of all. */
  async function flagChanged(from: number, to: number): Promise<void> {
    const rows = await db
      .selectFrom(`${t.print_jobs} as j`)
      .innerJoin(`${steps} as s`, 's.job_id', 'j.ID')
      .select(['j.ID as id', 'j.status', 's.order_ref', dialect.byteLength('j.data').as('size')])
      .where('j.ID', '>', from)
      .where('j.ID', '<=', to)
      .execute()
    const newStates = new Map(rows.map(({ id, status, size }) => [id, `${status} ${size}`]))
    const changed = rows.filter(({ id }) => newStates.get(id) !== lastStates.get(id))
    const refs = changed.map(({ order_ref }) => order_ref)
    await flagOrders(database, db, refs)
    lastStates = newStates
  }

  /** Links all jobs above `low` in order, a window of ids at a time; processes that do so at the same time share the work. */
  async function linkFirst(): Promise<void> {
    for (;;) {
      const { stored, progress, newest, now } = await readProgress()
      const low = progress && progress.low <= newest ? progress.low : 0
      if (newest - low <= maxNewIds) {
        await linkJobs(low, newest, { withLinked: true })
        const settled = Math.max(low, newest - maxRelookedIds)
        if (await save(stored, { low: settled, next: newest, at: now })) return
        continue
      }
      const windows = idWindows(database, t.print_jobs, 'ID', { after: low })
      const { value: window } = await windows.next()
      if (!window) return
      await linkJobs(window.from, window.to, { withLinked: true })
      await save(stored, { low: window.to, next: window.to, at: now })
    }
  }

  /**
   * Links the jobs that are new, and checks the newest for changes, the latter at most every `betweenChecks`.
   * @throws SvcError 503 while very many jobs are linked, as at the first time
   */
  async function followPhp(): Promise<void> {
    const { stored, progress, newest, now } = await readProgress()
    if (newest === 0) return
    if (!progress || progress.low > newest || newest - progress.low > maxNewIds) return catchUp()
    await linkJobs(progress.low, newest, { withLinked: false })
    if (performance.now() - checkedAt > betweenChecks) {
      checkedAt = performance.now()
      const from = Math.max(0, newest - newestIds)
      await linkJobs(from, newest, { withLinked: true })
      await flagChanged(from, newest)
    }
    const next = nextProgress(progress, newest, now)
    if (next) await save(stored, next)
  }

  /** Starts the linking of all jobs, and waits for it up to `maxWait`. @throws SvcError 503 if it takes longer */
  async function catchUp(): Promise<void> {
    firstLinking ??= withoutDeadline(linkFirst).finally(() => {
      firstLinking = undefined
    })
    // A failure after the last request has stopped waiting must not end the process.
    firstLinking.catch(() => {})
    if (await endsWithin(maxWait, firstLinking)) return
    throw tryAgain({
      reason: 'print-jobs',
      message: 'The print jobs of this shop are being assigned to their orders for the first time.',
      seconds: 5,
    })
  }

  return {
    /** Call it before jobs are looked up by their orders. @throws SvcError 503 as long as jobs are linked for the first time */
    async follow(): Promise<void> {
      try {
        await followPhp()
      } catch (error) {
        // On a read-only server, PHP cannot write new jobs either.
        if (!dialect.refusesWrites(error)) throw error
      }
    },

    /** Links all jobs, and corrects the links of those whose details PHP has changed, however old they are. `migrate` calls it. */
    async linkAll(): Promise<void> {
      const { progress, newest } = await readProgress()
      if (newest === 0) return
      if (!progress || progress.low > newest) return linkFirst()
      for await (const { from, to } of idWindows(database, t.print_jobs, 'ID'))
        await linkJobs(from, to, { withLinked: true })
    },
  }
}

/** The progress in the value of the option; undefined if there is none or it is damaged. */
function progressIn(stored: string | undefined): Progress | undefined {
  try {
    const { low, next, at } = membersOf(stored === undefined ? undefined : fromJson(stored))
    return isCount(low) && isCount(next) && isCount(at) ? { low, next, at } : undefined
  } catch {
    return undefined
  }
}

/**
 * The progress after all ids above `low` were looked at; undefined if it stays as it is. `low` never falls, and rises to the higher of
 * - `next`, once that was the newest id `settlingSeconds` ago: no transaction commits a lower id any more. But not into the `newestIds`.
 * - the id below which only `maxRelookedIds` stay, however young they are, so that looks stay cheap.
 * @param now Unix seconds by the clock of the database
 */
function nextProgress({ low, next, at }: Progress, newest: number, now: number): Progress | undefined {
  const isSettled = now - at >= settlingSeconds
  const settledId = isSettled ? Math.min(next, newest - newestIds) : 0
  const newLow = Math.max(low, settledId, newest - maxRelookedIds)
  if (newLow === low && (!isSettled || next === newest)) return undefined
  return { low: newLow, next: isSettled ? newest : next, at: isSettled ? now : at }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
