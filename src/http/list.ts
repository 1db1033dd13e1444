// What lists have in common: totals in `meta`, the headers that CMS clients expect, the links to the neighbours.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../context.ts'
import type { Meta, Unreadable } from './schema.ts'

export interface Page {
  page: number
  limit: number
}

/** Query of a list by page, after validation. */
export function pageOf(query: { page?: number; limit?: number }): Page {
  return { page: query.page ?? 1, limit: query.limit ?? 20 }
}

/** Rows to pass over. Pages beyond any table stay exact integers. */
export function offsetOf({ page, limit }: Page): number {
  return Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
}

/** `meta` of a paged list; sets X-WP-Total, X-WP-TotalPages and Link. */
export function pageMeta(
  context: SvcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, limit }: Page,
  total: number,
): Meta {
  const pages = Math.ceil(total / limit)
  const links: string[] = []
  if (page > 1)
    links.push(`<${address(context, request, Math.min(page - 1, Math.max(pages, 1)))}>; rel="prev"`)
  if (page < pages) links.push(`<${address(context, request, page + 1)}>; rel="next"`)
  if (links.length > 0) reply.header('link', links.join(', '))
  totalHeaders(reply, total, pages)
  return { page, limit, total, pages }
}

/** `meta` of a list that comes whole. */
export function wholeMeta(reply: FastifyReply, total: number): Meta {
  totalHeaders(reply, total, total > 0 ? 1 : 0)
  return { total }
}

function totalHeaders(reply: FastifyReply, total: number, pages: number): void {
  reply.headers({ 'x-wp-total': String(total), 'x-wp-totalpages': String(pages) })
}

/** This list's own address with another page, built from what the host configured and never from Host headers. */
function address({ site }: SvcContext, request: FastifyRequest, page: number): string {
  const [path = '', ...rest] = (request.raw.url ?? '').split('?')
  const parameters = new URLSearchParams(rest.join('?'))
  parameters.set('page', String(page))
  return `${site.restBase}/svc/v1${path.slice(path.lastIndexOf('/svc/v1') + '/svc/v1'.length)}?${parameters}`
}

/** Adds what could not be read, where there is something. */
export function withUnreadable(meta: Meta, unreadable: Unreadable[]): Meta {
  return unreadable.length > 0 ? { ...meta, unreadable } : meta
}
