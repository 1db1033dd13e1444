// Successful responses: body, ETag, 304, Location, and a limit for what clients leave unread.
import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { unreadableValue } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import type { Found } from '../core/resource.ts'
import { tryAgain } from '../core/unavailable.ts'
import { matchesEtag, setEtag } from './etag.ts'
import type { Meta } from './schema.ts'

/** The success body. */
export const ok = (data: unknown, meta?: Meta) => ({ success: true, data, meta })

/** The success body of a delete. */
export const deleted = (id: number) => ok({ id, deleted: true })

/** The representation of a resource. */
interface Representation<T> {
  /** As in `setEtag`. */
  representation: string
  /** The selected properties. */
  data: Partial<T>
  /** Physical name of the table, for errors about stored values. */
  table: string
}

/**
 * The response to GET of one resource: 304 if the client has this state of it.
 * @throws SvcError 500 if a selected value cannot be read; those of nested items are null and listed
 */
export function sendOne<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, unreadable }: Found<T>,
  { representation, data, table }: Representation<T>,
) {
  const etag = setEtag(reply, state, representation)
  if (matchesEtag(request, etag)) return reply.code(304).send()
  const nested = unreadable.filter((value) => value.table !== undefined)
  for (const { id, column, table: nestedTable } of unreadable) {
    if (nestedTable === undefined && Object.hasOwn(data, column))
      throw unreadableValue({ table, row: id, column })
  }
  return ok(data, nested.length > 0 ? { unreadable: nested } : undefined)
}

/**
 * The response to a write: the resource as GET returns it. Values that cannot be read are null and listed, because the write itself
 * has succeeded.
 * @param warnings sentences about the written properties
 */
export function sendWritten<T extends object>(
  reply: FastifyReply,
  { state, unreadable }: Found<T>,
  representation: string,
  data: Partial<T>,
  warnings: string[] = [],
) {
  setEtag(reply, state, representation)
  const meta = { ...(unreadable.length > 0 && { unreadable }), ...(warnings.length > 0 && { warnings }) }
  return ok(data, Object.keys(meta).length > 0 ? meta : undefined)
}

/** Properties that identify a resource: its key is the first of them that its schema has. */
const keys = ['id', 'print_job_id', 'order_id', 'key', 'index', 'name']

/**
 * A function that makes the body of a minimal response from `data`: only the key; empty `data` if the resource has none.
 * @param schema of the whole response
 */
export function minimalWriter(schema: TSchema | undefined): (data: unknown) => string {
  const properties: object = schema?.properties?.data?.properties ?? {}
  const key = keys.find((name) => Object.hasOwn(properties, name))
  if (key === undefined) return () => JSON.stringify(ok({}))
  return (data) => JSON.stringify(ok({ [key]: membersOf(data)[key] }))
}

/** Sets 201 and the URL of the new resource. @param path below the namespace */
export function created(context: SvcContext, reply: FastifyReply, path: string): void {
  reply.code(201).header('location', `${context.site.restBase}/svc/v1${path}`)
}

/** The selected properties of a resource. */
export function pick<T extends object>(
  resource: T,
  selection: { has(name: string): boolean; isWhole?: boolean },
): Partial<T> {
  // Lists read selected properties only: a copy of each item would cost a tenth of their time.
  if (selection.isWhole || Object.keys(resource).every((name) => selection.has(name))) return resource
  return Object.fromEntries(Object.entries(resource).filter(([name]) => selection.has(name))) as Partial<T>
}

/** Limit, in bytes, of large responses that clients leave unread at the same time. A single one is always sent. Tests lower it. */
export const unreadBytes = { most: 256 * 1024 * 1024 }
/** Bytes of large responses that clients have not read yet, in this process. */
let unreadNow = 0

/**
 * Counts a large response as unread until its connection has taken it or is closed. Call it before the response is sent.
 * @param size characters of the response, which are bytes for most responses
 * @throws SvcError 503 if clients leave too much unread
 */
export function countUnread({ raw }: FastifyReply, size: number): void {
  if (raw.destroyed) return
  if (unreadNow > 0 && unreadNow + size > unreadBytes.most)
    throw tryAgain({
      reason: 'responses',
      message: 'Too many large responses are being sent; try again later.',
      seconds: 5,
    })
  unreadNow += size
  raw.once('close', () => {
    unreadNow -= size
  })
}
