// Options that several commands share: how old, and how many.
import { timeIn } from '../core/time-in.ts'
import { UsageError } from './command.ts'

const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time, or a span before now. @throws UsageError */
export function sinceOf(flag: unknown): Date | undefined {
  if (flag === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(String(flag)) ?? []
  if (count !== undefined) return new Date(Date.now() - Number(count) * (spans[unit] ?? 0))
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(String(flag))
  const time = new Date(timeIn(String(flag)))
  if (isTime && !Number.isNaN(Number(time))) return time
  throw new UsageError(
    '--since must be a time such as 2026-11-22 or 2026-11-22T10:00Z, or a span such as 90m, 24h or 7d.',
  )
}

/** @throws UsageError */
export function limitOf(flag: unknown): number | undefined {
  if (flag === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(String(flag)) && Number(flag) <= 10_000) return Number(flag)
  throw new UsageError('--limit must be a whole number from 1 to 10000.')
}
