// A list of requests over all routes, good and bad, whose responses must not depend on the app around the API.
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify'
import { token } from './build.ts'

interface Ask {
  method: string
  path: string
  body?: string | object
  headers?: Record<string, string>
}

/** A response as far as the contract names it. */
export interface Recorded {
  request: string
  status: number
  headers: Record<string, unknown>
  body: string
}

const named = [
  ...['content-type', 'cache-control', 'x-content-type-options', 'x-request-id', 'etag', 'location', 'link'],
  ...['x-wp-total', 'x-wp-totalpages', 'www-authenticate', 'retry-after', 'idempotency-replayed'],
]

const json = { 'content-type': 'application/json' }
const blob = { nested: { list: [1, 2.5, null, 'ä😀'], big: 'x'.repeat(2000) } }

/** Creates, reads in all forms, changes and removes everything; ids are those of an empty database. */
const day: Ask[] = [
  { method: 'POST', path: '/products', body: { title: 'Shirt', type: 'template', options: blob } },
  { method: 'POST', path: '/products', body: { title: 'Cup', categories: [] } },
  { method: 'POST', path: '/products?include_views=1', body: { template_id: 1, title: 'From it' } },
  { method: 'POST', path: '/categories', body: { title: 'Clothes' } },
  { method: 'POST', path: '/categories', body: { title: ' CLOTHES ' } },
  { method: 'POST', path: '/categories', body: { title: 'Cups' }, headers: { 'idempotency-key': 'cups' } },
  { method: 'POST', path: '/categories', body: { title: 'Cups' }, headers: { 'idempotency-key': 'cups' } },
  { method: 'POST', path: '/categories', body: { title: 'Mugs' }, headers: { 'idempotency-key': 'cups' } },
  { method: 'PATCH', path: '/categories/1', body: { products: [1, 2] } },
  { method: 'PATCH', path: '/categories/1', body: { products: [1, 99] } },
  { method: 'POST', path: '/products/1/views', body: { title: 'Front', elements: [blob], options: blob } },
  { method: 'POST', path: '/products/1/views', body: { title: 'Back', order: 0 } },
  { method: 'POST', path: '/views/1/duplicate', body: {} },
  { method: 'POST', path: '/views/1/duplicate' },
  { method: 'PATCH', path: '/views/1', body: { options: { nested: null }, title: 'Face' } },
  { method: 'PATCH', path: '/products/1', body: { options: { more: true } } },
  { method: 'GET', path: '/products?limit=1&page=2&search=r' },
  { method: 'GET', path: '/products?limit=1&fields=id,title&order_by=title&order=asc' },
  { method: 'GET', path: '/products?include=1,2&include_views=true' },
  { method: 'GET', path: '/products?limit=0' },
  { method: 'GET', path: '/products?limit=1&limit=2' },
  { method: 'GET', path: '/products?limit[]=1&limit%5Ba%5D=1' },
  { method: 'GET', path: '/products?order_by=id;drop' },
  { method: 'GET', path: '/products/1?fields=title,nothing' },
  { method: 'GET', path: '/products/1', headers: { 'if-none-match': '*' } },
  { method: 'PATCH', path: '/products/1', body: { title: 'New' }, headers: { 'if-match': '"stale"' } },
  { method: 'GET', path: '/products/1/views' },
  { method: 'GET', path: '/categories?include_products=1' },
  { method: 'GET', path: '/categories/1' },
  { method: 'POST', path: '/categories/1/clear', headers: json },
  { method: 'GET', path: '/system?fields=site_url,rest_base,controllers' },
  { method: 'GET', path: '/products/' },
  { method: 'GET', path: '/%70roducts?limit=1' },
  { method: 'GET', path: '/nothing' },
  { method: 'GET', path: `/products/${'9'.repeat(300)}` },
  { method: 'DELETE', path: '/views/2' },
  { method: 'DELETE', path: '/products/1' },
  { method: 'DELETE', path: '/products/1' },
  { method: 'DELETE', path: '/categories/1' },
]

/** What can be wrong with a request on any route. */
const mishaps: ((method: string) => Partial<Ask>)[] = [
  () => ({ headers: { authorization: '' } }),
  () => ({ headers: { authorization: 'Bearer wrong' } }),
  () => ({}),
  () => ({ headers: json, body: '{"title":' }),
  () => ({ headers: json, body: '{"title":5,"surplus":1}' }),
  () => ({ headers: json, body: '{"__proto__":{}}' }),
  () => ({ headers: { 'content-type': 'text/plain' }, body: 'title=x' }),
  () => ({ headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }),
  () => ({ method: 'PUT' }),
  (method) => (method === 'GET' ? { method: 'HEAD' } : { method: 'OPTIONS' }),
]

function asksFor(routes: readonly RouteOptions[]): Ask[] {
  const known = new Set(day.map(({ method, path }) => method + path))
  return routes
    .filter(({ method }) => method !== 'HEAD')
    .flatMap((route, at) => {
      const method = String(route.method)
      const path = route.url
        .replace(/^.*\/svc\/v1/, '')
        .replace(/:\w+/g, '3')
        .replace(/\/$/, '')
      // Every third combination, so that each route and each error occurs often enough.
      return mishaps
        .filter((_, i) => (i + at) % 3 === 0)
        .map((mishap): Ask => ({ method, path, ...mishap(method) }))
    })
    .filter(({ method, path }) => !known.has(method + path))
}

/** Sends all requests in order and records the responses, without the path of the REST root. */
export async function record(
  app: FastifyInstance,
  routes: readonly RouteOptions[],
  prefix = '',
): Promise<Recorded[]> {
  const responses: Recorded[] = []
  const asks = [...day, ...asksFor(routes)]
  for (const [index, { method, path, body, headers = {} }] of asks.entries()) {
    const { authorization = `Bearer ${token}`, ...others } = headers
    const request: InjectOptions = {
      method: method as 'GET',
      url: `${prefix}/wp-json/svc/v1${path}`,
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        'x-request-id': `ask-${index}`,
        ...others,
      },
      ...(body === undefined ? {} : { payload: body }),
    }
    const response = await app.inject(request)
    const settled = (text: string) => text.replaceAll(`${prefix}/wp-json`, '/wp-json')
    responses.push({
      request: `${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body)?.slice(0, 80)}`,
      status: response.statusCode,
      headers: Object.fromEntries(
        named.map((name) => {
          const value = response.headers[name]
          return [name, typeof value === 'string' ? settled(value) : value]
        }),
      ),
      body: settled(response.payload),
    })
  }
  return responses
}
