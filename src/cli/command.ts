// What a command of `svc-api` is, how it talks (results to stdout, progress and problems to stderr), and the arguments that several
// share: how old, how many, which one.
import type { ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { timeIn } from '../core/time-in.ts'

export interface Output {
  /** Whether results are printed as JSON. */
  json: boolean
  /** Prints a result to stdout: `text` for people, `data` with `--json`. Whatever comes from rows is passed in a list of lines. */
  print(text: string | readonly string[], data: unknown): void
  /** Prints a line to stderr. */
  say(line: string): void
}

export interface Invocation<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> extends Output {
  variables: NodeJS.ProcessEnv
  flags: ReturnType<typeof parseArgs<{ options: O }>>['values']
  /** Arguments that are no options; empty unless the command takes them. */
  operands: readonly string[]
}

export interface Command<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> {
  /** Half a sentence for the list of commands. */
  summary: string
  /** Describes the command and its options. */
  help: string | (() => Promise<string>)
  options: O
  /** Whether it takes arguments that are no options. */
  takesOperands?: boolean
  /** @returns the exit code; undefined for success, or to go on serving */
  run(invocation: Invocation<O>): Promise<number | undefined>
}

/** A command whose flags have the types of its options. */
export const command = <const O extends ParseArgsOptionsConfig>(declared: Command<O>) => declared

/** Exit codes. */
export const exit = { ok: 0, problem: 1, usage: 2 } as const

/** A wrong argument or environment variable. The message is one sentence. */
export class UsageError extends Error {}

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

/** The first 20 names and the number of the others, for a line; the JSON has all. */
export function listOf(names: readonly (string | number)[]): string {
  const most = 20
  return names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '')
}
