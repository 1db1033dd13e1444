// Looks for orders that have become printable, and adds their items to the table of items to print. One process at a time looks, by
// a lease in an option that also says where the next look continues.

import { sql } from 'kysely'
import type { Database } from '../db/connect.ts'
import { storeProgress } from '../db/progress-row.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import type { CmsOptions } from '../settings/cms.ts'
import type { AutoPrintRules } from './auto-print-options.ts'
import type { AutoPrintRows } from './auto-print-rows.ts'
import { type Cursors, type PlaceName, printablePlaces } from './newly-printable.ts'
import { maxFound, type PrintablePlace } from './printable-place.ts'
import { orderStorage } from './tables.ts'

/** The option with the progress, as JSON. */
const progressKey = 'svc_auto_print_progress'

/** The cursor of any place; a place gets only cursors that it has made. */
type Cursor = Cursors[PlaceName]

/** Times are Unix seconds by the clock of the database. */
interface Progress {
  /** The process that looks. */
  owner: string
  /** Until this time no other process looks. */
  until: number
  /** When the last look began whose progress was stored. */
  looked: number
  /** States of shop orders for which earlier orders are left out. */
  statuses: readonly string[]
  /** Whether the shop's settings have switched it on, rather than the host. */
  isSetting: boolean
  /** A place without a cursor has not been looked at. */
  cursors: Partial<Record<PlaceName, Cursor>>
}

/** Seconds of the lease. */
const leaseSeconds = 30
/** Seconds of the lease for the first look, which records the orders that were printable before. */
const firstSeconds = 300
/** The progress is stored at least so often, in seconds. */
const storeSeconds = 10
/** Milliseconds between two thorough looks. */
const betweenThorough = 60_000
/** Statements of one look at one place; the next look continues. */
const maxRounds = 20

interface Services {
  database: Database
  cms: CmsOptions
  rows: AutoPrintRows
  /** Identifies this process. */
  owner: string
}

/** The looks of one process. */
export function autoPrintLook({ database, cms, rows, owner }: Services) {
  const { db, t, dialect } = database
  const places: Record<PlaceName, PrintablePlace<Cursor>> = printablePlaces(database)
  let thoroughAt = Number.NEGATIVE_INFINITY

  /** The progress (`stored` as text), and the database's clock. */
  async function read() {
    const { rows } = await sql<{ progress: string | null; now: number }>`
      select (select option_value from ${sql.table(t.options)} where option_name = ${progressKey}) as progress,
        ${dialect.now} as ${sql.ref('now')}`.execute(db)
    const stored = rows[0]?.progress == null ? undefined : String(rows[0].progress)
    return { stored, progress: progressIn(stored), now: Number(rows[0]?.now) }
  }

  /** Stores the progress unless another process has changed it. @returns whether it was stored */
  const save = (stored: string | undefined, progress: Progress) =>
    storeProgress(database, progressKey, stored, progress)

  /** The places of orders of these types. */
  async function placesOf({ types }: AutoPrintRules): Promise<PlaceName[]> {
    const names: PlaceName[] = []
    if (types.includes('wc')) names.push((await orderStorage(cms)).isInTables ? 'tables' : 'posts')
    if (types.includes('gf')) names.push('gf')
    if (types.includes('shortcode')) names.push('shortcode')
    return names
  }

  /** Adds the orders that were printable before the first look, or before these states became printable, so that they are not printed. */
  async function addEarlier(name: PlaceName, cursor: Cursor, statuses: readonly string[], now: number) {
    for (;;) {
      const items = await places[name].earlier({ cursor, statuses, isWhole: false, now })
      await rows.add(places[name].type, items, 'earlier')
      if (items.length < maxFound) return
    }
  }

  /** Adds the earlier orders of places and states that are looked at for the first time. @returns where the look begins */
  async function begin(
    names: readonly PlaceName[],
    { statuses }: AutoPrintRules,
    progress: Progress,
    now: number,
  ): Promise<Progress['cursors']> {
    const cursors: Progress['cursors'] = {}
    const newStatuses = statuses.filter((status) => !progress.statuses.includes(status))
    for (const name of names) {
      const cursor = progress.cursors[name] ?? (await places[name].newest(now))
      const isFirst = progress.cursors[name] === undefined
      const isOfShop = places[name].type === 'wc'
      if (isFirst || (isOfShop && newStatuses.length > 0))
        await addEarlier(name, cursor, isFirst ? statuses : newStatuses, now)
      cursors[name] = cursor
    }
    return cursors
  }

  /** Adds the items of one place. @returns where the next look continues */
  async function lookAt(
    name: PlaceName,
    cursor: Cursor,
    rules: AutoPrintRules,
    now: number,
    { isThorough }: { isThorough: boolean },
  ): Promise<Cursor> {
    const { type, newest, find } = places[name]
    // Read before the orders, so that the next look finds what is committed meanwhile.
    const next = await newest(now, cursor, { isThorough })
    const look = { cursor, statuses: rules.statuses, isWhole: rules.overrides.pages === 'sheet', now }
    for (let round = 0; round < maxRounds; round++) {
      const items = await find(look, { isThorough })
      await rows.add(type, items)
      if (items.length < maxFound) return next
    }
    return cursor
  }

  /** Adds the items of all these places. @returns where the next look continues */
  async function lookAtAll(
    names: readonly PlaceName[],
    cursors: Progress['cursors'],
    rules: AutoPrintRules,
    now: number,
  ): Promise<Progress['cursors']> {
    const isThorough = performance.now() - thoroughAt > betweenThorough
    if (isThorough) thoroughAt = performance.now()
    const next: Progress['cursors'] = {}
    for (const name of names) {
      const cursor = cursors[name]
      if (!cursor) continue
      next[name] = (await ifInstalled(() => lookAt(name, cursor, rules, now, { isThorough }))) ?? cursor
    }
    return next
  }

  /** Runs work that needs tables of the shop or of forms; undefined if these are not installed. */
  async function ifInstalled<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!dialect.isMissingTable(error)) throw error
      return undefined
    }
  }

  /** Names of the places whose tables exist. */
  async function installed(rules: AutoPrintRules, now: number): Promise<PlaceName[]> {
    const names: PlaceName[] = []
    for (const name of await placesOf(rules))
      if (await ifInstalled(() => places[name].newest(now))) names.push(name)
    return names
  }

  return {
    /**
     * Adds the items of orders that have become printable.
     * @param isSetting whether the settings, rather than the host, have switched automatic printing on
     * @param isRequested looks even if another process has the lease; then the progress stays as it is
     */
    async look(
      rules: AutoPrintRules,
      { isSetting, isRequested }: { isSetting: boolean; isRequested: boolean },
    ): Promise<void> {
      const { stored, progress, now } = await read()
      const isLeasedByOther = progress !== undefined && progress.owner !== owner && progress.until > now
      if (isLeasedByOther && !isRequested) return
      const names = await installed(rules, now)
      const { statuses } = rules
      const before: Progress = progress ?? {
        owner,
        until: now,
        looked: 0,
        statuses: [],
        isSetting,
        cursors: {},
      }
      const isBeginning =
        names.some((name) => !before.cursors[name]) ||
        statuses.some((status) => !before.statuses.includes(status))
      let storedNow = stored
      let { cursors } = before
      // Adding earlier orders may take long, so the lease begins before. Otherwise two processes may look at once when a lease has
      // ended, which does no harm: `rows.add` adds each item once.
      if (isBeginning) {
        if (isLeasedByOther) return
        const lease = { ...before, owner, until: now + firstSeconds }
        if (!(await save(stored, lease))) return
        storedNow = JSON.stringify(lease)
        cursors = await begin(names, rules, before, now)
      }
      const next = await lookAtAll(names, cursors, rules, now)
      if (isLeasedByOther) return
      const isSame = JSON.stringify(next) === JSON.stringify(before.cursors)
      const isRecent = before.owner === owner && now - before.looked < storeSeconds
      if (isSame && isRecent && !isBeginning) return
      const until = now + leaseSeconds
      await save(storedNow, { owner, until, looked: now, statuses, isSetting, cursors: next })
    },

    /** Forgets the progress if the settings have switched automatic printing off, so that it begins anew. */
    async forget(): Promise<void> {
      const { stored, progress } = await read()
      if (stored === undefined || !progress?.isSetting) return
      await db
        .deleteFrom(t.options)
        .where('option_name', '=', progressKey)
        .where(dialect.sameBytes('option_value', stored))
        .execute()
    },

    /** Lets another process look at once. */
    async release(): Promise<void> {
      const { stored, progress } = await read()
      if (progress?.owner === owner) await save(stored, { ...progress, until: 0 })
    },

    /** When the last stored look began, in Unix seconds; undefined if there was none. */
    lastLook: async () => (await read()).progress?.looked || undefined,
  }
}

/** The progress in the option; undefined if there is none or it is damaged. */
function progressIn(stored: string | undefined): Progress | undefined {
  if (stored === undefined) return undefined
  try {
    const value = fromJson(stored)
    if (!isObject(value) || !isObject(value.cursors) || !Array.isArray(value.statuses)) return undefined
    return value as unknown as Progress
  } catch {
    return undefined
  }
}
