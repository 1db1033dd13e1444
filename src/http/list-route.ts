// The route of a list, by pages where its query has them.
import { type TObject, Type } from '@sinclair/typebox'
import type { FastifySchema, RouteOptions } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { Unreadable } from '../core/resource.ts'
import { type FieldSelection, selectedFields } from './fields.ts'
import type { GroupScope } from './group.ts'
import { listMeta, rowsOf, type Slice, withUnreadable } from './pagination.ts'
import { ok, pick } from './response.ts'
import { type FieldsQuery, type Meta, responses } from './schema.ts'

/** The description of a route in documents, and its own Fastify options. */
export interface Own extends Pick<RouteOptions, 'config' | 'bodyLimit'> {
  description?: string
}

/** The schema of a route, without the parts that it does not have, of which Fastify would warn. */
export const declared = (schema: Record<string, unknown>): FastifySchema =>
  Object.fromEntries(Object.entries(schema).filter(([, part]) => part !== undefined))

export type ObjectOf<T> = TObject & { static: T }

export interface List<Query> extends Own {
  querystring: ObjectOf<Query>
  /** `total` is the number of items where the list has no pages. */
  read(query: Query, selection: FieldSelection, rows: Slice): Promise<ListedItems>
}

interface ListedItems {
  items: object[]
  total?: number
  unreadable?: Unreadable[]
  /** Where these are not the rows that were asked for. */
  rows?: Slice
  /** Added to the `meta` of all lists. */
  meta?: Meta
}

interface ListRoute<Query> extends List<Query> {
  operationId: string
  summary: string
  /** Schema of the items. */
  resource: TObject
  select?(query: Query): FieldSelection
}

/** A list, by pages where its query has them. */
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
      const query = request.query as Query
      const selection = select ? select(query) : selectedFields(query, resource)
      const asked = rowsOf(request)
      const { items, meta, unreadable = [], ...listed } = await read(query, selection, asked)
      const { total = items.length, rows = asked } = listed
      const data = items.map((item) => pick(item, selection))
      const all = { ...meta, ...listMeta(context, request, reply, total, rows) }
      return ok(data, withUnreadable(all, unreadable))
    },
  })
}
