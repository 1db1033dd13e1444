// What a route does with the result of its handler: the time limit, the author of its changes, and the serialized response.
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { reporting } from '../core/change.ts'
import { requestTime, within } from '../core/deadline.ts'
import { SvcError, withRequestedId } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { requestIdOf, wantsMinimal } from './headers.ts'
import { principalOf } from './principal.ts'
import { countUnread, minimalWriter } from './response.ts'
import { writerOf } from './serialize.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route has time limits of its own, because it waits for other services. */
    patient?: true
  }
}

/** Characters from which a response counts as large; see `countUnread`. */
const largeResponse = 512 * 1024

/**
 * The handler with a time limit, after which the response is 503, and with its result serialized by the schema of its
 * status. Fastify does not serialize it, because the host may have replaced its serializer.
 */
export function responding(
  { handler, schema, config, method }: RouteOptions,
  { database }: SvcContext,
  isOpen: boolean,
): RouteHandlerMethod {
  const inTime: typeof within = config?.patient ? (_budget, work) => work() : within
  // As `responses` declares them; Fastify's type leaves them open.
  const schemas = (schema?.response ?? {}) as Record<string, TSchema>
  const writers = byStatus(schemas, writerOf)
  const minimalWriters = byStatus(schemas, minimalWriter)
  const isWrite = [method].flat().some((name) => ['POST', 'PUT', 'PATCH'].includes(name))
  const operation = config?.operation?.id ?? config?.twinOf
  const isRead = [method].flat().includes('GET')
  const reports = database.reportsChanges && operation !== undefined && !isRead
  return function (this: FastifyInstance, request, reply) {
    const isMinimal = isWrite && wantsMinimal(request)
    const handle = async () => handler.call(this, request, reply)
    const work = reports ? () => reporting(authorOf(request, operation, isOpen), handle) : handle
    return inTime(requestTime.handler, async () => {
      const result: unknown = await work().catch((error: unknown) => {
        throw withRequestedPath(error, request)
      })
      // Pictures are sent as they are.
      if (typeof result !== 'object' || result === null || Buffer.isBuffer(result)) return result
      reply.header('content-type', 'application/json; charset=utf-8')
      if (isMinimal) {
        // RFC 7240 §3. The route may have applied another preference.
        const applied = reply.getHeader('preference-applied')
        reply.header('preference-applied', applied ? `${applied}, return=minimal` : 'return=minimal')
        const writeKey = minimalWriters.get(reply.statusCode) ?? minimalWriter(undefined)
        return writeKey(membersOf(result).data)
      }
      const write = writers.get(reply.statusCode)
      const text = write ? write(result) : JSON.stringify(result)
      // Only reads: never fail a write after it has been committed.
      if (isRead && text.length >= largeResponse) countUnread(reply, text.length)
      return text
    })
  }
}

/** The author of the changes that the request makes. */
function authorOf(request: FastifyRequest, operation: string, isOpen: boolean) {
  const { kind, name } = principalOf(request)
  return { operation, principal: isOpen ? null : { kind, name }, request_id: requestIdOf(request) }
}

/** Makes one writer for each status. */
const byStatus = <W>(schemas: Record<string, TSchema>, make: (schema: TSchema) => W) =>
  new Map(Object.entries(schemas).map(([status, schema]) => [Number(status), make(schema)]))

/** A 404 with the requested id in its message; other errors unchanged. */
function withRequestedPath(error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof SvcError) || error.statusCode !== 404) return error
  // The notification of a print file may name another job in its body.
  const { guid: _, ...requested } = membersOf(request.params)
  return withRequestedId(error, Object.values(requested).join('/'))
}
