// Downloads of finished print files, for visitors who may see orders: the file of a job, or those of an order as ZIP.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { errorCode } from '../../src/core/foreign.ts'
import { asciiName } from '../../src/core/print-name.ts'
import { hidden } from '../../src/http/schema.ts'
import { queryValue } from '../../src/pages/form.ts'
import type { JobView } from '../../src/print/job-overview.ts'
import { storedFile } from '../../src/print/print-file.ts'
import { zipStream } from '../../src/renderer/zip-writer.ts'
import { isLocal, type StoredAt } from '../../src/storage/storages.ts'
import { orderIn } from './design-ref.ts'
import type { Desk } from './desk.ts'

/** For HEAD, Fastify would read the whole file and discard it. */
const exposeHeadRoute = false

/** The routes that download finished print files. */
export function fileRoutes(desk: Desk): void {
  const { app, context, jobs, assertMay } = desk
  const { fileNames } = context

  app.get('/file', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const job = await jobs.find(queryValue(request, 'job'))
    const file = job && fileOf(desk, job)
    if (!file) throw noFile()
    const bytes = await open(desk, file).catch(unlessMissing)
    if (!bytes) throw noFile()
    return attached(reply, await fileNames.ofDownload(namedFile(job, file))).send(bytes)
  })

  app.get('/files', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const { type, id } = orderIn((part) => queryValue(request, part))
    const newest = await jobs.newest([{ type, id }], { status: 'completed' })
    const zip = await zipOf(desk, [...newest.values()])
    const order = { type, orderId: String(id), itemId: 0 }
    const name = await fileNames.ofDownload({ order, jobId: 0, key: `order-${id}.zip` })
    return attached(reply, name).send(zip)
  })
}

/** Where the file of a job is stored; undefined if it has none, or if it is in an uploads folder that this host does not have. */
function fileOf({ context: { storages } }: Desk, job: JobView): StoredAt | undefined {
  const file = storedFile(job.file)
  return file && isLocal(file) && !storages.local ? undefined : file
}

/** A file as `fileNames` takes it. */
const namedFile = ({ id, order }: JobView, { key }: StoredAt) => ({ order, jobId: id, key })

const open = async ({ context: { storages } }: Desk, file: StoredAt) =>
  (await storages.at(file)).open(file.key)

/** A ZIP of the finished files of these jobs. @throws SvcError 404 if none of them has one */
export async function zipOf(desk: Desk, jobs: readonly JobView[]): Promise<Readable> {
  const stored = jobs.flatMap((job) => {
    const file = job.status === 'completed' ? fileOf(desk, job) : undefined
    return file ? [{ job, file }] : []
  })
  if (stored.length === 0) throw noFile()
  const names = await desk.context.fileNames.inFolder(stored.map(({ job, file }) => namedFile(job, file)))
  const files = stored.map(({ file }, index) => ({
    name: names[index] ?? 'file',
    open: () => open(desk, file),
  }))
  return Readable.from(zipStream(files), { objectMode: false })
}

const noFile = () => new SvcError('rest_no_route', { message: 'There is no such file.' })

function unlessMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
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
