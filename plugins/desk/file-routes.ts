// Print files for those who may see their orders: one, or all of an order as ZIP.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { hidden } from '../../src/http/schema.ts'
import { queryValue } from '../../src/pages/scope.ts'
import { type JobView, jobKey } from '../../src/print/job-overview.ts'
import { storedFile } from '../../src/print/print-file.ts'
import { zipStream } from '../../src/renderer/zip.ts'
import { isLocal, type StoredAt } from '../../src/storage/storages.ts'
import { type Desk, orderIn } from './desk.ts'

/** Fastify would read every file to its end, which nobody gets. */
const exposeHeadRoute = false

export function fileRoutes({ app, context, jobs, assertMay }: Desk): void {
  const { storages } = context

  const fileOf = (job: JobView): StoredAt | undefined => {
    const file = storedFile(job.file)
    return file && isLocal(file) && !storages.local ? undefined : file
  }
  const open = async (file: StoredAt) => (await storages.at(file)).open(file.key)

  app.get('/file', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const job = await jobs.find(queryValue(request, 'job'))
    const file = job && fileOf(job)
    if (!file) throw noFile()
    const bytes = await open(file).catch(unlessMissing)
    if (!bytes) throw noFile()
    return attached(reply, nameIn(file)).send(bytes)
  })

  app.get('/files', { schema: hidden, exposeHeadRoute }, async (request, reply) => {
    assertMay(request, 'orders:read')
    const name = orderIn((part) => queryValue(request, part))
    const newest = new Map<string, StoredAt>()
    for (const job of await jobs.history(name)) {
      const file = job.status === 'completed' ? fileOf(job) : undefined
      if (file && !newest.has(jobKey(job.order))) newest.set(jobKey(job.order), file)
    }
    if (newest.size === 0) throw noFile()
    const taken = new Set<string>()
    const files = [...newest.values()].map((file, index) => {
      const own = nameIn(file)
      const title = taken.has(own) ? `${index + 1}-${own}` : own
      taken.add(title)
      return { name: title, open: () => open(file) }
    })
    return attached(reply, `order-${name.id}.zip`).send(
      Readable.from(zipStream(files), { objectMode: false }),
    )
  })
}

const noFile = () => new SvcError('rest_no_route', { message: 'There is no such file.' })

function unlessMissing(error: unknown): undefined {
  if (Reflect.get(Object(error), 'code') !== 'ENOENT') throw error
}

/** Never shown by the browser: a drawing could contain scripts. */
const attached = (reply: FastifyReply, name: string): FastifyReply =>
  reply.type('application/octet-stream').header('content-disposition', `attachment; filename="${name}"`)

/** The last part of the key, in characters that every system takes. */
const nameIn = ({ key }: StoredAt) =>
  (key.split('/').at(-1) ?? '').replaceAll(/[^A-Za-z0-9._-]+/g, '-') || 'file'
