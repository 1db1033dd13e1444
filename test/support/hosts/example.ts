// Runs one of the small examples as a process.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Test } from 'tap'
import { ensureToken } from '../../../plugins/index.ts'
import { commandEnvironment } from './command.ts'

const examples = resolve(import.meta.dirname, '../../../examples')

/**
 * Starts the `index.ts` of an example and waits until it listens. It is stopped with the test.
 * @param folder of the examples
 */
export async function startExample(
  t: Test,
  name: string,
  variables: Record<string, string>,
  folder = examples,
) {
  const program = resolve(folder, name, 'index.ts')
  const child = spawn(process.execPath, [program], {
    env: commandEnvironment({ PORT: '0', ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output.text += part
    })
  }
  const ended = once(child, 'close')
  const url = await new Promise<string>((found, failed) => {
    child.stdout.on('data', () => {
      const address = /^Listening on +(\S+)$/m.exec(output.text)?.[1]
      if (address) found(address)
    })
    ended.then(() => failed(new Error(output.text)))
  })
  const token = await ensureToken({ database: variables.DATABASE_URL ?? '' })
  return {
    url,
    output,
    call: async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const response = await fetch(`${url}/wp-json/svc/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    },
    /** Sends SIGTERM; the exit code. */
    async stop(): Promise<unknown> {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}
