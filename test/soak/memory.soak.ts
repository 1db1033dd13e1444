// 200,000 mixed requests: memory after garbage collection does not grow.
import autocannon from 'autocannon'
import t from 'tap'
import { token } from '../support/hosts/build.ts'
import { servedShop } from '../support/hosts/served-shop.ts'

t.setTimeout(1_800_000)
const batches = 10
const perBatch = 20_000
const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)

t.test('200,000 mixed requests leave memory as it was after the first 40,000', async (t) => {
  const { peer, port, blob } = await servedShop(t, 100)

  let number = 0
  /** Every request is different, so that anything that retains requests shows. */
  const drafts: ((i: number) => { method: string; path: string; body?: unknown; bearer?: string })[] = [
    (i) => ({ method: 'GET', path: `/products?limit=${1 + (i % 100)}&page=${i % 7}` }),
    (i) => ({ method: 'GET', path: `/products?search=shirt${i}&category_id=1&include_views=1` }),
    (i) => ({ method: 'GET', path: `/products?include=${i % 90},${i % 80},${i % 70}&fields=id,title` }),
    (i) => ({ method: 'GET', path: `/views/${1 + (i % 100)}?fields=id,title` }),
    (i) => ({ method: 'PATCH', path: `/views/${1 + (i % 100)}`, body: { elements: [{ ...blob, i }] } }),
    (i) => ({ method: 'PATCH', path: `/products/${1 + (i % 100)}`, body: { options: { changed: i } } }),
    () => ({ method: 'GET', path: '/products', bearer: 'Bearer wrong' }),
    (i) => ({ method: 'GET', path: `/nothing/${i}` }),
    (i) => ({ method: 'POST', path: '/categories', body: { title: `Clothes${i % 50}` } }),
    (i) => ({ method: 'GET', path: `/settings/values?keys[]=svc_unknown_${i}&keys[]=svc_hex_names` }),
    (i) => ({ method: 'GET', path: `/orders/${i}?type=shortcode` }),
    (i) => ({ method: 'PATCH', path: '/settings', body: { [`svc_no_${i}`]: 1 } }),
    (i) => ({ method: 'GET', path: `/print-jobs?status=s${i}` }),
    (i) => ({ method: 'GET', path: `/design-categories?search=${i}` }),
    () => ({ method: 'GET', path: '/system' }),
  ]
  const run = () =>
    autocannon({
      url: `http://127.0.0.1:${port}`,
      connections: 32,
      amount: perBatch,
      timeout: 30,
      requests: drafts.map((draft) => ({
        setupRequest(request) {
          const { method, path, body, bearer = `Bearer ${token}` } = draft(number++)
          return {
            ...request,
            method: method as 'GET',
            path: `/wp-json/svc/v1${path}`,
            headers: { authorization: bearer, 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }
        },
      })),
    })

  const held: number[] = []
  let serverErrors = 0
  for (let batch = 1; batch <= batches; batch++) {
    const result = await run()
    serverErrors += result['5xx']
    const { rss, heapUsed, external, arrayBuffers } = (await peer.order({
      do: 'memory',
    })) as NodeJS.MemoryUsage
    held.push(heapUsed + external)
    t.comment(
      `after ${batch * perBatch} requests: RSS ${megabytes(rss)} MB, heap ${megabytes(heapUsed)} MB, ` +
        `external ${megabytes(external)} MB, of it buffers ${megabytes(arrayBuffers)} MB`,
    )
  }
  t.equal(serverErrors, 0)
  const [, second = 0] = held
  t.ok((held.at(-1) ?? 0) < second * 1.15 + 5 * 2 ** 20, 'what is held without garbage does not grow')
})
