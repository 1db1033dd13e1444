// Links the print jobs of PHP to their orders: each job gets a row in the steps table, so that an index finds the jobs of an order.
// PHP writes only the table of jobs. Before a lookup, jobs with new ids are therefore linked, and the newest jobs are checked.

import { sql } from 'kysely'
import { outsideRequest } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import { turns } from '../core/turns.ts'
import { tryAgain } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { batches, idWindows } from '../db/id-windows.ts'
import { storeProgress } from '../db/progress-row.ts'
import { retried } from '../db/transaction.ts'
import { fromJson } from '../json/parse.ts'
import { type Details, objectOf, referenceOf } from './job-data.ts'
import { linkedStep } from './print-job-reads.ts'
import { flagOrders } from './stale-orders.ts'

/** The option with the progress, as JSON. */
const progressKey = 'svc_print_jobs_linked'

/** What is linked. Ids above `low` are looked at again, because a transaction may commit an id late. */
interface Progress {
  /** All jobs up to this id are linked. */
  low: number
  /** The newest id at the time `at`; `low` rises to it, or to `newest - minWindow`, once `at` is `settlingSeconds` ago. */
  next: number
  /** Unix seconds by the database's clock. */
  at: number
}

/** The order and item of a job, as the steps table stores them. */
type Link = ReturnType<typeof referenceOf>

/** Seconds after which every transaction with an id is expected to have committed. */
const settlingSeconds = 600
/** At least so many of the newest ids are looked at again. */
const minWindow = 200
/** At most so many ids are looked at again. */
const maxWindow = 5000
/** Milliseconds that a request waits while jobs are linked for the first time. */
const maxWait = 2000
/** Milliseconds between two looks at the details of the newest jobs, which PHP may change. */
const betweenChecks = 900
/** Bytes of details that are read at once. */
const maxBatchBytes = 8 * 1024 * 1024

/** The links of one database. */
export function jobLinks(database: Database) {
  const { db, t, dialect } = database
  const steps = t.print_job_steps
  /** When the newest jobs were last checked, on the clock of performance.now(). */
  let checkedAt = Number.NEGATIVE_INFINITY
  /** The first linking of all jobs, while it runs; it continues without the request that started it. */
  let firstLinking: Promise<void> | undefined
  /** Status and size of the data of the newest jobs, by id, as `flagChanged` saw them last. */
  let lastStates = new Map<number, string>()

  /** The stored progress (`stored` as text, `progress` parsed), the newest id and the database's clock. */
  async function read() {
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
   * @param options.withLinked whether to read also the details of those that are linked, which PHP may have changed
   */
  async function link(from: number, to: number, { withLinked }: { withLinked: boolean }): Promise<void> {
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
      const newLinks: ({ job_id: number; step: string } & Link)[] = []
      for (const { ID, details } of jobs) {
        const link = referenceOf(objectOf(details))
        const row = rowById.get(ID)
        if (row?.order_ref == null) newLinks.push({ job_id: ID, ...link, step: linkedStep })
        else if (row.order_ref !== link.order_ref || Number(row.item_id) !== link.item_id)
          await updateLink(ID, link, row.order_ref)
        await turn()
      }
      if (newLinks.length > 0) await insertLinks(newLinks)
    }
  }

  /** Inserts rows, except those that another process has inserted meanwhile. */
  const insertLinks = (rows: ({ job_id: number; step: string } & Link)[]) =>
    retried(dialect, async () => {
      const insert = db.insertInto(steps).values(rows)
      await (dialect.name === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
      const refs = rows.map(({ order_ref }) => order_ref)
      await flagOrders(database, db, refs)
    })

  /** Changes the order of a linked job. @param previousRef the order until now */
  async function updateLink(id: number, link: Link, previousRef: string): Promise<void> {
    const update = db.updateTable(steps).set(link).where('job_id', '=', id)
    await update.where('step', '=', linkedStep).execute()
    await flagOrders(database, db, [link.order_ref, previousRef])
  }

  /** Flags the orders of the newest jobs whose states PHP has changed. */
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
    await flagOrders(
      database,
      db,
      changed.map(({ order_ref }) => order_ref),
    )
    lastStates = newStates
  }

  /** Links all jobs in order, a window of ids at a time; processes that do so at once share the work. */
  async function linkFirst(): Promise<void> {
    for (;;) {
      const { stored, progress, newest, now } = await read()
      const low = progress && progress.low <= newest ? progress.low : 0
      if (newest - low <= maxWindow) {
        await link(low, newest, { withLinked: true })
        const settled = Math.max(low, newest - maxWindow / 2)
        if (await save(stored, { low: settled, next: newest, at: now })) return
        continue
      }
      const windows = idWindows(database, t.print_jobs, 'ID', low)
      const { value: window } = await windows.next()
      if (!window) return
      await link(window.from, window.to, { withLinked: true })
      await save(stored, { low: window.to, next: window.to, at: now })
    }
  }

  /** Links the jobs that are new. @throws SvcError 503 while jobs are linked for the first time, which takes a while if there are many */
  async function followPhp(): Promise<void> {
    const { stored, progress, newest, now } = await read()
    if (newest === 0) return
    if (!progress || progress.low > newest || newest - progress.low > maxWindow) return catchUp()
    await link(progress.low, newest, { withLinked: false })
    if (performance.now() - checkedAt > betweenChecks) {
      checkedAt = performance.now()
      await link(Math.max(0, newest - minWindow), newest, { withLinked: true })
      await flagChanged(Math.max(0, newest - minWindow), newest)
    }
    const next = nextProgress(progress, newest, now)
    if (next) await save(stored, next)
  }

  /** Starts the first linking, and waits for it up to `maxWait`. @throws SvcError 503 if it takes longer */
  async function catchUp(): Promise<void> {
    firstLinking ??= outsideRequest(linkFirst).finally(() => {
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
    /** Call it before jobs are looked up by their orders. @throws SvcError 503 as long as that is not possible */
    async follow(): Promise<void> {
      try {
        await followPhp()
      } catch (error) {
        // On a read-only server, PHP cannot write new jobs either.
        if (!dialect.refusesWrites(error)) throw error
      }
    },

    /** Links all jobs, for `migrate`; those that are linked again if PHP has changed their details. */
    async linkAll(): Promise<void> {
      const { progress, newest } = await read()
      if (newest === 0) return
      if (!progress || progress.low > newest) return linkFirst()
      for await (const { from, to } of idWindows(database, t.print_jobs, 'ID'))
        await link(from, to, { withLinked: true })
    },
  }
}

/** The progress in the value of the option; undefined if there is none or it is damaged. */
function progressIn(stored: string | undefined): Progress | undefined {
  try {
    const value = Object(stored === undefined ? undefined : fromJson(stored)) as Details
    const { low, next } = value
    const isProgress = [low, next, value.at].every(
      (number) => Number.isSafeInteger(number) && Number(number) >= 0,
    )
    return isProgress ? { low: Number(low), next: Number(next), at: Number(value.at) } : undefined
  } catch {
    return undefined
  }
}

/** The progress after a look; undefined if it stays as it is. @param now Unix seconds by the clock of the database */
function nextProgress(
  { low, next, at: lastLook }: Progress,
  newest: number,
  now: number,
): Progress | undefined {
  const lowest = newest - maxWindow / 2
  const isOld = now - lastLook >= settlingSeconds
  const settled = Math.max(low, lowest, isOld ? Math.min(next, newest - minWindow) : 0)
  if (settled === low && (!isOld || next === newest)) return undefined
  return { low: settled, next: isOld ? newest : next, at: isOld ? now : lastLook }
}
