// Links the print jobs of PHP to their orders, by a row of our steps table for each, so that an index finds the jobs of an order.

import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { outsideRequest } from '../core/deadline.ts'
import { turns } from '../core/turns.ts'
import { tryAgain } from '../core/unavailable.ts'
import type { Database } from '../db/connect.ts'
import { batches, idWindows } from '../db/id-windows.ts'
import { storeProgress } from '../db/progress-row.ts'
import { retried } from '../db/transaction.ts'
import { fromJson } from '../json/parse.ts'
import { type Details, linkedStep, objectOf, referenceOf } from './print-job-reads.ts'
import { flagOrders } from './stale-orders.ts'

/** The option with the progress, as JSON. */
const progressKey = 'svc_print_jobs_linked'

/**
 * All jobs up to the id `low` are linked. Those above it are looked at again, because a transaction may commit an id late;
 * `next` becomes `low` once it is older than `settling` seconds.
 */
interface Progress {
  low: number
  next: number
  at: number
}

const settlingSeconds = 600
/** Ids that are looked at again at least, and at most. */
const minWindow = 200
const maxWindow = 5000
/** Milliseconds that a request waits while jobs are linked for the first time. */
const maxWait = 2000
/** Milliseconds between two looks at the details of the newest jobs, which PHP may change. */
const betweenChecks = 900
/** Bytes of details that are read at once. */
const maxBatchBytes = 8 * 1024 * 1024

export function jobLinks(database: Database) {
  const { db, t, dialect } = database
  const steps = t.print_job_steps
  let checkedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  /** Of the newest jobs, by id. */
  let states = new Map<number, string>()

  /** The stored progress, the newest job and the database's clock. */
  async function read() {
    const { rows } = await sql<{ progress: string | null; newest: number | null; now: number }>`
      select (select option_value from ${sql.table(t.options)} where option_name = ${progressKey}) as progress,
        (select max(ID) from ${sql.table(t.print_jobs)}) as newest, ${dialect.now} as ${sql.ref('now')}`.execute(
      db,
    )
    const [row] = rows
    const stored = row?.progress == null ? undefined : String(row.progress)
    return { stored, known: progressIn(stored), last: Number(row?.newest ?? 0), now: Number(row?.now) }
  }

  const save = (stored: string | undefined, progress: Progress) =>
    storeProgress(database, progressKey, stored, progress)

  /**
   * Links the jobs with ids above `from` up to `to` that have no row of ours.
   * @param isCheck looks also at those that are linked, whose details may have changed
   */
  async function link(from: number, to: number, isCheck: boolean): Promise<void> {
    const rows = await db
      .selectFrom(`${t.print_jobs} as j`)
      .leftJoin(`${steps} as s`, 's.job_id', 'j.ID')
      .select(['j.ID as id', 's.order_ref', 's.item_id', dialect.byteLength('j.details').as('size')])
      .where('j.ID', '>', from)
      .where('j.ID', '<=', to)
      .where(({ eb, or }) =>
        or([eb('s.job_id', 'is', null), ...(isCheck ? [eb('s.step', '=', linkedStep)] : [])]),
      )
      .orderBy('j.ID')
      .execute()
    for (const batch of batches(rows, maxBatchBytes)) {
      const ids = batch.map(({ id }) => id)
      const found = await db
        .selectFrom(t.print_jobs)
        .select(['ID', 'details'])
        .where('ID', 'in', ids)
        .execute()
      const known = new Map(batch.map((row) => [row.id, row]))
      const turn = turns()
      const added: { job_id: number; order_ref: string; item_id: number; step: string }[] = []
      for (const { ID, details } of found) {
        const link = referenceOf(objectOf(details))
        const row = known.get(ID)
        if (row?.order_ref == null) added.push({ job_id: ID, ...link, step: linkedStep })
        else if (row.order_ref !== link.order_ref || Number(row.item_id) !== link.item_id)
          await updateLink(ID, link, row.order_ref)
        await turn()
      }
      if (added.length > 0) await insertLinks(added)
    }
  }

  /** Another process may have linked some of them meanwhile. */
  const insertLinks = (rows: { job_id: number; order_ref: string; item_id: number; step: string }[]) =>
    retried(dialect, async () => {
      const insert = db.insertInto(steps).values(rows)
      await (dialect.name === 'mysql' ? insert.ignore() : insert.orIgnore()).execute()
      const refs = rows.map(({ order_ref }) => order_ref)
      await flagOrders(database, db, refs)
    })

  async function updateLink(
    id: number,
    link: { order_ref: string; item_id: number },
    old: string,
  ): Promise<void> {
    const update = db.updateTable(steps).set(link).where('job_id', '=', id)
    await update.where('step', '=', linkedStep).execute()
    await flagOrders(database, db, [link.order_ref, old])
  }

  /** Marks the orders of the newest jobs whose states PHP has changed. */
  async function markChanged(from: number, to: number): Promise<void> {
    const rows = await db
      .selectFrom(`${t.print_jobs} as j`)
      .innerJoin(`${steps} as s`, 's.job_id', 'j.ID')
      .select(['j.ID as id', 'j.status', 's.order_ref', dialect.byteLength('j.data').as('size')])
      .where('j.ID', '>', from)
      .where('j.ID', '<=', to)
      .execute()
    const seen = new Map(rows.map(({ id, status, size }) => [id, `${status} ${size}`]))
    const changed = rows.filter(({ id }) => seen.get(id) !== states.get(id))
    await flagOrders(
      database,
      db,
      changed.map(({ order_ref }) => order_ref),
    )
    states = seen
  }

  /** Links all jobs in order, some at a time; processes that do so at once share the work. */
  async function linkFirst(): Promise<void> {
    for (;;) {
      const { stored, known, last, now } = await read()
      const low = known && known.low <= last ? known.low : 0
      if (last - low <= maxWindow) {
        await link(low, last, true)
        const settled = Math.max(low, last - maxWindow / 2)
        if (await save(stored, { low: settled, next: last, at: now })) return
        continue
      }
      const windows = idWindows(database, t.print_jobs, 'ID', low)
      const { value: window } = await windows.next()
      if (!window) return
      await link(window.from, window.to, true)
      await save(stored, { low: window.to, next: window.to, at: now })
    }
  }

  /** Links what is new. @throws SvcError 503 while jobs are linked for the first time, which takes a while where there are many */
  async function follow(): Promise<void> {
    const { stored, known, last, now } = await read()
    if (last === 0) return
    if (!known || known.low > last || last - known.low > maxWindow) return catchUp()
    await link(known.low, last, false)
    if (performance.now() - checkedAt > betweenChecks) {
      checkedAt = performance.now()
      await link(Math.max(0, last - minWindow), last, true)
      await markChanged(Math.max(0, last - minWindow), last)
    }
    const next = nextProgress(known, last, now)
    if (next) await save(stored, next)
  }

  async function catchUp(): Promise<void> {
    running ??= outsideRequest(linkFirst).finally(() => {
      running = undefined
    })
    // It goes on if no request waits for it any more.
    running.catch(() => {})
    const waiting = new AbortController()
    const late = delay(maxWait, 'late' as const, { signal: waiting.signal, ref: false }).catch(
      () => undefined,
    )
    try {
      if ((await Promise.race([running, late])) !== 'late') return
    } finally {
      waiting.abort()
    }
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
        await follow()
      } catch (error) {
        // PHP cannot write new jobs to such a server either.
        if (!dialect.refusesWrites(error)) throw error
      }
    },

    /** Links all jobs, and links those again whose details PHP has changed since. */
    async linkAll(): Promise<void> {
      const { known, last } = await read()
      if (last === 0) return
      if (!known || known.low > last) return linkFirst()
      for await (const { from, to } of idWindows(database, t.print_jobs, 'ID')) await link(from, to, true)
    },
  }
}

function progressIn(stored: string | undefined): Progress | undefined {
  try {
    const { low, next, at } = Object(stored === undefined ? undefined : fromJson(stored)) as Details
    const isWhole = [low, next, at].every((part) => Number.isSafeInteger(part) && Number(part) >= 0)
    return isWhole ? { low: Number(low), next: Number(next), at: Number(at) } : undefined
  } catch {
    return undefined
  }
}

/** The progress to store; undefined if it stays as it is. */
function nextProgress({ low, next, at }: Progress, last: number, now: number): Progress | undefined {
  const least = last - maxWindow / 2
  const isOld = now - at >= settlingSeconds
  const settled = Math.max(low, least, isOld ? Math.min(next, last - minWindow) : 0)
  if (settled === low && (!isOld || next === last)) return undefined
  return { low: settled, next: isOld ? last : next, at: isOld ? now : at }
}
