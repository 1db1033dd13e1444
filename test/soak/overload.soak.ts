// Five hundred clients at once for a minute: memory stays flat, responses arrive in time, and excess requests get 503.
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import t from 'tap'
import { token } from '../support/hosts/build.ts'
import { servedShop } from '../support/hosts/served-shop.ts'

t.setTimeout(300_000)
const MB = 2 ** 20

t.test(
  '500 connections for 60 seconds leave memory flat, and only 503 with Retry-After as errors',
  async (t) => {
    const { host, peer, port, blob } = await servedShop(t, 50)

    const statuses: Record<number, number> = {}
    let withoutRetryAfter = 0
    const onResponse: autocannon.Request['onResponse'] = (status, _body, _context, headers) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      const names = Object.keys(headers ?? {}).map((name) => name.toLowerCase())
      if (status === 503 && !names.includes('retry-after')) withoutRetryAfter++
    }
    const authorization = `Bearer ${token}`
    const asks: [
      method: 'GET' | 'POST' | 'PATCH',
      path: string,
      body?: object | undefined,
      authorization?: string,
    ][] = [
      ['GET', '/products?limit=20'],
      ['GET', '/products?search=shirt&category_id=1&include_views=1'],
      ['GET', '/views/7'],
      ['PATCH', '/views/9', { elements: [blob] }],
      ['GET', '/products/3?include_views=1'],
      ['GET', '/products', undefined, 'Bearer wrong'],
      ['PATCH', '/products/5', { options: { changed: 1 }, categories: [1] }],
      ['GET', '/categories?include_products=1'],
      ['POST', '/categories', { title: 'Clothes' }],
      ['GET', '/nothing'],
    ]
    const run = (duration: number) =>
      autocannon({
        url: `http://127.0.0.1:${port}`,
        connections: 500,
        duration,
        timeout: 20,
        requests: asks.map(([method, path, body, bearer = authorization]) => ({
          method,
          path: `/wp-json/svc/v1${path}`,
          headers: { authorization: bearer, 'content-type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
          onResponse,
        })),
      })
    const memory = async () => (await peer.order({ do: 'memory' })) as NodeJS.MemoryUsage

    await run(15)
    // Requests that were running when the clients left still finish.
    await pause(8000)
    const before = await memory()
    const result = await run(60)
    await pause(8000)
    const after = await memory()

    t.comment(`statuses ${JSON.stringify(statuses)}, ${result.requests.average} requests per second`)
    t.comment(
      `latency p50 ${result.latency.p50}, p99 ${result.latency.p99}, longest ${result.latency.max} ms`,
    )
    for (const [when, { heapUsed, rss }] of Object.entries({ before, after })) {
      t.comment(`${when}: heap ${Math.round(heapUsed / MB)} MB, RSS ${Math.round(rss / MB)} MB`)
    }
    t.strictSame(
      Object.keys(statuses).filter((status) => !['200', '403', '404', '409', '503'].includes(status)),
      [],
    )
    t.equal(withoutRetryAfter, 0)
    t.equal(result.errors + result.timeouts, 0)
    t.ok(result.latency.p99 < 10_000)
    t.ok(after.heapUsed < before.heapUsed + 10 * MB)
    // How much the allocator retains of the peak varies; a leak of a minute's requests would be many times larger.
    t.ok(after.rss < before.rss + 256 * MB)
    t.equal((await host.call('GET', '/products')).status, 200)
  },
)
