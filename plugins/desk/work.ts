// What a print room works on: its items, its lists, when orders are due, and how much there is to do.
import type { SvcContext } from '../../src/app/context.ts'
import { dueDates } from '../../src/orders/due-dates.ts'
import type { Orders } from '../../src/orders/orders.ts'
import { printRoom } from '../../src/orders/print-room.ts'
import type { OrderType } from '../../src/orders/source.ts'
import { workLists } from '../../src/orders/work-lists.ts'
import type { jobOverview } from '../../src/print/job-overview.ts'

/** Milliseconds for which the result of `numbers` is used again; other processes may change the work meanwhile. */
const numbersAge = 5000

/** What a print room works on; made once for all pages of a desk. */
export function deskWork(context: SvcContext, orders: Orders, jobs: ReturnType<typeof jobOverview>) {
  const room = printRoom(context.database, orders)
  const work = workLists(orders, room, context.printableStatuses)
  const dueIn = dueDates(context.database, context.cms)

  async function countWork() {
    const [openWork, { failed, running, waiting }] = await Promise.all([work.numbers(), jobs.queue()])
    return { ...openWork, failed: failed.length, waiting: running.length + waiting.length }
  }
  let numbers: { until: number; counts: ReturnType<typeof countWork> } | undefined

  return {
    room,
    work,

    /** The days on which orders are due, such as `2026-04-29`, by order. Only orders of the shop have one, and not all of them. */
    async dueOf<O extends { type: OrderType; id: number }>(orders: readonly O[]): Promise<Map<O, string>> {
      const ofShop = orders.filter(({ type }) => type === 'wc')
      const days = ofShop.length > 0 ? await dueIn(ofShop.map(({ id }) => id)) : new Map<number, string>()
      return new Map(
        ofShop.flatMap((order) => {
          const day = days.get(order.id)
          return day === undefined ? [] : [[order, day] as const]
        }),
      )
    },

    /** How much needs work, counted at most `numbersAge` ago, and after the last call of `forgetNumbers`. */
    numbers() {
      const now = performance.now()
      if (!numbers || numbers.until < now) numbers = { until: now + numbersAge, counts: countWork() }
      numbers.counts.catch(() => {
        numbers = undefined
      })
      return numbers.counts
    },

    /** Makes the next call of `numbers` count again; for actions that change how much needs work. */
    forgetNumbers(): void {
      numbers = undefined
    },
  }
}
