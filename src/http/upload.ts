// Receives one uploaded file: streamed to a temporary file, with limited size and time, and always removed afterwards.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Multipart, MultipartFile, MultipartValue } from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { type ErrorCode, invalidParams, missingParams, SvcError } from '../core/errors.ts'
import { errorCode } from '../core/foreign.ts'
import { boundedStream, discardRest, type FormStream } from './form-stream.ts'

/** A received file, until `withUpload` removes it. */
export interface UploadedFile {
  /** File name from the client; never a path. */
  name: string
  /** The other fields of the form. */
  fields: Record<string, string>
  /** Hash of the bytes, in hexadecimal digits. */
  sha256: string
  /** Reads the whole file. */
  read(): Promise<Uint8Array>
}

interface Form {
  /** Returns the storage for the temporary file. */
  spool: () => Promise<Spool>
  /** The folder of the temporary file in that storage. */
  folder: string
  /** Maximum size of the file in bytes. */
  bytes: number
  /** Names of the other fields that the form may have. */
  fields: readonly string[]
}

type Spool = Awaited<ReturnType<SvcContext['assetSpool']>>
type Incoming = Awaited<ReturnType<Spool['receive']>>

const maxFieldBytes = 1024
/** Bytes that a form may have in addition to its file. */
const formOverhead = 64 * 1024

/** The key of the request decorators of @fastify/multipart on an instance. */
const partsKey: unique symbol = Symbol('svc-api form parts')

declare module 'fastify' {
  interface FastifyInstance {
    [partsKey]?: PropertyDescriptorMap
  }
}

/** Accepts forms on the routes of this scope, which must be a scope of its own. `request.body` is the unread stream then. */
export function acceptForms(app: FastifyInstance): void {
  const decorators: PropertyDescriptorMap = {}
  app.decorate(partsKey, decorators)
  app.register(async () => {
    const { default: multipart } = await import('@fastify/multipart')
    await promisify(multipart)(isolatedScope(app, decorators), {})
  })
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload))
}

/**
 * The scope as @fastify/multipart sees it: its request decorators go to `decorators`, and its parser and hooks are ignored. The host
 * may have registered that plugin itself, in another version or with other limits, or may use its names.
 */
function isolatedScope(app: FastifyInstance, decorators: PropertyDescriptorMap): FastifyInstance {
  const ignore = { value: () => scope }
  const scope: FastifyInstance = Object.create(app, {
    decorate: ignore,
    addHook: ignore,
    addContentTypeParser: ignore,
    hasRequestDecorator: { value: (name: string) => Object.hasOwn(decorators, name) },
    decorateRequest: {
      value(name: string | symbol, value: unknown) {
        decorators[name] = { value, writable: true }
        return scope
      },
    },
  })
  return scope
}

/**
 * Receives the file of the form, runs `work` on it, and removes it.
 * @throws SvcError 400 for an invalid form, 408, 413; 503 without an uploads folder
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
  let incoming: Incoming | undefined
  const received = async () => {
    incoming = await (await form.spool()).receive(form.folder)
    const file = await receive(stream, request, form, incoming, context.uploadSeconds * 1000)
    return { ...file, read: incoming.read }
  }
  try {
    return await work(await received().finally(() => discardRest(stream, request, reply)))
  } finally {
    await incoming?.discard()
  }
}

/** Error codes of every upload. */
export const uploadCauses = [
  'svc_storage_not_configured',
  'svc_upload_too_slow',
  'svc_upload_too_large',
  'svc_upload_type_not_allowed',
  'svc_upload_type_mismatch',
  'svc_upload_rejected',
] as const satisfies readonly ErrorCode[]

/** @throws SvcError 503 if the host has configured no uploads folder */
export function requireStorage(storage: SvcContext['storage']): Spool {
  if (!storage) throw new SvcError('svc_storage_not_configured')
  return storage
}

/**
 * The Content-Type of a form (RFC 7578).
 * @throws SvcError 400 unless its boundary has 1 to 70 characters (RFC 2046 §5.1.1): a longer one would slow down the parser
 */
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
    message: `The file exceeds the upload limit of ${Number((bytes / 1_048_576).toFixed(2))} MB.`,
    data: { limit: bytes },
  })

/**
 * Parses the form and stops at the first error. The plugin reads a copy of the request's stream: when the request ends or fails, the
 * copy is destroyed, so that the plugin stops waiting. It also keeps hooks of the host from taking the request for a form.
 * @param stream body of the request
 * @param time milliseconds
 */
async function receive(
  stream: Readable,
  request: FastifyRequest,
  form: Form,
  incoming: Incoming,
  time: number,
): Promise<Omit<UploadedFile, 'read'>> {
  const source = boundedStream(form.bytes + formOverhead, { 'content-type': contentType(request) })
  const interrupted = () => stream.readableEnded || source.destroy(broken())
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new SvcError('svc_upload_too_slow')), time)
  stream.on('error', interrupted).on('close', interrupted).pipe(source)
  // A stream that has failed before emits no event.
  if (stream.destroyed) interrupted()
  const reading = readForm(partsOf(request, source, form), source, form, incoming)
  try {
    return await Promise.race([reading, timeout])
  } finally {
    clearTimeout(timer)
    // The listener of errors stays: an error that comes later would be uncaught.
    stream.off('close', interrupted).unpipe(source)
    source.destroy(broken())
    // After a timeout the outcome of the form is ignored.
    reading.catch(() => {})
  }
}

/** The parts of the form, parsed by the plugin with these limits. */
function partsOf(
  request: FastifyRequest,
  source: FormStream,
  { bytes, fields }: Form,
): AsyncIterable<Multipart> {
  const reader: FastifyRequest = Object.create(request, {
    ...request.server[partsKey],
    raw: { value: source },
    isMultipart: { value: () => true },
  })
  const limits = {
    fileSize: bytes,
    files: 1,
    // One more, so that an unknown field is refused by its name.
    fields: fields.length + 1,
    fieldSize: maxFieldBytes,
    parts: fields.length + 2,
    headerPairs: 20,
    headerSize: 8 * 1024,
  }
  return reader.parts(Object.assign({ limits }, { throwFileSizeLimit: false }))
}

/** Reads all parts: writes the file to `incoming`, and returns its name and hash with the other fields. */
async function readForm(
  parts: AsyncIterable<Multipart>,
  source: FormStream,
  form: Form,
  incoming: Incoming,
): Promise<Omit<UploadedFile, 'read'>> {
  const fields = new Map<string, string>()
  let file: Pick<UploadedFile, 'name' | 'sha256'> | undefined
  /** Whether the file has begun: a form that is too long is then so because of it. */
  let hasFile = false
  /** The refusal of a form that ends in its middle. */
  const incomplete = () => (source.exceeded ? (hasFile ? tooLarge(form) : tooMany()) : broken())
  for await (const part of asRefusals(parts, incomplete)) {
    if (part.type === 'file') {
      hasFile = true
      file = await readFile(part, form, incoming, incomplete)
    } else fields.set(part.fieldname, textOf(part, form))
  }
  if (source.exceeded) throw incomplete()
  if (!file) throw missingParams(['file'])
  return { ...file, fields: Object.fromEntries(fields) }
}

async function readFile(
  { fieldname, filename, file }: MultipartFile,
  form: Form,
  incoming: Incoming,
  incomplete: () => SvcError,
): Promise<Pick<UploadedFile, 'name' | 'sha256'>> {
  if (fieldname !== 'file') throw unknownField(fieldname)
  if (!filename) throw missingParams(['file'])
  // The first chunk may exceed the limit already. A part that exceeds it never ends, so it is destroyed.
  if (file.truncated) throw tooLarge(form)
  file.once('limit', () => file.destroy(tooLarge(form)))
  const digest = createHash('sha256')
  for await (const chunk of asRefusals<Buffer>(file, incomplete)) {
    digest.update(chunk)
    await incoming.write(chunk)
  }
  return { name: filename, sha256: digest.digest('hex') }
}

/** The text of another field. @throws SvcError 400 if the form may not have it */
function textOf({ fieldname, value, valueTruncated }: MultipartValue, { fields }: Form): string {
  if (fieldname === 'file') throw invalidParams({ file: 'must be sent as a file, with a file name' })
  if (!fields.includes(fieldname)) throw unknownField(fieldname)
  if (valueTruncated) throw invalidParams({ [fieldname]: `must be at most ${maxFieldBytes} bytes long` })
  // The plugin parses fields whose type is JSON.
  if (typeof value !== 'string') throw invalidParams({ [fieldname]: 'must be a string' })
  return value
}

const broken = () => invalidParams({ body: 'must be a complete form (multipart/form-data)' })
const tooMany = () =>
  invalidParams({ file: 'must be a single file, and only the fields of this form may accompany it' })
const unknownField = (name: string | undefined) =>
  invalidParams({ [name ?? 'a part without a name']: 'is not a field of this form' })

/** Refusals by the error code of the parser. */
const refusals: Record<string, () => SvcError> = {
  FST_PARTS_LIMIT: tooMany,
  FST_FILES_LIMIT: tooMany,
  FST_FIELDS_LIMIT: tooMany,
  FST_PROTO_VIOLATION: tooMany,
  FST_INVALID_JSON_FIELD_ERROR: () =>
    invalidParams({ body: 'contains a field that is not valid JSON, although its type says so' }),
}

/** The same items. Errors of the parser become refusals: those of `refusals`, or else that of an incomplete form. */
async function* asRefusals<T>(items: AsyncIterable<T>, incomplete: () => SvcError): AsyncIterable<T> {
  try {
    yield* items
  } catch (error) {
    if (error instanceof SvcError) throw error
    throw (refusals[errorCode(error) ?? ''] ?? incomplete)()
  }
}
