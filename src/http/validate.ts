// Validates bodies strictly (nothing coerced, nothing dropped) and converts query strings to the types of their schemas.
import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { invalidParams, missingParams } from '../core/errors.ts'
import { requireBeside } from '../core/installed.ts'
import { isRawNumber } from '../json/exact.ts'
import { isObject, isWellFormed } from '../json/values.ts'
import { cmsAlias, cmsParameterProblems } from './cms-parameters.ts'
import type { BodyProblems } from './patch.ts'
import { inBrackets, isListParameter } from './schema.ts'

/** Checks a query. @returns its values as the schema types them @throws SvcError 400 */
export type QueryCheck = (query: unknown) => Record<string, unknown>

/** Checks a body. @throws SvcError 400 that names all problems at once */
export type BodyCheck = (body: unknown) => void

/**
 * Checks the body of a PATCH.
 * @returns problems of known properties, since others may have stored these very values
 * @throws SvcError 400 that names all problems at once, if one of them is an unknown property
 */
export type PatchCheck = (body: unknown) => BodyProblems

/** Whether the schema is that of a PATCH, which has properties that are only sent back. */
export const isPatch = ({ properties = {} }: TSchema) =>
  Object.values<TSchema>(properties).some(({ readOnly }) => readOnly === true)

/** Loads Ajv, which most starts need not wait for. */
function newAjv() {
  const { Ajv }: typeof import('ajv') = requireBeside(import.meta.url)('ajv')
  const ajv = new Ajv({ strict: false, verbose: true, ownProperties: true })
  return ajv.addKeyword({
    keyword: 'x-blob',
    validate: (_on: boolean, value: unknown) => isWellFormed(value),
  })
}

/** One Ajv per registration, so that compiled schemas are freed with the app. */
export function validators() {
  let ajv: ReturnType<typeof newAjv> | undefined

  /** Compiled on first use, because most processes serve only some routes. */
  function checkOf(schema: TSchema): (value: unknown) => string | undefined {
    let validate: ValidateFunction | undefined
    return (value) => {
      ajv ??= newAjv()
      validate ??= ajv.compile(schema)
      return validate(value) ? undefined : problemOf(validate.errors?.[0])
    }
  }

  function propertiesOf(schema: TSchema) {
    const required = new Set<string>(schema.required ?? [])
    return Object.entries<TSchema>(schema.properties ?? {}).map(([name, property]) => ({
      name,
      schema: property,
      required: required.has(name),
      problem: checkOf(property),
    }))
  }

  function bodyProblems(schema: TSchema): PatchCheck {
    const properties = propertiesOf(schema)
    const unknown = schema.additionalProperties ? undefined : 'is not a known property'
    const byName = new Map(properties.map((property) => [property.name, property]))
    return (input) => {
      const body = isEmptyList(input) ? {} : (input ?? {})
      if (typeof body !== 'object' || Array.isArray(body) || isRawNumber(body))
        throw invalidParams({ body: 'must be a JSON object' })
      const missing = properties.filter(({ name, required }) => required && !Object.hasOwn(body, name))
      if (missing.length > 0) throw missingParams(missing.map(({ name }) => name))
      const problems: Record<string, string> = {}
      for (const [name, sent] of Object.entries(body)) {
        const property = byName.get(name)
        const value = property ? withObjects(sent, property.schema) : sent
        if (value !== sent) Reflect.set(body, name, value)
        const problem = property ? problemWith(value, property.problem) : unknown
        if (problem) problems[name] = problem
      }
      if (Object.keys(problems).every((name) => byName.has(name))) return problems
      throw invalidParams(problems)
    }
  }

  return {
    body(schema: TSchema): BodyCheck {
      const problemsOf = bodyProblems(schema)
      return (input) => {
        const problems = problemsOf(input)
        if (Object.keys(problems).length > 0) throw invalidParams(problems)
      }
    },

    patch: bodyProblems,

    /**
     * Known parameters only; unknown ones are ignored, except that a list refuses those of the CMS's collections that it
     * does not have.
     */
    query(schema: TSchema, isList = false): QueryCheck {
      const properties = propertiesOf(schema)
      return (input) => {
        const query = (input ?? {}) as Record<string, unknown>
        const value: Record<string, unknown> = {}
        const problems = isList ? cmsParameterProblems(query, schema) : {}
        const missing: string[] = []
        for (const { name: canonical, schema: property, required, problem } of properties) {
          const alias = cmsAlias(canonical) ?? canonical
          const sent = sentValue(query, canonical, property)
          const aliased = alias === canonical ? undefined : query[alias]
          if (sent !== undefined && aliased !== undefined) {
            problems[alias] = `is another name of ${canonical}, and must not be sent with it`
            continue
          }
          const name = aliased === undefined ? canonical : alias
          const raw = sent ?? aliased
          // An empty list is the same as none, as an empty `fields` is.
          if (raw === undefined || (raw === '' && property.type === 'array')) {
            if (property.default !== undefined) value[canonical] = property.default
            else if (required) missing.push(canonical)
            continue
          }
          const coerced = typeof raw === 'string' ? coerce(raw, property) : raw
          const found =
            Array.isArray(raw) && !canonical.endsWith('[]') ? 'must be given once' : problem(coerced)
          if (found) problems[name] = found
          else value[canonical] = coerced
        }
        if (missing.length > 0) throw missingParams(missing)
        if (Object.keys(problems).length > 0) throw invalidParams(problems)
        return value
      }
    },
  }
}

const isEmptyList = (value: unknown): value is [] => Array.isArray(value) && value.length === 0

/** The value with {} in place of the [] that PHP writes for an empty object, where the schema has nothing but an object. */
function withObjects(value: unknown, { type, properties = {}, items = {} }: Partial<TSchema>): unknown {
  if (type === 'object' && isEmptyList(value)) return {}
  if (type === 'array' && Array.isArray(value)) return value.map((item) => withObjects(item, items))
  if (type === 'object' && isObject(value))
    for (const [name, property] of Object.entries<TSchema>(properties))
      if (Object.hasOwn(value, name)) value[name] = withObjects(value[name], property)
  return value
}

/** A parameter as it was sent; a list in brackets, as many clients write it, as its values with commas between them. */
function sentValue(query: Record<string, unknown>, name: string, schema: TSchema): unknown {
  if (name.endsWith('[]')) return repeated(query, name.slice(0, -2))
  const isInBrackets =
    isListParameter(name, schema) && Object.keys(query).some((key) => inBrackets.exec(key)?.[1] === name)
  return isInBrackets ? repeated(query, name)?.join(',') : query[name]
}

/** All values of a list in the form `name[]=a&name[]=b`, `name[0]=a`, `name=a&name=b` or `name=a,b`. */
function repeated(query: Record<string, unknown>, name: string): string[] | undefined {
  const values: string[] = []
  for (const key in query) {
    if (key !== name && inBrackets.exec(key)?.[1] !== name) continue
    values.push(...[query[key]].flat().flatMap((value) => String(value).split(',')))
  }
  return values.length === 0 ? undefined : values
}

/** Numbers with more digits than a double keeps are for blobs; no other property may hold one. */
function problemWith(value: unknown, problem: (value: unknown) => string | undefined): string | undefined {
  if (!isRawNumber(value)) return problem(value)
  return problem(Number(JSON.stringify(value))) ?? 'has too many digits'
}

/** Converts a query string; one that cannot be converted stays as it is, so that validation refuses it. */
function coerce(text: string, schema: TSchema): unknown {
  switch (schema.type) {
    case 'integer':
      return /^-?(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : text
    case 'boolean':
      if (text === 'true' || text === '1') return true
      return text === 'false' || text === '0' || text === '' ? false : text
    case 'array':
      return text.split(',').map((item) => coerce(item.trim(), schema.items))
    default:
      return text
  }
}

const article: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

/** Maximum length of a problem, which may name properties of any length. */
const maxProblemLength = 500

/** What is wrong with a value, as the rest of a sentence that begins with the field's name. */
function problemOf(error: ErrorObject | undefined): string {
  if (!error) return 'is invalid'
  const path = error.instancePath.split('/').slice(1)
  const pointer = path.map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`)).join('')
  return ((pointer ? `has a problem at ${pointer}: it ` : '') + demandOf(error)).slice(0, maxProblemLength)
}

function demandOf({ keyword, params, parentSchema = {} }: ErrorObject): string {
  const { minimum, maximum } = parentSchema
  switch (keyword) {
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => article[type] ?? type)
        .join(' or ')}`
    case 'minimum':
    case 'maximum':
      if (minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) {
        return `must be ${params.comparison === '>=' ? 'at least' : 'at most'} ${params.limit}`
      }
      return `must be between ${minimum} and ${maximum}`
    case 'enum':
      return `must be one of ${params.allowedValues.join(', ')}`
    case 'minLength':
    case 'maxLength':
    case 'pattern':
      // What the schema says of its strings covers length and pattern.
      return parentSchema['x-message'] ?? lengthDemand(keyword, params.limit)
    case 'minItems':
      return `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'required':
      return `must have the property ${params.missingProperty}`
    case 'x-blob':
      return 'must not contain a lone surrogate'
    case 'additionalProperties':
      return `must not have the property ${params.additionalProperty}`
    default:
      return 'is invalid'
  }
}

function lengthDemand(keyword: string, limit: number): string {
  if (keyword === 'minLength') return 'must not be empty'
  return keyword === 'maxLength' ? `must be at most ${limit} characters long` : 'has an invalid format'
}
