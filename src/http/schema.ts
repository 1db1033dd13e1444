// The TypeBox pieces that all groups share: ids, titles, blobs, envelopes, the query of lists.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { FastifySchema, FastifyTypeProvider } from 'fastify'

/** Types of params, query and body follow from their schemas; answers are held to theirs by the tests. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: unknown
}

export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of the row.',
})

export const IdParams = Type.Object({ id: Id })

/** The path of rows of which one bears a mark: an id, or the word that stands for that one. */
export const IdOrParams = <const T extends string>(word: T) =>
  Type.Object({
    id: Type.Union([Id, Type.Literal(word)], { description: `Id of the row, or \`${word}\`.` }),
  })

/** A title or name as a request may carry it. */
export const Title = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  description: '1 to 255 characters, not only blanks.',
})

/** The same where it is stored without the blanks at its ends, which therefore do not count. */
export const TrimmedTitle = Type.String({
  maxLength: 1000,
  pattern: '^\\s*\\S(?:[\\s\\S]{0,253}\\S)?\\s*$',
  description: '1 to 255 characters, apart from blanks at its ends, which are not kept.',
})

export const Thumbnail = Type.String({
  maxLength: 65535,
  description: 'Address of the thumbnail; "" when there is none.',
})

export const Enum = <const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
) => Type.Unsafe<T>({ type: 'string', enum: values, ...options })

/**
 * A JSON value that belongs to the designer front end. In an answer it is JSON text that is written as it is;
 * null stands for a stored value that cannot be read.
 */
export const StoredBlob = (type: 'object' | 'array', description: string) =>
  Type.Unsafe<string | null>({ description, 'x-blob': type })

/** The same in a body: any JSON object or array, kept member for member. */
export const ObjectBlob = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, 'x-blob': true })
export const JsonBlob = (description: string) =>
  Type.Unsafe<object>({ type: ['object', 'array'], description, 'x-blob': true })
export const ArrayBlob = (description: string) =>
  Type.Unsafe<unknown[]>({ type: 'array', description, 'x-blob': true })

/** A member of the representation that cannot be written, but may be sent back with its current value. */
export const Echo = () => Type.Optional(Type.Unknown({ readOnly: true }))

const Unreadable = Type.Object({
  id: Type.Union([Id, Type.String()], { description: 'Id of the row; the key of an option.' }),
  column: Type.String({ description: 'Column whose stored value cannot be read; the member is null.' }),
  table: Type.Optional(Type.String({ description: 'Present where the value belongs to a nested item.' })),
})
export type Unreadable = Static<typeof Unreadable>

const Meta = Type.Object({
  type: Type.Optional(Type.String({ description: 'Source of the listed orders, as it was asked for.' })),
  total: Type.Optional(Type.Integer()),
  page: Type.Optional(Type.Integer()),
  limit: Type.Optional(Type.Integer()),
  offset: Type.Optional(Type.Integer()),
  pages: Type.Optional(Type.Integer()),
  unreadable: Type.Optional(Type.Array(Unreadable)),
  masked: Type.Optional(Type.Array(Type.String(), { description: 'Keys whose values are never given out.' })),
  persisted: Type.Optional(Type.Boolean({ description: 'Whether the color library was saved.' })),
  version: Type.Optional(Type.Integer({ description: 'Form of the color library.' })),
})
export type Meta = Static<typeof Meta>

/** The success body around `data`. */
export const Answer = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data, meta: Type.Optional(Meta) })

/** The error body, for every status from 400 on. */
export const ErrorAnswer = Type.Object({
  success: Type.Literal(false),
  code: Type.String(),
  message: Type.String({ description: 'One sentence that names the offending field or value.' }),
  data: Type.Object({ status: Type.Integer() }, { additionalProperties: true }),
  errors: Type.Optional(Type.Array(Type.String())),
  error: Type.Optional(Type.Object({}, { description: 'What another service said, where it refused.' })),
})

/** The schema of a route that no document of the host's API names. */
export const hidden = Object.assign<FastifySchema, { hide: true }>({}, { hide: true })

/** Declared answers of a route: its success and the error body. */
export const answers = (status: 200 | 201, data: TSchema) => ({
  [status]: Answer(data),
  '4xx': ErrorAnswer,
  '5xx': ErrorAnswer,
})

export const Deleted = Type.Object({ id: Id, deleted: Type.Literal(true) })

/** Query members of every GET. */
export const fieldsQuery = {
  fields: Type.Optional(Type.String({ description: 'Only these members, separated by commas.' })),
  _fields: Type.Optional(Type.String({ description: 'Another name of `fields`.' })),
}

/** Query members of lists of things with ids. */
export const includeQuery = {
  include: Type.Optional(
    Type.Array(Id, { maxItems: 1000, description: 'Only the items with these ids, separated by commas.' }),
  ),
}

/** How a PATCH treats options that are stored already. */
export const mergeQuery = {
  merge: Type.Optional(
    Type.Boolean({ default: true, description: 'false replaces the stored options instead of merging.' }),
  ),
}

export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page.' }),
  ),
}

export const sliceQuery = {
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'Items to pass over.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items.' })),
}

export const searchQuery = {
  search: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Part of the title or name, whatever its case; no wildcards.',
    }),
  ),
}
