// Adds the route of a list.
import { type TObject, Type } from '@sinclair/typebox'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { Unreadable } from '../core/resource.ts'
import { type FieldSelection, selectedFields } from './fields.ts'
import type { GroupScope } from './group.ts'
import { listMeta, rowsOf, type Slice, withUnreadable } from './pagination.ts'
import { ok, pick } from './response.ts'
import { type FieldsQuery, type Meta, responses } from './schema.ts'

/** What any route may add: its description in documents, and Fastify options. */
export interface RouteExtras extends Pick<RouteOptions, 'config' | 'bodyLimit'> {
  description?: string
}

/** The schema of a route, without entries that are undefined: Fastify would warn of them. */
export const declared = (schema: Record<string, unknown>): FastifySchema =>
  Object.fromEntries(Object.entries(schema).filter(([, entry]) => entry !== undefined))

/** A schema of an object of type `T`. */
export type ObjectOf<T> = TObject & { static: T }

/** The list of a group. */
export interface List<Query> extends RouteExtras {
  querystring: ObjectOf<Query>
  /** Reads the requested rows. Without `total`, the number of items is the total. */
  read(query: Query, selection: FieldSelection, rows: Slice): Promise<ListedItems>
}

interface ListedItems {
  items: object[]
  total?: number
  unreadable?: Unreadable[]
  /** The rows that the items are, if they are not the requested ones. */
  rows?: Slice
  /** Added to the `meta` of all lists. */
  meta?: Meta
}

interface ListRoute<Query> extends List<Query> {
  operationId: string
  summary: string
  /** Schema of the items. */
  resource: TObject
  /** The properties of the items; by default those that `fields` names. */
  select?(query: Query): FieldSelection
}

/** Adds `GET /` of a group. The list has pages if its query has `page` or `offset`. */
export function listRoute<Query extends FieldsQuery>(
  app: GroupScope,
  context: SvcContext,
  { operationId, summary, description, querystring, resource, read, select, ...route }: ListRoute<Query>,
): void {
  app.get('/', {
    ...route,
    schema: declared({
      operationId,
      summary,
      description,
      querystring,
      response: responses(200, Type.Array(resource)),
    }),
    handler: async (request, reply) => {
      // Validated by `querystring`.
      const query = request.query as Query
      const selection = select ? select(query) : selectedFields(query, resource)
      const requestedRows = rowsOf(request)
      const list = await read(query, selection, requestedRows)
      const { items, meta, unreadable = [], total = items.length, rows = requestedRows } = list
      const data = items.map((item) => pick(item, selection))
      const fullMeta = { ...meta, ...listMeta(context, request, reply, total, rows) }
      return ok(data, withUnreadable(fullMeta, unreadable))
    },
  })
}
