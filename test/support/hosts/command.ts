// Runs the command `svc-api`, in the process of the test or in one of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { runProgram } from '../../../src/cli/program.ts'

/** The program that package.json names as `svc-api`. */
export const program = resolve(import.meta.dirname, '../../../dist/src/cli/main.js')

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

const outcomeOf = (code: number | null, stdout: string, said: string): Outcome => ({
  code,
  stdout,
  stderr: said.replace(progressLine, ''),
  progress: said.match(progressLine)?.join('') ?? '',
})

export type Run = (args: string[], variables?: Record<string, string>) => Promise<Outcome>

/**
 * Runs the program in this process, since each process costs half a second.
 * @param cwd default: an empty folder. It is the folder of the whole process while the command runs.
 */
export function commandIn(t: Test, cwd = t.testdir({})): Run {
  return async (args, variables = {}) => {
    let stdout = ''
    let stderr = ''
    const before = process.cwd()
    process.chdir(cwd)
    try {
      const code = await runProgram(args, {
        variables: commandEnvironment(variables),
        stdout: (text) => {
          stdout += text
        },
        stderr: (text) => {
          stderr += text
        },
      })
      return outcomeOf(code ?? 0, stdout, stderr)
    } finally {
      process.chdir(before)
    }
  }
}

/** Runs the built program in a process of its own, whose end is awaited. */
export function processIn(t: Test, cwd = t.testdir({})): Run {
  return async (args, variables = {}) => {
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
    return outcomeOf(code, stdout, stderr)
  }
}
