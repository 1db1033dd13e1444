// The routes that print profiles and layouts share: rows with a name and data, one of which is flagged.

import type { TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Unread } from '../core/read-back.ts'
import type { Check, Found, Selection, Unreadable } from '../core/resource.ts'
import { changeRoutes } from './change-routes.ts'
import { selectedFields, withField } from './fields.ts'
import type { FoundOr404 } from './found.ts'
import type { GroupScope } from './group.ts'
import { once } from './idempotency.ts'
import { totalMeta, withUnreadable } from './pagination.ts'
import { created, ok, pick, sendWritten } from './response.ts'
import { fieldsQuery, IdOrParams, includeQuery, responses } from './schema.ts'

interface NameAndData {
  name: string
  data?: Record<string, unknown>
}

interface Row {
  id: number
  name: string
  data: string | null
}

type Written<R> = Found<R> | Unread | undefined

interface Repository<R extends Row, Word extends string, New> {
  list(ids: number[] | undefined, selection: Selection): Promise<{ items: R[]; unreadable: Unreadable[] }>
  find(ref: number | Word): Promise<Found<R> | undefined>
  create(row: New): Promise<Written<R>>
  update(ref: number | Word, changes: Partial<New>, check?: Check): Promise<Written<R>>
  remove(ref: number | Word, check?: Check): Promise<number | undefined>
}

interface MarkedGroup<R extends Row, Word extends string, New> {
  /** Path below the namespace, without slash, such as `print-profiles`. */
  path: string
  /** Suffixes of the operation ids: `get_print_profile`, `list_print_profiles`. */
  names: { one: string; many: string }
  /** The alias of the flagged row in a path. */
  word: Word
  /** Physical name of the table, for errors about stored values. */
  table: string
  repository: Repository<R, Word, New>
  found: FoundOr404
  /** Error codes of PATCH and DELETE. */
  causes: { update?: readonly ErrorCode[]; remove: readonly ErrorCode[] }
  schemas: { resource: TObject; create: TSchema & { static: New }; patch: TObject & { static: Partial<New> } }
}

const dataQuery = {
  include_data: Type.Optional(Type.Boolean({ default: false, description: 'Adds the data.' })),
}
const OneQuery = Type.Object({ ...fieldsQuery, ...dataQuery })
const ListQuery = Type.Object({ ...fieldsQuery, ...includeQuery, ...dataQuery })

/** Query of every write. */
export const WriteQuery = Type.Object(dataQuery)

/**
 * Adds the routes list, create, get, update and delete.
 * @returns a function that sends the response of further writes of the group
 */
export function markedRoutes<R extends Row, Word extends string, New extends NameAndData>(
  app: GroupScope,
  context: SvcContext,
  { path, names, word, table, repository, found, schemas, causes }: MarkedGroup<R, Word, New>,
) {
  const { resource } = schemas
  const label = names.one.replaceAll('_', ' ')
  const params = IdOrParams(word)

  const selected = (query: { fields?: string; _fields?: string; include_data?: boolean }) =>
    withField(selectedFields(query, resource), 'data', query.include_data)

  /** The response to a write contains the data if the request contained data or asks for it. */
  function sendRow(reply: FastifyReply, row: Found<R> | Unread, withData = false) {
    const selection = selected({ include_data: withData })
    const shown = withData ? row : { ...row, unreadable: [] }
    return sendWritten<R>(reply, shown, selection.key, pick(row.resource as R, selection))
  }

  app.get('/', {
    schema: {
      operationId: `list_${names.many}`,
      summary: `List ${label}s`,
      querystring: ListQuery,
      response: responses(200, Type.Array(resource)),
    },
    handler: async (request, reply) => {
      const selection = selected(request.query)
      const { items, unreadable } = await repository.list(request.query.include, selection)
      const data = items.map((item) => pick(item, selection))
      return ok(data, withUnreadable(totalMeta(reply, items.length), unreadable))
    },
  })

  app.post('/', {
    schema: {
      operationId: `create_${names.one}`,
      summary: `Create a ${label}`,
      querystring: WriteQuery,
      body: schemas.create,
      response: responses(201, resource),
    },
    handler: async (request, reply) => {
      const body = request.body as New
      const make = () => repository.create(body)
      const row = found(await once(context, request, reply, { make, again: repository.find }))
      created(context, reply, `/${path}/${row.resource.id}`)
      return sendRow(reply, row, body.data !== undefined || request.query.include_data)
    },
  })

  changeRoutes(app, {
    one: names.one,
    found,
    resource,
    read: {
      description: `By its id, or \`${word}\` for the marked one.`,
      querystring: OneQuery,
      table,
      find: repository.find,
      select: selected,
    },
    patch: schemas.patch,
    params,
    querystring: WriteQuery,
    update: (ref: number | Word, changes: Partial<New>, check) => repository.update(ref, changes, check),
    remove: repository.remove,
    send: (reply, row, { include_data }, changes) =>
      sendRow(reply, row, changes.data !== undefined || include_data),
    onPatch: { config: { causes: causes.update ?? [] } },
    onDelete: { description: `The ${word} cannot be deleted.`, config: { causes: causes.remove ?? [] } },
  })

  return sendRow
}
