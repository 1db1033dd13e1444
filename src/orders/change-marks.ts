// The positions of looks at changed orders (changed-orders.ts): how they are stored in a cursor, and the times in them.
import { membersOf } from '../core/foreign.ts'
import { fromJson } from '../json/parse.ts'
import { isObject } from '../json/values.ts'
import { storedTime } from './tables.ts'

/** Seconds after which a transaction is expected to have committed; until then rows are looked at again. */
export const settlingSeconds = 600

/**
 * The position of a look in a table. A transaction may commit a low id after another one has committed a higher id, so ids above `low`
 * are read at each look, until they are `settlingSeconds` old.
 */
export interface IdMark {
  /** All rows up to this id were read after they were settled, except those of `again`. */
  low: number
  /** The newest id at the time `at`; becomes `low` when that is older than `settlingSeconds`. */
  next: number
  /** Unix seconds of the database. */
  at: number
  /** A range of ids. */
  again?: Unsettled<number, number>
}

/** The position of a look in the orders by the time of their last save, in UTC; within one second by id. */
export interface TimeMark {
  /** Such as `2026-04-29 10:00:00`. */
  time: string
  id: number
  /** A range of times. */
  again?: Unsettled<{ time: string; id: number }, string>
}

/**
 * The part that looks read before it was settled, because there were more rows than one look returns: after `from` up to `to`. It is
 * read once more, `settlingSeconds` after `at`.
 */
interface Unsettled<From, To> {
  from: From
  to: To
  /** Unix seconds of the database. */
  at: number
}

/** Whether it is time to read an unsettled part once more. @param now Unix seconds of the database */
export const isDue = (again: Unsettled<unknown, unknown>, now: number) => now - again.at >= settlingSeconds

/** The marks in a cursor, by the name of their table; none if it cannot be read. */
export function marksIn(cursor: string | undefined): Record<string, unknown> {
  try {
    const value = cursor === undefined ? undefined : fromJson(cursor)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The position in a table that a cursor contains; undefined if the value is none. */
export function idMark(value: unknown): IdMark | undefined {
  const { low, next, at: lookTime, again } = membersOf(value)
  if (!isInteger(low) || !isInteger(next) || !isInteger(lookTime)) return undefined
  const { from, to, at } = membersOf(again)
  const unsettled = isInteger(from) && isInteger(to) && isInteger(at) && { again: { from, to, at } }
  return { low, next, at: lookTime, ...unsettled }
}

/** The position in the orders by time that a cursor contains; undefined if the value is none. */
export function timeMark(value: unknown): TimeMark | undefined {
  const { time, id, again } = membersOf(value)
  if (typeof time !== 'string' || !isInteger(id)) return undefined
  const { from, to, at } = membersOf(again)
  const start = timeMark(from)
  const unsettled = start && typeof to === 'string' && isInteger(at) && { again: { from: start, to, at } }
  return { time, id, ...unsettled }
}

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

/** The earlier of two times as text. A time of PHP, whose clock may be ahead of the database's, counts as now if it is later. */
export const earlierOf = (first: string, second: string) => (first < second ? first : second)

/** The time before which all saves are committed; the beginning if the text is no time. */
export function settledTime(time: string): string {
  const seconds = Date.parse(`${time.replace(' ', 'T')}Z`) / 1000
  return Number.isFinite(seconds) ? storedTime(Math.max(0, seconds - settlingSeconds)) : storedTime(0)
}
