// TypeBox schemas that several groups use: ids, titles, JSON of the designer, bodies of responses, queries of lists.
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type { FastifySchema, FastifyTypeProvider } from 'fastify'
import { StoredText } from './serialize.ts'

/** Types of params, query and body derive from their schemas. Tests check responses against theirs. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: unknown
}

/** A whole number of at least `minimum`, in a request. */
export const Whole = (minimum: number, description: string, options: { default?: number } = {}) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description, ...options })

/** The id of a row. */
export const Id = Whole(1, 'Id of the row.')

/** The path of a resource: `/{id}`. */
export const IdParams = Type.Object({ id: Id })

/** The path parameter of a row: its id, or an alias for the one row with a special status (`master`, `default`). */
export const IdOrParams = <const T extends string>(alias: T) =>
  Type.Object({
    id: Type.Union([Id, Type.Literal(alias)], { description: `Id of the row, or \`${alias}\`.` }),
  })

/** A title or name in a request. `x-message` is the error message for a wrong length or pattern. */
export const Title = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  'x-message': 'must be 1 to 255 characters long and not only whitespace',
  description: '1 to 255 characters, not only whitespace.',
})

/** A title in a request that is stored without the whitespace around it. */
export const TrimmedTitle = Type.String({
  maxLength: 1000,
  pattern: '^\\s*\\S(?:[\\s\\S]{0,253}\\S)?\\s*$',
  'x-message': 'must be 1 to 255 characters long, without the whitespace around it',
  description: '1 to 255 characters. Whitespace around the title is removed.',
})

/** The URL of a thumbnail in a request. */
export const Thumbnail = Type.String({
  maxLength: 65535,
  description: 'URL of the thumbnail; "" if there is none.',
})

/** A string, or null. */
export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** An optional boolean with a default. */
export const Flag = (fallback: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: fallback, description }))

/** A string out of a list. */
export const Enum = <const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
) => Type.Unsafe<T>({ type: 'string', enum: values, ...options })

/**
 * The key under which a schema names the part of the design format that an object is, or that the items of a list are, such as
 * `ViewElement`. Documents show it; requests are not checked against it.
 */
export const DesignPart: unique symbol = Symbol('svc-api design part')

/**
 * A JSON value of the designer in a response: JSON text that is inserted as it is, or null for a stored value that cannot be read.
 * @param designPart see `DesignPart`
 */
export const StoredBlob = (type: 'object' | 'array', description: string, designPart?: string) =>
  Type.Unsafe<string | null>({ description, [StoredText]: type, [DesignPart]: designPart })

/** A JSON object of the designer in a body, stored as it was sent. `x-blob` marks it. */
export const ObjectBlob = (description: string, designPart?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description,
    'x-blob': true,
    [DesignPart]: designPart,
  })

/** A JSON object or array of the designer in a body. */
export const JsonBlob = (description: string) =>
  Type.Unsafe<object>({ type: ['object', 'array'], description, 'x-blob': true })

/** A JSON array of the designer in a body. */
export const ArrayBlob = (description: string, designPart?: string) =>
  Type.Unsafe<unknown[]>({ type: 'array', description, 'x-blob': true, [DesignPart]: designPart })

/** A property that cannot be changed, but may be sent back with its current value. */
export const ReadOnly = () =>
  Type.Optional(
    Type.Unknown({ readOnly: true, description: 'Cannot be changed; may be sent back as it was read.' }),
  )

/** The body of a PATCH, from that of a POST: all properties optional, and the id, which cannot be changed. */
export const patchOf = ({ properties }: TObject) =>
  Type.Object({ ...Type.Partial(Type.Object(properties)).properties, id: ReadOnly() })

const Unreadable = Type.Object({
  id: Type.Union([Id, Type.String()], { description: 'Id of the row; the key of an option.' }),
  column: Type.String({ description: 'Column whose stored value cannot be read; the property is null.' }),
  table: Type.Optional(Type.String({ description: 'Present if the value belongs to a nested item.' })),
})
/** A stored value that cannot be read, in `meta`. */
export type Unreadable = Static<typeof Unreadable>

const Meta = Type.Object({
  type: Type.Optional(Type.String({ description: 'Source of the listed orders, as requested.' })),
  total: Type.Optional(Type.Integer({ description: 'Number of matching items on all pages.' })),
  page: Type.Optional(Type.Integer({ description: 'This page, from 1.' })),
  limit: Type.Optional(Type.Integer({ description: 'Items per page.' })),
  offset: Type.Optional(Type.Integer({ description: 'Number of skipped items.' })),
  pages: Type.Optional(Type.Integer({ description: 'Number of pages.' })),
  unreadable: Type.Optional(
    Type.Array(Unreadable, { description: 'Stored values that cannot be read; absent where all can.' }),
  ),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'What of the written design or of the uploaded file cannot be drawn as it is, and which written settings have no effect.',
    }),
  ),
  incomplete: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Lists of usages that were not searched to the end; absent where all were.',
    }),
  ),
  masked: Type.Optional(Type.Array(Type.String(), { description: 'Keys whose values are never shown.' })),
  persisted: Type.Optional(Type.Boolean({ description: 'Whether the color library was saved.' })),
  version: Type.Optional(Type.Integer({ description: 'Version of the color library.' })),
})
/** The `meta` of a success body. */
export type Meta = Static<typeof Meta>

/** The success body around `data`. */
const SuccessResponse = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data, meta: Type.Optional(Meta) })

/** The error body, for every status from 400 on. */
export const ErrorResponse = Type.Object({
  success: Type.Literal(false),
  code: Type.String(),
  message: Type.String({ description: 'One sentence that names the invalid field or value.' }),
  data: Type.Object({ status: Type.Integer() }, { additionalProperties: true }),
  errors: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(
    Type.Object({}, { description: 'The reason that another service gave for its refusal.' }),
  ),
})

/** The schema of a route that the host's API document omits. */
export const hidden = Object.assign<FastifySchema, { hide: true }>({}, { hide: true })

/** Declared responses of a route: the success and the error body. */
export const responses = (status: 200 | 201, data: TSchema) => ({
  [status]: SuccessResponse(data),
  '4xx': ErrorResponse,
  '5xx': ErrorResponse,
})

/** The property of a response that confirms a deletion. */
export const IsDeleted = Type.Literal(true, { description: 'The resource is gone.' })

/** The `data` of the response to DELETE. */
export const Deleted = Type.Object({ id: Id, deleted: IsDeleted })

/** Query parameters that select properties. */
export const fieldsQuery = {
  fields: Type.Optional(Type.String({ description: 'Only these properties, separated by commas.' })),
  _fields: Type.Optional(Type.String({ description: 'Alias of `fields`.' })),
}

/** The query of a route with no other parameters. */
export const FieldsQuery = Type.Object(fieldsQuery)
/** The parameters that `selectedFields` reads. */
export type FieldsQuery = Static<typeof FieldsQuery>

/** Whether a query parameter is a list, which clients may also write in brackets: `include[]=1&include[]=2`. */
export const isListParameter = (name: string, { type }: TSchema) =>
  type === 'array' || Object.hasOwn(fieldsQuery, name)

/** Matches the name of a list parameter in brackets; its group is the name without them. */
export const inBrackets = /^(\w+)\[\d*\]$/

/** Query parameters of lists whose items have ids. */
export const includeQuery = {
  include: Type.Optional(
    Type.Array(Id, { maxItems: 1000, description: 'Only the items with these ids, separated by commas.' }),
  ),
}

/** How a PATCH treats stored options. */
export const mergeQuery = {
  merge: Flag(true, 'false replaces the stored options instead of merging.'),
}

const limit = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description }))

/** Query parameters of lists by page. */
export const pageQuery = {
  page: Type.Optional(Whole(1, 'Page, from 1.', { default: 1 })),
  limit: limit('Items per page.'),
}

/** Query parameters of lists by offset. */
export const sliceQuery = {
  offset: Type.Optional(Whole(0, 'Number of items to skip.', { default: 0 })),
  limit: limit('Maximum number of items.'),
}

/** A search term. */
export const Search = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

/** The query parameter of lists that are searched by title or name. */
export const searchQuery = { search: Search('Part of the title or name, case-insensitive; no wildcards.') }

/** A view, which the groups /views and /products return. */
export const View = Type.Object({
  id: Id,
  product_id: Whole(1, 'Id of its product.'),
  title: Type.String({ description: 'Title of the view.' }),
  thumbnail: Type.String({ description: 'URL of the thumbnail; "" if there is none.' }),
  elements: StoredBlob('array', 'Elements of the view, as the designer stored them', 'ViewElement'),
  options: StoredBlob('object', 'Options of the view, as the designer stored them', 'ViewOptions'),
  order: Type.Integer({ description: 'Position among the views of the product, from 0.' }),
})

/** The properties that the bodies of POST and PATCH of a view share, apart from the title. @param descriptions of the JSON */
export const writableView = (descriptions: { elements: string; options: string }) => ({
  thumbnail: Type.Optional(Thumbnail),
  elements: Type.Optional(ArrayBlob(descriptions.elements, 'ViewElement')),
  options: Type.Optional(ObjectBlob(descriptions.options, 'ViewOptions')),
})
