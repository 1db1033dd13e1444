// The routes that print profiles and layouts share: rows with a name and data, one of which is flagged.

import { type TObject, Type } from '@sinclair/typebox'
import type { SvcContext } from '../app/context.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Declaration } from '../core/groups.ts'
import type { Check, Found, Selection, Unreadable, Write, WriteOptions, Written } from '../core/resource.ts'
import { selectedFields, withField } from './fields.ts'
import type { GroupScope } from './group.ts'
import { resourceRoutes } from './resource-routes.ts'
import { pick, sendWritten } from './response.ts'
import { Flag, fieldsQuery, includeQuery, patchOf } from './schema.ts'

interface Row {
  id: number
  name: string
  /** JSON text; null if it cannot be read. */
  data: string | null
}

/** Undefined if there is no such row. */
type Result = Promise<Written<Found<Row>> | undefined>

/** A repository on `flaggedRows`. `Alias` is the alias of the flagged row, `New` the body of POST. */
interface Repository<Alias extends string, New> {
  list(ids: number[] | undefined, selection: Selection): Promise<{ items: Row[]; unreadable: Unreadable[] }>
  find(ref: number | Alias): Promise<Found<Row> | undefined>
  create(row: New, options: WriteOptions): Result
  update(ref: number | Alias, change: Write<Partial<New>>): Result
  remove(ref: number | Alias, check?: Check): Promise<number | undefined>
}

interface FlaggedGroup<Alias extends string, New> {
  /** Name of the resource in operation ids: `print_profile`. */
  singular: string
  /** The alias of the flagged row in a path: `master` or `default`. */
  alias: Alias
  /** Physical name of the table, for errors about stored values. */
  table: string
  repository: Repository<Alias, New>
  /** Error codes of PATCH and DELETE. */
  causes: { update?: readonly ErrorCode[]; remove: readonly ErrorCode[] }
  schemas: { resource: TObject; create: TObject & { static: New } }
}

const dataQuery = { include_data: Flag(false, 'Adds the data.') }
const OneQuery = Type.Object({ ...fieldsQuery, ...dataQuery })
const ListQuery = Type.Object({ ...fieldsQuery, ...includeQuery, ...dataQuery })

/** The query of POST and PATCH. */
export const WriteQuery = Type.Object(dataQuery)

/**
 * Adds the routes of the list, POST, GET, PATCH and DELETE.
 * @returns the functions of `resourceRoutes`, for further routes of the group
 */
export function flaggedRoutes<Alias extends string, New extends object>(
  app: GroupScope,
  context: SvcContext,
  group: Declaration,
  { singular, alias, table, repository, causes, schemas: { resource, create } }: FlaggedGroup<Alias, New>,
) {
  const select = (query: typeof OneQuery.static) =>
    withField(selectedFields(query, resource), { property: 'data', isIncluded: query.include_data })
  const routes = resourceRoutes(app, context, group, {
    singular,
    resource,
    alias,
    table,
    find: repository.find,
    select,
    // The response to a write contains the data if the request contained data or asks for it.
    send(reply, row, { include_data }, body) {
      const withData = include_data || 'data' in body
      const selection = select({ include_data: withData })
      const response = withData ? row : { ...row, unreadable: [] }
      return sendWritten<object>(reply, response, selection.key, pick<object>(row.resource, selection))
    },
  })
  routes.list({
    querystring: ListQuery,
    read: ({ include }, selection) => repository.list(include, selection),
  })
  routes.create({
    querystring: WriteQuery,
    body: create,
    make: (body, _ref, options) => repository.create(body, options),
  })
  routes.get({ description: `By its id, or \`${alias}\` for the flagged one.`, querystring: OneQuery })
  routes.patch({
    querystring: WriteQuery,
    body: patchOf(create),
    config: { causes: causes.update ?? [] },
    update: repository.update,
  })
  routes.remove({
    description: `The ${alias} cannot be deleted.`,
    config: { causes: causes.remove },
    remove: repository.remove,
  })
  return routes
}
