// The routes of finished print files, for visitors who may see their orders: one file, or those of an order or of items as ZIP.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { asciiName } from '../../src/core/print-name.ts'
import { hidden } from '../../src/http/schema.ts'
import { type ItemRef, itemKey } from '../../src/orders/print-states.ts'
import { queryValue } from '../../src/pages/scope.ts'
import { type JobView, jobKey } from '../../src/print/job-overview.ts'
import { storedFile } from '../../src/print/print-file.ts'
import { zipStream } from '../../src/renderer/zip.ts'
import { isLocal, type StoredAt } from '../../src/storage/storages.ts'
import { itemsIn } from './batch.ts'
import type { Desk } from './desk.ts'
import { orderIn } from './drawn.ts'

/** For HEAD, Fastify would read the whole file and discard it. */
const exposeHeadRoute = false

/** The routes that download finished print files. */
export function fileRoutes({ app, context, jobs, assertMay, timeZone }: Desk): void {
  const { storages, fileNames } = context

  const fileOf = (job: JobView): StoredAt | undefined => {
    const file = storedFile(job.file)
    return file && isLocal(file) && !storages.local ? undefined : file
  }
  /** The file as `fileNames` names it. */
  const named = ({ id, order }: JobView, { key }: StoredAt) => ({ order, jobId: id, key })
  const open = async (file: StoredAt) => (await storages.at(file)).open(file.key)

  /** The newest job of each of these items. */
  async function newestOf(items: readonly ItemRef[]): Promise<JobView[]> {
    const newest = await jobs.newest(items)
    return items.flatMap((item) => newest.get(itemKey(item)) ?? [])
  }

  app.get('/file', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const job = await jobs.find(queryValue(request, 'job'))
    const file = job && fileOf(job)
    if (!file) throw noFile()
    const bytes = await open(file).catch(unlessMissing)
    if (!bytes) throw noFile()
    return attached(reply, await fileNames.ofDownload(named(job, file))).send(bytes)
  })

  app.get('/files', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const items = itemsIn(queryValue(request, 'items').split(','))
    const order = items.length > 0 ? undefined : orderIn((part) => queryValue(request, part))
    const newest = new Map<string, { job: JobView; file: StoredAt }>()
    for (const job of order ? await jobs.history(order) : await newestOf(items)) {
      const file = job.status === 'completed' ? fileOf(job) : undefined
      if (file && !newest.has(jobKey(job.order))) newest.set(jobKey(job.order), { job, file })
    }
    if (newest.size === 0) throw noFile()
    const stored = [...newest.values()]
    const names = await fileNames.inFolder(stored.map(({ job, file }) => named(job, file)))
    const files = stored.map(({ file }, index) => ({ name: names[index] ?? 'file', open: () => open(file) }))
    const zip = Readable.from(zipStream(files), { objectMode: false })
    if (!order) return attached(reply, `orders-${timestamp(await timeZone())}.zip`).send(zip)
    const { type, id } = order
    const orderOfFile = { type, orderId: String(id), itemId: 0 }
    const name = await fileNames.ofDownload({ order: orderOfFile, jobId: 0, key: `order-${id}.zip` })
    return attached(reply, name).send(zip)
  })
}

const noFile = () => new SvcError('rest_no_route', { message: 'There is no such file.' })

function unlessMissing(error: unknown): undefined {
  if (Reflect.get(Object(error), 'code') !== 'ENOENT') throw error
}

/** Makes the browser save the response under this name and not show it: a drawing could contain scripts. */
export const attached = (reply: FastifyReply, name: string): FastifyReply =>
  reply.type('application/octet-stream').header('content-disposition', attachment(name))

/** The current time as a part of a file name, such as `2026-04-29-153012`. */
export const timestamp = (zone: string): string =>
  new Date().toLocaleString('sv-SE', { timeZone: zone }).replaceAll(':', '').replace(' ', '-')

/** RFC 6266: the name in ASCII, and the whole one as RFC 8187 encodes it. */
function attachment(name: string): string {
  const plain = asciiName(name) || 'file'
  if (plain === name) return `attachment; filename="${plain}"`
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
