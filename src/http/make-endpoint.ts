// Makes the endpoint of each route of a group: its gate, the check of body and query, and the handler with its time limit, the author
// of its changes, and its result as the serialized response.
import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { reporting } from '../core/change.ts'
import { requestTime, within } from '../core/deadline.ts'
import { SvcError, withRequestedId } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { type Declaration, tagOf } from '../core/groups.ts'
import { type NeededScope, neededScope } from '../core/scopes.ts'
import type { Endpoint } from './endpoint.ts'
import { gate, publicGate } from './gate.ts'
import { requestIdOf, wantsMinimal } from './headers.ts'
import { documentedConfig, recordOperation } from './operations.ts'
import { principalOf } from './principal.ts'
import { countUnread, minimalWriter } from './response.ts'
import { writerOf } from './serialize.ts'
import { isPatch, validators } from './validate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route needs, if it is not that of its group. */
    needs?: NeededScope
    /** The operation that the route serves under a second path, which documents do not name. */
    twinOf?: string
    /** The route has time limits of its own, because it waits for other services. */
    patient?: true
  }
}

/**
 * A function that makes the endpoint of a route that the group declares. It records the route as an operation, and sets `bodyLimit`
 * of the route and the documentation in its `config`.
 * @param instance number of earlier registrations of this API in the same host
 */
export function endpointMaker(context: SvcContext, group: Declaration, instance: number) {
  const isOpen = group.access === 'public'
  const { body, query } = validators()
  return (route: RouteOptions): Endpoint => {
    const needs =
      group.access === undefined ? (route.config?.needs ?? neededScope(group.name, route.method)) : undefined
    recordOperation(context, route, group, needs)
    route.config = documentedConfig(route, instance, { isOpen, tag: tagOf(group) })
    route.bodyLimit ??= context.bodyLimits[takesBlob(route) ? 'blob' : 'json']
    const { schema = {}, config, bodyLimit } = route
    // All routes declare TypeBox schemas; Fastify's type leaves them open.
    const { params, querystring, body: bodySchema } = schema as Record<string, TSchema | undefined>
    const operation = config?.operation?.id ?? config?.twinOf
    const isList = operation?.startsWith('list_') ?? false
    const checkQuery = querystring && query(querystring, { isList })
    // Routes check the bodies of PATCH themselves, because they compare invalid values with the stored ones.
    const checkBody = bodySchema && !isPatch(bodySchema) ? body(bodySchema) : undefined
    return {
      operation,
      schema,
      bodyLimit,
      gate: isOpen ? publicGate : gate(context, group, params, needs),
      check(request) {
        if (bodySchema) request.body ??= {}
        checkBody?.(request.body)
        if (checkQuery) request.query = checkQuery(request.query)
      },
      handler: handlerOf(route, context, isOpen),
    }
  }
}

/** Whether the body of the route may contain JSON of any length, so that a larger limit applies. */
function takesBlob({ schema }: RouteOptions): boolean {
  const properties = Object.values<TSchema>((schema?.body as TSchema | undefined)?.properties ?? {})
  return properties.some((property) => property['x-blob'])
}

/** Characters from which a response counts as large; see `countUnread`. */
const largeResponse = 512 * 1024

/**
 * The handler with a time limit, after which the response is 503, and with its result serialized by the schema of its
 * status. Fastify does not serialize it, because the host may have replaced its serializer.
 */
function handlerOf(
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

  /** The response as text. Pictures are sent as they are. */
  function serialized(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
    if (typeof result !== 'object' || result === null || Buffer.isBuffer(result)) return result
    reply.header('content-type', 'application/json; charset=utf-8')
    if (isWrite && wantsMinimal(request)) {
      // RFC 7240 §3. The route may have applied another preference.
      const applied = reply.getHeader('preference-applied')
      reply.header('preference-applied', applied ? `${applied}, return=minimal` : 'return=minimal')
      const writeKey = minimalWriters.get(reply.statusCode) ?? minimalWriter(undefined)
      return writeKey((result as { data?: unknown }).data)
    }
    const write = writers.get(reply.statusCode)
    const text = write ? write(result) : JSON.stringify(result)
    // Only reads: never fail a write after it has been committed.
    if (isRead && text.length >= largeResponse) countUnread(reply, text.length)
    return text
  }

  return function (this: FastifyInstance, request, reply) {
    const handle = async () => handler.call(this, request, reply)
    const work = reports ? () => reporting(authorOf(request, operation, isOpen), handle) : handle
    return inTime(requestTime.handler, async () => {
      try {
        return serialized(request, reply, await work())
      } catch (error) {
        throw withRequestedPath(error, request)
      }
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
