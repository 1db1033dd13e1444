// What a command of `svc-api` is, and how it talks: results to stdout, progress and problems to stderr.
import type { ParseArgsOptionsConfig, parseArgs } from 'node:util'

export interface Output {
  /** Whether results are printed as JSON. */
  json: boolean
  /** Prints a result to stdout: `text` for people, `data` with `--json`. */
  print(text: string, data: unknown): void
  /** Prints a line to stderr. */
  say(line: string): void
}

export interface Invocation<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> extends Output {
  variables: NodeJS.ProcessEnv
  flags: ReturnType<typeof parseArgs<{ options: O }>>['values']
  /** Arguments that are no options; empty unless the command takes them. */
  words: readonly string[]
}

export interface Command<O extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> {
  /** Half a sentence for the list of commands. */
  summary: string
  /** What it does, and its options. */
  help: string | (() => Promise<string>)
  options: O
  /** Whether it takes arguments that are no options. */
  takesWords?: boolean
  /** @returns the exit code; undefined for success, or to go on serving */
  run(invocation: Invocation<O>): Promise<number | undefined>
}

/** A command whose flags have the types of its options. */
export const command = <const O extends ParseArgsOptionsConfig>(declared: Command<O>) => declared

/** Lets the groups declare themselves, for commands that know scopes, toggles or resources. Others start without them. */
export const loadGroups = () => import('../../plugins/groups.ts')

/** Exit codes. */
export const exit = { ok: 0, problem: 1, usage: 2 } as const

/** A wrong argument or environment variable. The message is one sentence. */
export class UsageError extends Error {}
