// A shop with one order, and an export service whose responses a test defines.
import type { RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import type { Test } from 'tap'
import { createShop, shopOrder } from '../fixtures/shop.ts'
import { httpServer } from '../peers/servers.ts'
import type { BuildOptions, Engine } from './build.ts'
import { printHost } from './print.ts'

export const view = {
  title: 'Front',
  thumbnail: 'data:image/png;base64,AAAA',
  elements: [{ type: 'text', source: 'Ada' }],
  options: {
    stageWidth: 1000,
    stageHeight: 800,
    output: { width: 210 },
    printingBox: { left: 1 },
    maxPrice: 9,
  },
}
export const design = { product: [view], usedFonts: [{ name: 'Lobster' }], other: true }

/** Writes the service's response to a request; gets the response and the job's GUID. */
type ServiceResponse = (response: Parameters<RequestListener>[1], guid: string) => void

export const accept: ServiceResponse = (response) => response.end('{"data":{"print_job_id":"x"}}')

/** The response body of a service whose file is ready immediately. */
export const readyAt = (url: string) => JSON.stringify({ data: { file_url: url } })

interface ShopOptions extends Omit<BuildOptions, 'engine'> {
  /** Seconds that an export waits for its file. */
  wait?: number
  /** Seconds that the service may take. */
  seconds?: number
}

/** `requests` are the bodies that the service received; `say` holds its next response. */
export async function exportShop(
  t: Test,
  engine: Engine,
  saying: ServiceResponse,
  { wait, seconds = 10, ...options }: ShopOptions = {},
) {
  const requests: Record<string, unknown>[] = []
  const say = { answer: saying }
  const service = await httpServer(t, async (request, response) => {
    const body = (await json(request)) as Record<string, unknown>
    requests.push(body)
    say.answer(response, String(body.print_job_id))
  })
  const changes: unknown[] = []
  const host = await printHost(t, {
    engine,
    exportService: { url: `${service.url}/export`, seconds },
    onPrintJobChanged: ({ status }) => changes.push(status),
    ...(wait !== undefined && { export: { wait } }),
    ...options,
  })
  await createShop(host)
  const { id, items } = await shopOrder(host, 'posts', {
    items: [{ meta: [['_svc_data', JSON.stringify(design)]] }],
  })
  const order = (body: object = {}, headers: Record<string, string> = {}) =>
    host.call('POST', `/orders/${id}/export`, { item_id: items[0], ...body }, headers)
  const set = (option_name: string, option_value: string) =>
    host.db.insertInto(host.t.options).values({ option_name, option_value, autoload: 'yes' }).execute()
  return { host, service, requests, changes, say, id, item: items[0] ?? 0, order, set }
}
