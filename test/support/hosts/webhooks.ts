// A receiver of webhooks that verifies signatures and responds as a test says, and the outbox that sends to it.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { Test } from 'tap'
import type { Change, WebhookEndpoint } from '../../../plugins/index.ts'
import { httpServer } from '../peers/servers.ts'
import { type BuildOptions, build, type TestHost } from './build.ts'

export const webhookSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

export interface Received {
  /** The `webhook-id`. */
  id: string
  type: string
  timestamp: string
  data: Change
  headers: IncomingHttpHeaders
  /** Path of the endpoint. */
  url: string
  at: number
}

/** Responds to one delivery; by default with 204. */
export type Reaction = (response: ServerResponse, event: Received) => unknown

/** `received` are the deliveries in the order of their arrival; one with a wrong signature fails the test. */
export async function receiver(t: Test, reaction: Reaction = (response) => response.writeHead(204).end()) {
  const received: Received[] = []
  const say = { reaction }
  const server = await httpServer(t, async (request, response) => {
    const body = await text(request)
    const headers = request.headers
    const event = new Webhook(webhookSecret).verify(body, headers as Record<string, string>) as Received
    const known = {
      ...event,
      id: String(headers['webhook-id']),
      headers,
      url: String(request.url),
      at: Date.now(),
    }
    received.push(known)
    await say.reaction(response, known)
  })
  const endpoint: WebhookEndpoint = {
    url: `${server.url}/hook`,
    secret: webhookSecret,
    allowInternal: true,
    seconds: 1,
  }
  return { ...server, received, say, endpoint }
}

/** Resolves once a condition holds. */
export async function eventually(condition: () => unknown, milliseconds = 30_000): Promise<void> {
  const end = Date.now() + milliseconds
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('This did not happen in time.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const create = ({ call }: Pick<TestHost, 'call'>, title = 'Shirt') =>
  call('POST', '/products', { title }).then(({ body }) => Number(body.data.id))

export const rename = ({ call }: Pick<TestHost, 'call'>, id: number, title: string) =>
  call('PATCH', `/products/${id}`, { title })

export const rows = ({ db, t }: Pick<TestHost, 'db' | 't'>) =>
  db.selectFrom(t.api_outbox).selectAll().orderBy('ID').execute()

export const statesOf = async (host: TestHost) => (await rows(host)).map(({ state }) => state)

/** Makes events due that wait for their next attempt. */
export const retryNow = ({ db, t }: Pick<TestHost, 'db' | 't'>) =>
  db.updateTable(t.api_outbox).set({ next_at: 0 }).where('next_at', '>', 0).execute()

/** A host that logs into `lines`. */
export async function logging(t: Test, options: Partial<BuildOptions>) {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const host = await build(t, { server: { logger: { stream, level: 'warn' } }, ...options })
  return { ...host, lines }
}
