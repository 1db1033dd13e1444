// What a command of `svc-api` is, how it prints (results to stdout, progress and problems to stderr), and how the arguments that
// several commands share are read.
import type { ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { timeIn } from '../core/time-in.ts'

/** How a command prints. */
export interface Output {
  /** Whether results are printed as JSON. */
  json: boolean
  /**
   * Prints a result to stdout: `text` for people, `data` with `--json`. Pass text from rows in a list of lines: line breaks in
   * it are then escaped.
   */
  print(text: string | readonly string[], data: unknown): void
  /** Prints a line to stderr. */
  say(line: string): void
}

/** A call of a command. */
export interface Invocation<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> extends Output {
  variables: NodeJS.ProcessEnv
  /** Values of the options. */
  flags: ReturnType<typeof parseArgs<{ options: O }>>['values']
  /** Arguments that are no options; empty unless the command takes them. */
  operands: readonly string[]
}

/** A command of `svc-api`, as program.ts lists it. */
export interface Command<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> {
  /** What the command does, after its name in the list of commands. */
  summary: string
  /** Describes the command and its options. */
  help: string
  options: O
  /** Whether it takes arguments that are no options. */
  takesOperands?: boolean
  /** @returns the exit code; undefined for success, or to go on serving */
  run(invocation: Invocation<O>): Promise<number | undefined>
}

/** Declares a command; for the type checker alone, so that its flags have the types of its options. */
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

/** The time of `--since`; undefined without it. @throws UsageError */
export function sinceOf(flag: string | undefined): Date | undefined {
  if (flag === undefined) return undefined
  const time = momentIn(flag, 'ago')
  if (!Number.isNaN(time)) return new Date(time)
  throw new UsageError(
    '--since must be a time such as 2026-11-22 or 2026-11-22T10:00Z, or a span such as 90m, 24h or 7d.',
  )
}

/** The number of `--limit`; undefined without it. @throws UsageError */
export function limitOf(flag: string | undefined): number | undefined {
  if (flag === undefined) return undefined
  if (/^[1-9]\d{0,4}$/.test(flag) && Number(flag) <= 10_000) return Number(flag)
  throw new UsageError('--limit must be a whole number from 1 to 10000.')
}

/** The id in an argument. @param what names it in the message, for example `The order` @throws UsageError */
export function idOf(text: string, what: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${what} must be a whole number from 1.`)
  return Number(text)
}

/** The first 20 names and how many more there are, for a line of text; the JSON has all. */
export function shortList(names: readonly (string | number)[]): string {
  const most = 20
  return names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '')
}
