// A server that behaves as version 1 of Printful's API does, as far as orders go: drafts known by external ids, items that a
// PUT merges or removes, unique external ids, a rate limit, and all that can happen to a response on its way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { httpServer } from './servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: what clients send, and what the server makes of it
type Loose = Record<string, any>

export interface RemoteItem extends Loose {
  id: number
  external_id: string | null
  files: { id: number; type: string; url: string }[]
}

export interface StoredOrder extends Loose {
  id: number
  external_id: string
  status: string
  items: RemoteItem[]
}

export interface SeenRequest {
  method: string
  path: string
  body: Loose | undefined
  headers: IncomingMessage['headers']
}

/** What happens to one request; the default is that it is served. */
export type Fault = (request: SeenRequest, exchange: Exchange) => void | Promise<void>

export interface Exchange {
  response: ServerResponse
  /** Does what the request asks for. @returns what the response would be */
  serve(): { status: number; body: Loose }
  send(status: number, body: unknown, headers?: Record<string, string>): void
}

export const token = 'pf-secret-token-0123456789'

/** Written, but nobody hears of it. */
export const lostResponse: Fault = (_request, { serve, response }) => {
  serve()
  response.destroy()
}

export const status =
  (code: number, result = 'Something is wrong', headers: Record<string, string> = {}): Fault =>
  (_request, { send }) =>
    send(code, { code, result, error: { reason: 'Reason', message: result } }, headers)

export async function printful(t: Test) {
  const orders = new Map<string, StoredOrder>()
  const requests: SeenRequest[] = []
  /** For the next requests, first to last; undefined serves one. */
  const faults: (Fault | undefined)[] = []
  const files = new Map<number, string>()
  let nextId = 1000
  const state = {
    /** Requests that are served until the limit is reached. */
    quota: Number.POSITIVE_INFINITY,
    retryAfter: '1',
    /** Options without which an item of a variant is refused. */
    required: new Map<number, string[]>(),
    /** Told of each request before it is served, and with `done` after that. */
    watch: undefined as ((request: SeenRequest, done: boolean) => void | Promise<void>) | undefined,
  }

  function fileOf(given: Loose): RemoteItem['files'][number] {
    const url = given.url ?? files.get(given.id)
    if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw refusal('File URL is invalid')
    const id = files.has(given.id) ? given.id : nextId++
    files.set(id, url)
    return {
      id,
      type: given.type ?? 'default',
      ...(given.options && { options: given.options }),
      url,
      status: 'waiting',
      visible: true,
      hash: null,
    } as never
  }

  function itemOf(given: Loose, earlier: RemoteItem | undefined): RemoteItem {
    const variant = given.variant_id ?? given.sync_variant_id ?? earlier?.variant_id
    if (!Number.isInteger(variant)) throw refusal('Item can not be found: variant_id')
    const list = given.files?.map(fileOf) ?? earlier?.files ?? []
    if (list.length === 0 && given.sync_variant_id === undefined) throw refusal('Item has no print files')
    const quantity = given.quantity ?? earlier?.quantity
    if (!Number.isInteger(quantity) || quantity < 1) throw refusal('Quantity is invalid')
    const blank = { external_id: null, sync_variant_id: null, sku: null, discontinued: false }
    // An item is replaced as a whole: options that are not sent are gone.
    const options = given.options ?? []
    for (const id of state.required.get(Number(variant)) ?? [])
      if (!options.some((option: Loose) => option.id === id)) throw refusal(`Item option is required: ${id}`)
    return {
      ...blank,
      ...earlier,
      ...given,
      options,
      id: earlier?.id ?? nextId++,
      price: '9.95',
      files: list,
    }
  }

  function recipientOf(given: unknown): Loose {
    const recipient = Object(given) as Loose
    for (const field of ['name', 'address1', 'city', 'country_code'])
      if (!recipient[field]) throw refusal(`Recipient: ${field} is missing`)
    return { country_name: 'Country', ...recipient }
  }

  function serve({ method, path, body }: SeenRequest): { status: number; body: Loose } {
    const url = new URL(path, 'http://x')
    const external = /^\/orders\/@([\w-]+)$/.exec(url.pathname)?.[1]
    const order = external === undefined ? undefined : orders.get(external)
    if (method === 'POST' && url.pathname === '/orders') return create(body ?? {}, url)
    if (!order) return { status: 404, body: failure(404, 'Not Found') }
    if (method === 'PUT') return update(order, body ?? {}, url)
    return { status: 200, body: { code: 200, result: order } }
  }

  function create(body: Loose, url: URL) {
    const { external_id } = body
    if (orders.has(String(external_id))) throw refusal('Order with this External ID already exists', 'OR-13')
    if (!Array.isArray(body.items) || body.items.length === 0) throw refusal('No items')
    const id = nextId++
    const order: StoredOrder = {
      id,
      external_id: String(external_id),
      store: 77,
      status: url.searchParams.has('confirm') ? 'pending' : 'draft',
      shipping: 'STANDARD',
      created: 1_700_000_000,
      recipient: recipientOf(body.recipient),
      items: body.items.map((item) => itemOf(item, undefined)),
      costs: { currency: 'USD', total: '9.95' },
      dashboard_url: `https://www.printful.com/dashboard?order_id=${id}`,
    }
    orders.set(order.external_id, order)
    return { status: 200, body: { code: 200, result: order } }
  }

  function update(order: StoredOrder, body: Loose, url: URL) {
    if (order.status !== 'draft' && order.status !== 'failed') throw refusal('Order can not be updated')
    const items = body.items?.map((given: Loose) => {
      const known = order.items.find(
        ({ id, external_id }) =>
          id === given.id || (external_id !== null && external_id === given.external_id),
      )
      return itemOf(given, known)
    })
    if (body.recipient) order.recipient = recipientOf(body.recipient)
    if (items) order.items = items
    if (url.searchParams.has('confirm')) order.status = 'pending'
    return { status: 200, body: { code: 200, result: order } }
  }

  const server = await httpServer(t, async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = method === 'GET' ? undefined : ((await json(request)) as Loose)
    const seen = { method, path: url, body, headers }
    requests.push(seen)
    const send: Exchange['send'] = (code, content, more = {}) => {
      response.writeHead(code, { 'content-type': 'application/json', ...more })
      response.end(typeof content === 'string' ? content : JSON.stringify(content))
    }
    const guarded = () => {
      try {
        return serve(seen)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { status: 400, body: failure(400, error.message, error.code) }
      }
    }
    await state.watch?.(seen, false)
    const fault = faults.shift()
    if (fault) return fault(seen, { response, serve: guarded, send })
    if (headers.authorization !== `Bearer ${token}`)
      return send(401, failure(401, 'The access token provided is invalid.'))
    if (state.quota-- <= 0)
      return send(429, failure(429, 'Too many requests'), { 'retry-after': state.retryAfter })
    const { status: code, body: content } = guarded()
    await state.watch?.(seen, true)
    send(code, content)
  })

  return Object.assign(state, {
    url: server.url,
    orders,
    requests,
    faults,
    /** External ids of the items of an order; undefined when there is no such order. */
    items: (external: string) => orders.get(external)?.items.map(({ external_id }) => external_id),
    /** Requests that could have confirmed an order. */
    confirmations: () =>
      requests.filter(({ path, body }) => /confirm/.test(path) || body?.confirm !== undefined),
  })
}

class Refusal extends Error {
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

const refusal = (message: string, code = 'OR-1') => new Refusal(message, code)

const failure = (code: number, message: string, apiCode?: string) => ({
  code,
  result: message,
  error: { reason: 'BadRequest', message, ...(apiCode && { api_error_code: apiCode }) },
})
