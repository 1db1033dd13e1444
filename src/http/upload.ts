// Takes one uploaded file: streamed to a temporary name, counted while it comes, gone again whatever happens.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import { invalidParams, missingParams, SvcError } from '../errors.ts'

export interface UploadedFile {
  /** The client's name for it; never a path. */
  name: string
  /** The other fields of the form. */
  fields: Record<string, string>
  /** Hash of the bytes. */
  sha256: string
  read(): Promise<Uint8Array>
}

interface Form {
  /** Folder below the uploads folder where the file waits. */
  folder: string
  /** Largest file in bytes. */
  bytes: number
  /** Names of the text fields that may stand beside the file. */
  fields: readonly string[]
}

type Storage = NonNullable<SvcContext['storage']>
type Incoming = Awaited<ReturnType<Storage['receive']>>

const longestField = 1024
/** Bytes that a form may have around its file. */
const formOverhead = 64 * 1024
/** Milliseconds and bytes in which a client that is still sending can read the refusal, before the connection is cut. */
const farewell = { time: 1000, bytes: 8 * 1024 * 1024 }

/** Lets the routes of this scope, which must be one of their own, take forms. The stream becomes the body, unread. */
export function takeForms(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
}

/**
 * Receives the file of the form and runs `work` on it, after which it is removed.
 * @throws SvcError 400 for another form, 408, 413; 503 where there is no uploads folder
 */
export async function withUpload<T>(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: Form,
  work: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  const stream = request.body
  if (!(stream instanceof Readable)) throw missingParams(['file'])
  const incoming = await receivingIn(context, form, stream, request, reply)
  try {
    return await work(incoming.file)
  } finally {
    await incoming.discard()
  }
}

async function receivingIn(
  { storage, uploadSeconds }: SvcContext,
  form: Form,
  stream: Readable,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ file: UploadedFile; discard(): Promise<void> }> {
  let incoming: Incoming | undefined
  try {
    incoming = await uploadsOf(storage).receive(form.folder)
    const { discard, read } = incoming
    const file = await receive(stream, contentType(request), form, incoming, uploadSeconds * 1000)
    return { file: { ...file, read }, discard }
  } catch (error) {
    drainRejectedUpload(stream, request, reply)
    await incoming?.discard()
    throw error
  }
}

/** @throws SvcError 503 where the host named no uploads folder */
export function uploadsOf(storage: SvcContext['storage']): Storage {
  if (!storage) throw new SvcError('svc_storage_not_configured')
  return storage
}

/** The parser searches for the boundary all the time; a long one would make that slow. */
function contentType({ headers }: FastifyRequest): string {
  const value = headers['content-type'] ?? ''
  const boundary = /;\s*boundary=(?:"([^"]*)"|([^\s;]*))/i.exec(value)
  const length = (boundary?.[1] ?? boundary?.[2] ?? '').length
  if (length < 1 || length > 70 || value.length > 200) {
    throw invalidParams({ 'Content-Type': 'must name a boundary of 1 to 70 characters' })
  }
  return value
}

const tooLarge = ({ bytes }: Form) =>
  new SvcError('svc_upload_too_large', {
    message: `The file is larger than the ${Number((bytes / 1_048_576).toFixed(2))} MB that uploads may have.`,
    data: { limit: bytes },
  })

/** Parses the form, and stops at the first thing that is wrong with it. */
function receive(
  stream: Readable,
  type: string,
  form: Form,
  incoming: Incoming,
  time: number,
): Promise<Omit<UploadedFile, 'read'>> {
  const parser = new Busboy({
    headers: { 'content-type': type } as BusboyHeaders,
    limits: {
      fileSize: form.bytes,
      files: 1,
      fields: form.fields.length,
      fieldSize: longestField,
      parts: form.fields.length + 1,
      headerPairs: 20,
      headerSize: 8 * 1024,
    },
  })
  const { promise, resolve, reject } = Promise.withResolvers<Omit<UploadedFile, 'read'>>()
  const fields = new Map<string, string>()
  const digest = createHash('sha256')
  let name: string | undefined
  let written: Promise<void> = Promise.resolve()
  let part: Readable | undefined

  const fail = (error: unknown) => {
    stream.unpipe(parser)
    stream.pause()
    // Whoever reads the part must not wait for the rest of it.
    part?.destroy(new Error('The form is not read further.'))
    reject(error)
  }
  const refuse = (problem: Record<string, string>) => fail(invalidParams(problem))
  const timer = setTimeout(() => fail(new SvcError('svc_upload_too_slow')), time)
  const broken = () => refuse({ body: 'must be a whole form (multipart/form-data)' })
  const interrupted = () => stream.readableEnded || broken()
  const tooMany = () => refuse({ file: 'must be one file, with no other fields than those of this form' })

  parser
    .on('file', (field, file, filename) => {
      part = file
      file.on('error', broken)
      if (field !== 'file')
        return refuse({ [field ?? 'a part without a name']: 'is not a field of this form' })
      if (!filename) return fail(missingParams(['file']))
      name = filename
      file.once('limit', () => fail(tooLarge(form)))
      written = save(file, incoming, digest)
      written.catch(fail)
    })
    .on('field', (field, value, _nameCut, valueCut) => {
      if (field === 'file') refuse({ file: 'must be sent as a file, with a file name' })
      else if (!form.fields.includes(field))
        refuse({ [field ?? 'a part without a name']: 'is not a field of this form' })
      else if (valueCut) refuse({ [field]: `must be at most ${longestField} bytes long` })
      else fields.set(field, value)
    })
    .on('partsLimit', tooMany)
    .on('filesLimit', tooMany)
    .on('fieldsLimit', tooMany)
    .on('error', broken)
    .on('finish', () => {
      written.then(() => {
        if (name === undefined) fail(missingParams(['file']))
        else resolve({ name, fields: Object.fromEntries(fields), sha256: digest.digest('hex') })
      }, fail)
    })
  stream.on('error', interrupted).on('close', interrupted)
  stream.pipe(parser)
  // Behind the parser, which knows better what is too much.
  let come = 0
  const count = (chunk: Buffer) => {
    come += chunk.length
    if (come > form.bytes + formOverhead) name === undefined ? tooMany() : fail(tooLarge(form))
  }
  stream.on('data', count)
  // What has happened to it before says nothing any more.
  if (stream.destroyed) interrupted()
  return promise.finally(() => {
    clearTimeout(timer)
    stream.off('close', interrupted).off('data', count)
  })
}

async function save(file: Readable, incoming: Incoming, digest: ReturnType<typeof createHash>) {
  for await (const chunk of file as AsyncIterable<Buffer>) {
    digest.update(chunk)
    await incoming.write(chunk)
  }
}

/** What still comes is thrown away for a moment, so that the refusal reaches clients that send before they read. */
function drainRejectedUpload(stream: Readable, request: FastifyRequest, reply: FastifyReply): void {
  if (stream.readableEnded) return
  const cut = () => request.raw.destroy()
  reply.raw.once('finish', () => {
    const timer = setTimeout(cut, farewell.time).unref()
    let more = 0
    stream.on('data', (chunk: Buffer) => {
      more += chunk.length
      if (more > farewell.bytes) cut()
    })
    stream.once('close', () => clearTimeout(timer)).resume()
  })
}
