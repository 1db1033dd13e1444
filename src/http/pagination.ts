// Pagination of lists: totals in `meta`, the headers that CMS clients expect, links to the previous and next page.
import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { membersOf } from '../core/foreign.ts'
import { apiName } from './cms-parameters.ts'
import { endpointOf } from './endpoint.ts'
import { inBrackets, isListParameter, type Meta, type Unreadable } from './schema.ts'

interface Page {
  /** From 1. */
  page: number
  /** Items per page; -1 for all. */
  limit: number
}

/** Rows of a list: at most `limit`, behind the first `offset`. */
export interface Slice {
  offset: number
  limit: number
}

/** The query of a list, after validation: by page, by offset, or without either for the whole list. */
type RowsQuery = Partial<Page & Slice>

/** The requested page; undefined if the query asks for the whole list. */
function pageOf({ page, limit }: RowsQuery): Page | undefined {
  return page === undefined && limit === undefined ? undefined : { page: page ?? 1, limit: limit ?? 20 }
}

/** The limit of a list that is requested whole. */
const noLimit = Number.MAX_SAFE_INTEGER

/** The requested rows of a list. The offset is a safe integer even for pages beyond any table. */
export function rowsOf(request: FastifyRequest): Slice {
  // The gate has validated it by the schema of the list.
  const query = request.query as RowsQuery
  const { page, limit } = pageOf(query) ?? { page: 1, limit: -1 }
  const maxRows = limit === -1 ? noLimit : limit
  return { offset: query.offset ?? Math.min((page - 1) * maxRows, noLimit), limit: maxRows }
}

/**
 * `meta` of a list; sets the headers X-WP-Total, X-WP-TotalPages and Link (RFC 8288).
 * @param total number of items on all pages
 * @param rows that the response contains, if they are not the requested ones; counts for lists by offset only
 */
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

/** `meta` of a list that is requested by page. */
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

/** `meta` of a list that is requested by offset. */
function sliceMeta(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { offset, limit }: Slice,
  total: number,
): Meta {
  const lastOffset = Math.max(0, Math.ceil(total / limit) - 1) * limit
  const previous = Math.max(0, Math.min(offset - limit, lastOffset))
  linkHeader(reply, {
    prev: offset > 0 && urlAt(context, request, { offset: previous }),
    next: offset + limit < total && urlAt(context, request, { offset: offset + limit }),
  })
  totalHeaders(reply, total, Math.ceil(total / limit))
  return { limit, offset, total }
}

/** `meta` of a list that has no pages; sets the headers, too. */
export function totalMeta(reply: FastifyReply, total: number): Meta {
  totalHeaders(reply, total, total > 0 ? 1 : 0)
  return { total }
}

/** Sets Link. @param neighbors URLs of the previous and next page; false if there is none */
function linkHeader(reply: FastifyReply, neighbors: Record<'prev' | 'next', string | false>): void {
  const links = Object.entries(neighbors).flatMap(([rel, url]) => (url ? [`<${url}>; rel="${rel}"`] : []))
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
  const [, ...queryParts] = (request.raw.url ?? '').split('?')
  const querySchemas = membersOf(membersOf(endpointOf(request)?.schema.querystring).properties) as Record<
    string,
    TSchema
  >
  // Unknown parameters would only make the header longer.
  const isKnown = (name: string) => {
    const list = inBrackets.exec(name)?.[1] ?? ''
    return (
      Object.hasOwn(querySchemas, apiName(name)) ||
      (Object.hasOwn(querySchemas, list) && isListParameter(list, querySchemas[list] as TSchema))
    )
  }
  const requested = [...new URLSearchParams(queryParts.join('?'))].filter(([name]) => isKnown(name))
  const parameters = new URLSearchParams(requested.map(([name, value]) => [apiName(name), value]))
  for (const [name, value] of Object.entries(position)) parameters.set(name, String(value))
  const path = route
    .slice(route.lastIndexOf('/svc/v1'))
    .replace(/\/$/, '')
    .replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(membersOf(request.params)[name])))
  return `${site.restBase}${path}?${parameters}`
}

/** `meta` with the stored values that could not be read, if there are any. */
export function withUnreadable(meta: Meta, unreadable: Unreadable[]): Meta {
  return unreadable.length > 0 ? { ...meta, unreadable } : meta
}
