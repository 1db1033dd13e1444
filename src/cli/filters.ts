// Arguments that several commands share: how old, how many, which one.
import { timeIn } from '../core/time-in.ts'
import { UsageError } from './command.ts'

const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds since 1970 of a time, or of a span before or after now; NaN for anything else. */
export function momentIn(text: string, direction: 'ago' | 'ahead'): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const span = Number(count) * (spans[unit] ?? 0)
  if (count !== undefined) return Date.now() + (direction === 'ago' ? -span : span)
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  return isTime ? timeIn(text) : Number.NaN
}

/** @throws UsageError */
export function sinceOf(flag: string | undefined): Date | undefined {
  if (flag === undefined) return undefined
  const time = momentIn(flag, 'ago')
  if (!Number.isNaN(time)) return new Date(time)
  throw new UsageError(
    '--since must be a time such as 2026-11-22 or 2026-11-22T10:00Z, or a span such as 90m, 24h or 7d.',
  )
}

/** @throws UsageError */
export function limitOf(flag: string | undefined): number | undefined {
  if (flag === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(flag) && Number(flag) <= 10_000) return Number(flag)
  throw new UsageError('--limit must be a whole number from 1 to 10000.')
}

/** @param what for the message, for example `The order` @throws UsageError */
export function idOf(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${what} must be a whole number from 1.`)
  return Number(text)
}

/** As much of a list as a line takes; the JSON has all. */
export function listOf(names: readonly (string | number)[]): string {
  const shown = 20
  return names.slice(0, shown).join(', ') + (names.length > shown ? ` and ${names.length - shown} more` : '')
}
