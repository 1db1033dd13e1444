// Runs the example host as a process: starts it, runs the command that it prints, and stops it with a signal.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { commandEnvironment } from './command.ts'

const host = resolve(import.meta.dirname, '../../../examples/host/index.ts')

export type Variables = Record<string, string>

export interface Running {
  child: ChildProcess
  printed: string
  /** The response to the printed curl command. */
  products: { id: number; title: string; type: string; thumbnail: string; categories: number[] }[]
  get(path: string, options?: RequestInit): Promise<Response>
  /** Runs a command in the host's folder with the host's environment, and returns its stdout. */
  shell(line: string): Promise<string>
}

interface Launched {
  child: ChildProcess
  /** The output so far. */
  printed(): string
  errors(): string
  /** Resolves once a matching line was printed; rejects if the process ends before. */
  says(line: RegExp): Promise<void>
  /** The exit code, once all output was read. */
  ended: Promise<number | null>
}

/** The caller's own settings do not reach the host. */
const environment = (variables: Variables) => commandEnvironment({ PORT: '0', ...variables })

export function launch(t: Test, cwd: string, variables: Variables): Launched {
  const child = spawn(process.execPath, [host], {
    cwd,
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    printed += part
  })
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    errors += part
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    printed: () => printed,
    errors: () => errors,
    ended,
    says: (line) =>
      new Promise((said, failed) => {
        const look = () => line.test(printed) && said()
        child.stdout.on('data', look)
        ended.then(() => failed(new Error(errors)))
        look()
      }),
  }
}

export async function start(t: Test, cwd: string, variables: Variables = {}): Promise<Running> {
  const launched = launch(t, cwd, variables)
  await launched.says(/^curl .*\n/m)
  const printed = launched.printed()
  const shell = async (line: string) =>
    (await promisify(execFile)('sh', ['-c', line], { cwd, env: environment(variables) })).stdout
  const { data } = JSON.parse(await shell(/^curl .*$/m.exec(printed)?.[0] ?? ''))
  const address = /Listening on +(\S+)/.exec(printed)?.[1]
  return {
    child: launched.child,
    printed,
    products: data,
    get: (path, options) => fetch(`${address}${path}`, options),
    shell,
  }
}

export async function stop(
  { child }: Pick<Running, 'child'>,
  signal: 'SIGTERM' | 'SIGINT',
): Promise<unknown> {
  const exit = once(child, 'exit')
  child.kill(signal)
  return (await exit)[0]
}

/** The token in the output. */
export const tokenIn = ({ printed }: Pick<Running, 'printed'>) =>
  /API token +([0-9a-f]{64})$/m.exec(printed)?.[1]
