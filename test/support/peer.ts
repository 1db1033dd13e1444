// A second process with the API on the same database, which makes the calls that a test sends it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Test } from 'tap'
import { token } from './build.ts'

export interface PeerCall {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface PeerAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way a client written in JavaScript does
  body: any
}

/** Starts the process; it ends with the test. `calls` makes all calls at once and answers when all are answered. */
export async function startPeer(
  t: Test,
  address: string,
): Promise<{ calls(list: PeerCall[]): Promise<PeerAnswer[]> }> {
  const child = fork(new URL(import.meta.url), [address], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    // What it has answered is committed; there is nothing to wait for.
    child.kill('SIGKILL')
    await ended
  })
  await message(child)
  return {
    async calls(list) {
      const answers = message(child)
      child.send(list)
      return (await answers) as PeerAnswer[]
    },
  }
}

async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The second process ended with ${code}.`)
  })
  const [content] = await Promise.race([once(child, 'message'), ended])
  return content
}

async function serve(address: string, send: (message: unknown) => void): Promise<void> {
  const { default: Fastify } = await import('fastify')
  const { svcApi } = await import('../../plugins/index.ts')
  const app = Fastify({ logger: false })
  await app.register(svcApi, { database: address, siteUrl: 'https://shop.example' })
  await app.ready()
  // The test's process is gone.
  process.once('disconnect', () => process.exit())
  process.on('message', async (list: PeerCall[]) => {
    const answers = list.map(async ({ method, path, body, headers }) => {
      const answer = await app.inject({
        method: method as 'GET',
        url: `/wp-json/svc/v1${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: answer.statusCode, body: answer.payload === '' ? undefined : answer.json() }
    })
    send(await Promise.all(answers))
  })
  send('ready')
}

const [address] = process.argv.slice(2)
if (import.meta.main && address && process.send) {
  await serve(address, (content) => process.send?.(content))
}
