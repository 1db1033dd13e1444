// Writes of many kinds from several processes, and whether rows, audit trail and events agree with what the clients were told.
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { auditEntries } from '../../../plugins/index.ts'
import type { TestHost } from '../hosts/build.ts'
import type { PeerRequest, PeerResponse } from '../hosts/peer.ts'
import type { Peer } from '../hosts/process.ts'
import { eventually, type receiver, rows } from '../hosts/webhooks.ts'

const workers = 6
export type Hook = Awaited<ReturnType<typeof receiver>>

interface Figures {
  requests: number
  /** Responses 503, and those of them that say that the outcome is unknown. */
  unavailable: number
  unknown: number
  /** Writes on top of another state than the client has seen, or of a title that another one took. */
  refused: number
  hangs: number
  unexpected: number
}

/** Sends requests to processes, and counts what comes of them. */
export function client(t: Test, peers: readonly Peer[]) {
  const figures: Figures = { requests: 0, unavailable: 0, unknown: 0, refused: 0, hangs: 0, unexpected: 0 }

  async function send(at: number, request: PeerRequest): Promise<PeerResponse> {
    const since = performance.now()
    const [response] = await (peers[at % peers.length] as Peer).requests([request])
    if (!response) throw new Error('No response came.')
    const { status, body } = response
    figures.requests++
    if (performance.now() - since > 10_000) figures.hangs++
    if (status === 503) figures.unavailable++
    if (isUnknown(response)) figures.unknown++
    if (status === 409 || status === 412) figures.refused++
    if (![200, 201, 409, 412, 503].includes(status)) {
      figures.unexpected++
      t.fail(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`)
    }
    return response
  }

  /** What a sensible client does: repeat the request, elsewhere if possible, until it is served. */
  async function insist(at: number, request: PeerRequest): Promise<PeerResponse> {
    for (; ; await delay(100)) {
      const response = await send(at++, request)
      if (response.status !== 503 && response.body.code !== 'svc_idempotency_key_running') return response
    }
  }
  return { figures, send, insist }
}

export const isUnknown = ({ body }: PeerResponse): boolean => body.data?.outcome === 'unknown'
const keyed = (id: string) => ({ 'idempotency-key': id, 'x-request-id': id })

/** What the clients were told, by the title or name that they sent. */
export interface Told {
  saved: Set<string>
  /** 503 without a word about the outcome, or refused: must not be saved, then or later. */
  refused: Set<string>
  views: Set<string>
  options: Set<string>
}

interface Load {
  peers: readonly Peer[]
  product: number
  /** Categories that all workers rename. */
  contested: readonly number[]
  /** Distinguishes its writes from those of other loads. */
  name: string
}

/** Writes in many ways until it is stopped. */
export function startLoad(t: Test, { peers, product, contested, name }: Load, told: Told) {
  const { figures, send, insist } = client(t, peers)

  /** One write of each kind; `id` is never used twice. */
  const writes: ((n: number, id: string) => Promise<void>)[] = [
    async function withKey(n, id) {
      const request = { method: 'POST', path: '/categories', body: { title: id }, headers: keyed(id) }
      const first = await insist(n, request)
      const again = await insist(n + 1, request)
      if (again.body.data.id !== first.body.data.id) t.fail(`two categories were made for the key ${id}`)
      told.saved.add(id)
    },
    async function once(n, id) {
      const headers = { 'x-request-id': id }
      const response = await send(n, { method: 'POST', path: '/categories', body: { title: id }, headers })
      if (response.status === 201) told.saved.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
    },
    async function viewAtAPlace(n, id) {
      const path = `/products/${product}/views`
      const body = { title: id, order: n % 4 }
      await insist(n, { method: 'POST', path, body, headers: keyed(id) })
      told.saved.add(id)
      told.views.add(id)
    },
    async function viewOnce(n, id) {
      const path = `/products/${product}/views`
      const headers = { 'x-request-id': id }
      const response = await send(n, { method: 'POST', path, body: { title: id, order: 0 }, headers })
      if (response.status === 201) told.saved.add(id) && told.views.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
    },
    async function renamed(n, id) {
      const path = `/categories/${contested[n % contested.length]}`
      const found = await insist(n, { method: 'GET', path })
      const headers = { 'if-match': String(found.etag), 'x-request-id': id }
      const request = { method: 'PATCH', path, body: { title: id }, headers }
      const response = await send(n + 1, request)
      if (response.status === 200) told.saved.add(id)
      else if (!isUnknown(response)) told.refused.add(id)
      // The state has been left behind, or the rename is made now, for the first time.
      else if ((await insist(n + 1, request)).status === 200) told.saved.add(id)
    },
    async function mergedOptions(n, id) {
      const request = {
        method: 'PATCH',
        path: `/products/${product}`,
        body: { options: { [id]: { by: n } } },
      }
      await insist(n, request)
      told.options.add(id)
    },
  ]

  let isOver = false
  let next = 0
  const running = Array.from({ length: workers }, async (_, worker) => {
    for (let turn = worker; !isOver; turn++) {
      const n = next++
      await writes[turn % writes.length]?.(n, `${name}-${n}`)
    }
  })
  return {
    async stop(): Promise<Figures> {
      isOver = true
      await Promise.all(running)
      return figures
    },
  }
}

/** Whether a load or its like sent it; hosts name other requests themselves. */
const isOurs = (id: string) => id.includes('-') && !id.startsWith('req-')

const missing = (wanted: Iterable<string>, found: readonly string[]) =>
  [...wanted].filter((one) => !found.includes(one))
const repeated = (found: readonly string[]) => found.filter((one, i) => found.indexOf(one) !== i)

/** Compares rows, audit trail and events with each other and with what the clients were told. */
export async function compare(t: Test, host: TestHost, hook: Hook, product: number, told: Told) {
  const { db, t: names, call, address } = host
  await eventually(async () => (await rows(host)).every(({ state }) => state === 'delivered'), 60_000)
  const categories = (await db.selectFrom(names.categories).select('title').execute()).map(
    ({ title }) => title,
  )
  const views = await db
    .selectFrom(names.views)
    .select(['title', 'view_order'])
    .where('product_id', '=', product)
    .orderBy('view_order')
    .execute()
  const titles = [...categories, ...views.map(({ title }) => title)].map(String)
  const entries = await auditEntries({ database: address, limit: 10_000 })
  t.ok(entries.length < 10_000, 'the audit trail is read as a whole')
  const audited = entries.map(({ request_id }) => request_id ?? '').filter(isOurs)
  const sent = (await rows(host)).map(({ payload }) => String(JSON.parse(payload ?? '').data.request_id))
  const events = sent.filter(isOurs)
  const delivered = hook.received.map(({ data }) => String(data.request_id))
  const renamed = entries
    .filter(({ operation }) => operation === 'update_category')
    .map(({ id, before_etag }) => `${id} ${before_etag}`)
  const { body } = await call('GET', `/products/${product}`)

  const found = {
    lost: [
      ...missing(told.saved, audited),
      ...missing(told.saved, events),
      ...missing(told.saved, delivered),
      ...missing(told.views, titles),
      ...missing(told.options, Object.keys(body.data.options)),
    ],
    doubled: [...repeated(titles), ...repeated(audited), ...repeated(events)],
    // Two writes with If-Match on top of the same state.
    overwritten: repeated(renamed),
    // Refused, and saved all the same.
    late: [...told.refused].filter((id) => audited.includes(id) || titles.includes(id)),
  }
  t.same(found, { lost: [], doubled: [], overwritten: [], late: [] })
  t.same(new Set(events), new Set(audited), 'each entry has its event')
  const known = new Set(audited)
  t.same(
    titles.filter((title) => isOurs(title) && !known.has(title)),
    [],
    'each row has its entry',
  )
  t.same(
    views.map(({ view_order }) => view_order),
    views.map((_, i) => i),
    'the orders have no gaps and no doubles',
  )
  const counts = Object.entries(found).map(([name, list]) => [name, list.length])
  return { saved: told.saved.size, ...Object.fromEntries(counts) }
}
