// Pagination of lists: totals in `meta`, the headers that CMS clients expect, links to the previous and next page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { ownName } from './cms-parameters.ts'
import { endpointOf } from './endpoint.ts'
import { inBrackets, isListParameter, type Meta, type Unreadable } from './schema.ts'

interface Page {
  page: number
  limit: number
}

export interface Slice {
  offset: number
  limit: number
}

/** Query of a list, after validation: by page, by offset, or without either for the whole list. */
type RowsQuery = Partial<Page & Slice>

/** The page of a list; undefined where all of it is requested. */
function pageOf({ page, limit }: RowsQuery): Page | undefined {
  return page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 20 }
}

const all = Number.MAX_SAFE_INTEGER

/** The requested rows of a list; its offset is a safe integer even for pages beyond any table. */
export function rowsOf({ query }: FastifyRequest): Slice {
  const { page, limit } = pageOf(query as RowsQuery) ?? { page: 1, limit: -1 }
  const most = limit === -1 ? all : limit
  return { offset: (query as RowsQuery).offset ?? Math.min((page - 1) * most, all), limit: most }
}

/** `meta` of a list, paged as its query asks; sets X-WP-Total, X-WP-TotalPages and Link. */
export function listMeta(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  total: number,
  rows = rowsOf(request),
): Meta {
  const query = request.query as RowsQuery
  if (query.offset !== undefined) return sliceMeta(context, request, reply, rows, total)
  const page = pageOf(query)
  return page ? pageMeta(context, request, reply, page, total) : totalMeta(reply, total)
}

/** By page, whose limit may be -1 for all. */
function pageMeta(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, limit }: Page,
  total: number,
): Meta {
  const pages = limit === -1 ? Math.min(total, 1) : Math.ceil(total / limit)
  linkHeader(reply, {
    prev: page > 1 && urlAt(context, request, { page: Math.min(page - 1, Math.max(pages, 1)) }),
    next: page < pages && urlAt(context, request, { page: page + 1 }),
  })
  totalHeaders(reply, total, pages)
  return { page, limit, total, pages }
}

/** By offset. */
function sliceMeta(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { offset, limit }: Slice,
  total: number,
): Meta {
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit
  linkHeader(reply, {
    prev: offset > 0 && urlAt(context, request, { offset: Math.max(0, Math.min(offset - limit, last)) }),
    next: offset + limit < total && urlAt(context, request, { offset: offset + limit }),
  })
  totalHeaders(reply, total, Math.ceil(total / limit))
  return { limit, offset, total }
}

/** `meta` of a list without pages. */
export function totalMeta(reply: FastifyReply, total: number): Meta {
  totalHeaders(reply, total, total > 0 ? 1 : 0)
  return { total }
}

function linkHeader(reply: FastifyReply, neighbors: Record<'prev' | 'next', string | false>): void {
  const links = Object.entries(neighbors).flatMap(([rel, to]) => (to ? [`<${to}>; rel="${rel}"`] : []))
  if (links.length > 0) reply.header('link', links.join(', '))
}

function totalHeaders(reply: FastifyReply, total: number, pages: number): void {
  reply.headers({ 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) })
}

/**
 * The URL of this list at another position, built from the host's configuration and never from Host headers. The path
 * comes from the route, because a request may spell it in other case or with escapes.
 */
function urlAt({ site }: SvcContext, request: FastifyRequest, position: Record<string, number>): string {
  const { url: route = '' } = request.routeOptions
  const [, ...rest] = (request.raw.url ?? '').split('?')
  const querySchemas = Object(Reflect.get(Object(endpointOf(request)?.schema.querystring), 'properties'))
  // Unknown parameters would only make the header longer.
  const isKnown = (name: string) => {
    const list = inBrackets.exec(name)?.[1] ?? ''
    return (
      Object.hasOwn(querySchemas, ownName(name)) ||
      (Object.hasOwn(querySchemas, list) && isListParameter(list, querySchemas[list]))
    )
  }
  const requested = [...new URLSearchParams(rest.join('?'))].filter(([name]) => isKnown(name))
  const parameters = new URLSearchParams(requested.map(([name, value]) => [ownName(name), value]))
  for (const [name, value] of Object.entries(position)) parameters.set(name, String(value))
  const path = route
    .slice(route.lastIndexOf('/svc/v1'))
    .replace(/\/$/, '')
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(Reflect.get(Object(request.params), name))))
  return `${site.restBase}${path}?${parameters}`
}

/** Adds the values that could not be read, if any. */
export function withUnreadable(meta: Meta, unreadable: Unreadable[]): Meta {
  return unreadable.length > 0 ? { ...meta, unreadable } : meta
}
