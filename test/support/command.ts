// Runs the built command `svc-api` as a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'

/** The program that package.json names as `svc-api`. */
export const program = resolve(import.meta.dirname, '../../dist/src/cli/main.js')

/** The caller's own settings do not reach the command, except where Node keeps what it has compiled. */
export const commandEnvironment = (variables: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
  ...variables,
})

export interface Outcome {
  code: number | null
  stdout: string
  /** Without the lines of progress, which depend on the load of the machine. */
  stderr: string
  progress: string
}

const progressLine = /^.*\(\d+ s\)\n/gm

/** @param cwd default: an empty folder */
export function commandIn(t: Test, cwd = t.testdir({})) {
  return async (args: string[], variables: Record<string, string> = {}): Promise<Outcome> => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd,
      env: commandEnvironment(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    const progress = stderr.match(progressLine)?.join('') ?? ''
    return { code, stdout, stderr: stderr.replace(progressLine, ''), progress }
  }
}
