// The lists, pages and searches of the API, the desk and /system on a large shop, and how long they take.
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { svcApi, svcDesk } from '../../../plugins/index.ts'
import { type ShopSize, shopToken } from '../fixtures/big-shop.ts'
import { Fastify } from '../hosts/fastify.ts'

const api = '/wp-json/svc/v1'

/** Requests by name. */
export function shopRequests({ products, jobs, orders, shortcodeOrders }: ShopSize): Record<string, string> {
  // Of every second order, without the fiftieth that is in the trash.
  const listedOrders = orders / 2
  const page = (rows: number, share: number) => Math.max(1, Math.floor((rows * share) / 20))
  const requests = {
    'products, first page': '/products',
    'products, middle page': `/products?page=${page(products, 0.5)}&type=all`,
    'products, page at a quarter': `/products?page=${page(products, 0.25)}`,
    'products, last page': `/products?page=${page(products, 1)}&type=all`,
    'products by title': '/products?order_by=title&order=asc',
    'products by title, middle page': `/products?order_by=title&page=${page(products, 0.5)}`,
    'templates by title': '/products?type=template&order_by=title',
    'products of a large category': '/products?category_id=7',
    'products of a large category, middle page': `/products?category_id=7&page=${page(products / 4, 0.5)}`,
    'products, search with many hits': '/products?search=shirt',
    'products, search with many hits, middle page': `/products?search=shirt&page=${page(products / 10, 0.5)}`,
    'products, search with few hits': `/products?search=${products - 17}`,
    'products, search without a hit': '/products?search=zeppelin',
    'products, search outside ASCII': '/products?search=Stra%C3%9Fe',
    'products, search by title': '/products?search=shirt&order_by=title',
    'products, search in a category': '/products?search=shirt&category_id=7',
    'products with views': '/products?include_views=true',
    'views of a product': `/products/${Math.floor(products / 2)}/views`,
    categories: '/categories',
    'categories with products': '/categories?include_products=true',
    'print jobs, first page': '/print-jobs',
    'print jobs, offset 90 %': `/print-jobs?offset=${Math.floor(jobs * 0.9)}`,
    'print jobs, middle offset': `/print-jobs?offset=${Math.floor(jobs * 0.5)}`,
    'print jobs by status': '/print-jobs?status=completed',
    'print jobs by status, middle offset': `/print-jobs?status=completed&offset=${Math.floor(jobs * 0.47)}`,
    'print jobs by status, all': '/print-jobs?status=failed&limit=0',
    'orders, first page': '/orders',
    'orders, middle page': `/orders?page=${page(listedOrders, 0.5)}`,
    'orders, last page': `/orders?page=${page(listedOrders, 0.97)}`,
    'orders with a print file': '/orders?has_print_file=true',
    'orders without a print file': '/orders?has_print_file=false',
    'orders, search by name': '/orders?search=lovelace',
    'orders, search by number': `/orders?search=${4 * Math.floor(orders / 8)}`,
    'orders, search without a hit': '/orders?search=zeppelin',
    'orders by id': '/orders?include=4,8,12',
    'one order': '/orders/4',
    'orders of forms': '/orders?type=shortcode',
    'orders of forms, search': '/orders?type=shortcode&search=turing',
    'shortcode orders': '/shortcode-orders',
    'shortcode orders, last page': `/shortcode-orders?page=${page(shortcodeOrders, 1)}`,
    system: '/system',
  }
  const pages = {
    'desk, orders': '/desk/orders',
    'desk, older orders': `/desk/orders?at=${Math.floor(listedOrders / 2)}.0.0`,
    'desk, orders without a print file': '/desk/orders?state=none',
    'desk, search by name': '/desk/orders?q=lovelace',
    'desk, search without a hit': '/desk/orders?q=zeppelin',
    'desk, orders of some days': '/desk/orders?since=2016-01-02&until=2016-01-03',
    'desk, one order': '/desk/order?type=wc&id=4',
    'desk, queue': '/desk/queue',
    'desk, products': '/desk/products',
    'desk, products, middle page': `/desk/products?page=${Math.max(1, Math.floor(products / 48))}`,
  }
  const prefixed = Object.entries(requests).map(([name, path]) => [name, api + path])
  return { ...Object.fromEntries(prefixed), ...pages }
}

/** An app with the API and the desk on this database. */
export async function shopApp(address: string): Promise<FastifyInstance> {
  const app = Fastify({ logger: false })
  app.register(svcApi, { database: address, siteUrl: 'https://shop.example' })
  app.register(svcDesk, { prefix: '/desk', authorize: () => true })
  await app.ready()
  return app
}

export interface Times {
  /** Milliseconds of requests that count anew. */
  p50: number
  p95: number
  /** Median of those that follow at once, whose total is known. */
  again: number
  /** Statuses other than 200, and the size of the last response. */
  problems: Set<number>
  bytes: number
}

/**
 * Sends each request twice a round. A round takes longer than totals are kept, so that the first of two counts anew.
 * @returns milliseconds by name
 */
export async function shopTimes(
  app: FastifyInstance,
  requests: Record<string, string>,
  rounds: number,
  secondsOfRound = 1.1,
): Promise<Map<string, Times>> {
  const found = new Map(
    Object.keys(requests).map((name) => [
      name,
      { all: [] as number[], repeated: [] as number[], problems: new Set<number>(), bytes: 0 },
    ]),
  )
  const headers = { authorization: `Bearer ${shopToken}` }
  for (let round = -1; round < rounds; round++) {
    const ended = delay(1000 * secondsOfRound)
    for (const [name, times] of found) {
      // The first round fills caches.
      for (const list of round < 0 ? [[], []] : [times.all, times.repeated]) {
        const begun = performance.now()
        const { statusCode, rawPayload } = await app.inject({ url: requests[name] ?? '', headers })
        list.push(performance.now() - begun)
        times.bytes = rawPayload.length
        if (statusCode !== 200) times.problems.add(statusCode)
      }
    }
    await ended
  }
  const at = (all: number[], share: number) =>
    all.sort((a, b) => a - b)[Math.floor((all.length - 1) * share)] ?? Number.NaN
  return new Map(
    [...found].map(([name, { all, repeated, ...rest }]) => {
      const times = { p50: at(all, 0.5), p95: at(all, 0.95), again: at(repeated, 0.5) }
      return [name, { ...times, ...rest }]
    }),
  )
}
