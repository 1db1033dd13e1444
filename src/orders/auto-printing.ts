// Automatic printing: looks every few seconds for orders that have become printable, and prints their items one after the other.
// On by the host (`autoPrint` is true or has rules): it begins when the server starts, and the settings do not count. On by the
// settings (the host leaves `autoPrint` out): it reads them before each look, and begins after the first interval. Off by the host
// (`autoPrint: false`): nothing runs. Off by the settings: it reads them every 30 seconds and forgets the progress of earlier looks,
// so that orders which become printable while it is off are not printed later.
import { randomUUID } from 'node:crypto'
import { reportingAs } from '../core/change.ts'
import { outsideRequests } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import type { Database } from '../db/connect.ts'
import { isoTime } from '../db/time.ts'
import { jobOverview } from '../print/job-overview.ts'
import type { CmsOptions } from '../settings/cms.ts'
import { type PrintingItems, printItem } from './auto-print-item.ts'
import { autoPrintLook } from './auto-print-look.ts'
import { autoPrintLoop } from './auto-print-loop.ts'
import { type AutoPrintOption, type AutoPrintRules, autoPrintRules } from './auto-print-options.ts'
import { autoPrintRows } from './auto-print-rows.ts'
import { isPrintable } from './printable.ts'
import type { OrderType } from './source.ts'

interface Services extends Omit<PrintingItems, 'rows' | 'jobs'> {
  database: Database
  cms: CmsOptions
  /** The host's option; undefined if the settings decide. */
  option: AutoPrintOption | undefined
  /** The printable states, if the host names them. */
  statuses: readonly string[] | undefined
  /** How many items are printed at the same time. */
  atOnce: number
}

/** Milliseconds between two looks. */
const lookInterval = 5000
/** Milliseconds between two reads of the settings while automatic printing is off. */
const offInterval = 30_000
/** The pause after a look, as a multiple of its duration, so that looks do not keep the database of a large shop busy. */
const pauseFactor = 5
/** Milliseconds for attempts to end when the server closes. */
const closeTime = 5000

/** The automatic printing of one process: `start` begins to look for orders, `stop` and `close` end it. */
export function autoPrinting(services: Services) {
  const { database, cms, option, statuses, options, atOnce, warn } = services
  const owner = randomUUID()
  const rows = autoPrintRows(database)
  const looks = autoPrintLook({ database, cms, rows, owner })
  const printing: PrintingItems = { ...services, rows, jobs: jobOverview(database) }
  const hasTable = database.tables.has('auto_prints')
  const loop = autoPrintLoop(work, warn)
  /** Whether `now` requested a look before it is due. */
  let isRequested = false
  /** When the next look is due, on the clock of performance.now(). */
  let nextLook = 0
  /** Calls `tick` at every `lookInterval`. */
  let timer: NodeJS.Timeout | undefined

  /** The current rules; undefined while automatic printing is off. */
  const rulesNow = async () =>
    hasTable || option !== undefined ? autoPrintRules(option, statuses, options) : undefined

  /** Prints one item after the other, until none is due, or none can be printed at the moment (`isBusy`). */
  async function printNext(rules: AutoPrintRules): Promise<void> {
    while (!loop.isStopped()) {
      const item = await rows.take(randomUUID())
      if (!item) return
      const { isBusy, job } = await printItem(printing, rules, item)
      if (isBusy) return
      await job?.work
    }
  }

  /** One run of the loop: looks if a look is due, and prints the items that wait. */
  async function work(): Promise<void> {
    const rules = await rulesNow()
    const now = performance.now()
    if (!rules) {
      nextLook = now + offInterval
      // Without its progress the next look begins anew: it records orders that became printable meanwhile as earlier ones.
      if (hasTable && option === undefined) await looks.forget()
      return
    }
    if (isRequested || now >= nextLook) {
      const request = { isSetting: option === undefined, isRequested }
      isRequested = false
      await looks.look(rules, request)
      nextLook = performance.now() + pauseFactor * (performance.now() - now)
    }
    await Promise.all(Array.from({ length: atOnce }, () => printNext(rules)))
  }

  /** Begins a run. If the settings decide, only when the next look is due, so that they are read less often. */
  function tick(): void {
    if (option === undefined && performance.now() < nextLook) return
    loop.run()
  }

  /** Adds an order that was created in this process, as a whole: its type has no items. Then begins a run. */
  async function addArrived(type: OrderType, orderId: number): Promise<void> {
    const rules = await rulesNow()
    if (!rules?.types.includes(type)) return
    await reportingAs('auto_print', () => rows.add(type, [{ orderId, itemId: 0 }]))
    loop.run()
  }

  return {
    /** Begins to look. If the settings decide, the first look comes after the interval, so that short-lived processes do not look. */
    start(): void {
      if (option === false || !hasTable) return
      timer = setInterval(tick, lookInterval).unref()
      if (option !== undefined) loop.run()
    },

    /** Call it when an order without items was created in this process: it is printed at once. If that fails, the next look finds it. */
    arrived(type: OrderType, orderId: number): void {
      if (option === false || !hasTable || loop.isStopped()) return
      outsideRequests(() => addArrived(type, orderId)).catch((error) =>
        warn({ err: error }, 'A new order could not be printed at once.'),
      )
    },

    /** Looks now, and resolves when no item waits that can be printed now. Never rejects: failures are logged. */
    async now(): Promise<void> {
      isRequested = true
      loop.run()
      await loop.ended()
    },

    /**
     * Prints the items of an order that wait or are new, if the order is printable, whether or not automatic printing is on. Items that
     * were printed, failed, or were printable before automatic printing began are left out.
     * @returns how many items were handed over; failures are recorded as those of automatic printing
     * @throws SvcError 404 when there is no order with a design
     */
    async order(type: OrderType, orderId: number): Promise<number> {
      if (!hasTable)
        throw new Error(`database: ${database.t.auto_prints} is missing. Call migrate() once to create it.`)
      const rules = (await rulesNow()) ?? (await autoPrintRules(true, statuses, options))
      const source = services.orders.of(type)
      const { status } = await source.facts(orderId)
      if (!rules || !isPrintable(type, status, rules.statuses)) return 0
      const { values } = await source.get(orderId, {})
      const ids = rules.overrides.pages === 'sheet' ? [0] : values.map(({ stored }) => stored.itemId ?? 0)
      const keys = [...new Set(ids)].map((itemId) => ({ orderId, itemId }))
      await rows.add(type, keys)
      let jobCount = 0
      for (const key of keys) {
        const item = await rows.take(randomUUID(), { type, ...key })
        if (item && (await printItem(printing, rules, item)).job) jobCount++
      }
      return jobCount
    },

    /** The state that `GET /system` returns. */
    async state() {
      const isOn = hasTable && (await rulesNow()) !== undefined
      if (!isOn) return { enabled: false, last_look: null, waiting: 0, failed: 0 }
      const [counts, looked] = await Promise.all([rows.counts(), looks.lastLook()])
      return { enabled: true, last_look: isoTime(looked ?? null), ...counts }
    },

    /** No attempt begins after this. */
    stop(): void {
      loop.stop()
      clearInterval(timer)
    },

    /** Waits for attempts to end, at most `closeTime`, and lets another process look immediately. */
    async close(): Promise<void> {
      this.stop()
      await endsWithin(closeTime, loop.ended())
      if (hasTable && option !== false) await looks.release().catch(() => {})
    },
  }
}
