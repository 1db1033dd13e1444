// Validates bodies strictly: no value is converted or dropped, except that [] becomes {} where the schema has an object. Converts query
// strings to the types of their schemas. Problems are ends of sentences that begin with the name of the property.
import type { TSchema } from '@sinclair/typebox'
import type { ValidateFunction } from 'ajv'
import { isTypo } from '../core/check-options.ts'
import { invalidParams, missingParams } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { requireBeside } from '../core/installed.ts'
import { isRawNumber } from '../json/parse.ts'
import { isObject, isWellFormed } from '../json/values.ts'
import { cmsAlias, cmsParameterProblems } from './cms-parameters.ts'
import type { BodyProblems } from './patch.ts'
import { maxProblemLength, problemOf } from './problems.ts'
import { inBrackets, isListParameter } from './schema.ts'

/** Checks a query. @returns its values as the schema types them @throws SvcError 400 */
export type QueryCheck = (query: unknown) => Record<string, unknown>

/** Checks a body. @throws SvcError 400 that names all problems at once */
export type BodyCheck = (body: unknown) => void

/**
 * Checks the body of a PATCH.
 * @returns problems of known properties. They need not fail the request: another program may have stored exactly these values
 * @throws SvcError 400 that names all problems at once, if the body has an unknown property
 */
export type PatchCheck = (body: unknown) => BodyProblems

/** What Fastify runs in place of its own checks: the gate reads the path's parameters, and a hook of the route checks query and body. */
export const acceptAll = () => true

/** Whether the schema is that of a PATCH: only these have properties that cannot be changed. */
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

/** Returns the problem of a value; undefined if it has none. */
type ValueCheck = (value: unknown) => string | undefined

/** A property of a body; what it has in common with a parameter of a query. */
interface Property {
  name: string
  schema: TSchema
  isRequired: boolean
  check: ValueCheck
}

/** A parameter of a query. */
interface Parameter extends Property {
  /** Its name in the CMS, if that is another one. */
  alias: string | undefined
  /** Whether it may be written as a list in brackets, although its name has none. */
  isList: boolean
}

/** Functions that make checks from schemas. They share one Ajv, so that compiled schemas are freed with the app. */
export function validators() {
  let ajv: ReturnType<typeof newAjv> | undefined

  /** A check by a schema, which is compiled on first use, because most processes serve only some routes. */
  function checkOf(schema: TSchema): ValueCheck {
    let validate: ValidateFunction | undefined
    return (value) => {
      ajv ??= newAjv()
      validate ??= ajv.compile(schema)
      return validate(value) ? undefined : problemOf(validate.errors?.[0])
    }
  }

  function propertiesOf(schema: TSchema): Property[] {
    const required = new Set<string>(schema.required ?? [])
    return Object.entries<TSchema>(schema.properties ?? {}).map(([name, property]) => ({
      name,
      schema: property,
      isRequired: required.has(name),
      check: checkOf(property),
    }))
  }

  function bodyProblems(schema: TSchema): PatchCheck {
    const properties = propertiesOf(schema)
    const byName = new Map(properties.map((property) => [property.name, property]))
    const isUnknown = (name: string) => !schema.additionalProperties && !byName.has(name)
    return (input) => {
      const body = isEmptyList(input) ? {} : (input ?? {})
      if (typeof body !== 'object' || Array.isArray(body) || isRawNumber(body))
        throw invalidParams({ body: 'must be a JSON object' })
      const missing = properties.filter(({ name, isRequired }) => isRequired && !Object.hasOwn(body, name))
      if (missing.length > 0) {
        const error = missingParams(missing.map(({ name }) => name))
        const unknownNames = Object.keys(body).filter(isUnknown)
        if (unknownNames.length > 0)
          error.message += ` Not known: ${unknownNames.join(', ').slice(0, maxProblemLength)}.`
        throw error
      }
      const problems: Record<string, string> = {}
      let unknownCount = 0
      const unknownProblem = (name: string) =>
        `is not a known property${++unknownCount > maxHints ? '' : hint(name, schema)}`
      for (const [name, sentValue] of Object.entries(body)) {
        const property = byName.get(name)
        const value = property ? withObjects(sentValue, property.schema) : sentValue
        if (value !== sentValue) Reflect.set(body, name, value)
        const problem = property
          ? problemWith(value, property.check)
          : isUnknown(name)
            ? unknownProblem(name)
            : undefined
        if (problem) problems[name] = problem
      }
      if (Object.keys(problems).every((name) => byName.has(name))) return problems
      throw invalidParams(problems)
    }
  }

  return {
    /** The check of a body. It turns [] into {} in place where the schema has an object; see `withObjects`. */
    body(schema: TSchema): BodyCheck {
      const problemsOf = bodyProblems(schema)
      return (input) => {
        const problems = problemsOf(input)
        if (Object.keys(problems).length > 0) throw invalidParams(problems)
      }
    },

    /** The check of the body of a PATCH. It changes the body as `body` does. */
    patch: bodyProblems,

    /**
     * The check of a query. Unknown parameters are ignored, except that a list refuses those of the CMS's collections that it does not
     * have.
     */
    query(schema: TSchema, { isList = false } = {}): QueryCheck {
      const parameters = propertiesOf(schema).map<Parameter>((property) => ({
        ...property,
        alias: cmsAlias(property.name),
        isList: isListParameter(property.name, property.schema),
      }))
      return (input) => {
        // `parseQuery` returns an object.
        const query = (input ?? {}) as Record<string, unknown>
        const values: Record<string, unknown> = {}
        const problems = isList ? cmsParameterProblems(query, schema) : {}
        const missing: string[] = []
        for (const parameter of parameters) {
          const { name, schema, isRequired } = parameter
          const { value, problem, sentName = name } = readParameter(query, parameter)
          if (problem !== undefined) problems[sentName] = problem
          else if (value !== undefined) values[name] = value
          else if (schema.default !== undefined) values[name] = schema.default
          else if (isRequired) missing.push(name)
        }
        if (missing.length > 0) throw missingParams(missing)
        if (Object.keys(problems).length > 0) throw invalidParams(problems)
        return values
      }
    },
  }
}

/** What a query has for a parameter: its value, or a problem; neither if it was not sent. */
interface ReadParameter {
  value?: unknown
  problem?: string | undefined
  /** The name under which it was sent, for the problem. */
  sentName?: string
}

function readParameter(query: Record<string, unknown>, parameter: Parameter): ReadParameter {
  const { name, alias, schema, check } = parameter
  const byName = sentValue(query, parameter)
  const byAlias = alias === undefined ? undefined : query[alias]
  if (alias !== undefined && byName !== undefined && byAlias !== undefined)
    return { problem: `is another name of ${name}, and must not be sent with it`, sentName: alias }
  const text = byName ?? byAlias
  // An empty list does not filter, as if it was not sent.
  if (text === undefined || (text === '' && schema.type === 'array')) return {}
  const sentName = alias === undefined || byAlias === undefined ? name : alias
  if (Array.isArray(text) && !name.endsWith('[]')) return { problem: 'must be given once', sentName }
  const value = typeof text === 'string' ? coerce(text, schema) : text
  return { value, problem: check(value), sentName }
}

/** Unknown properties of one body that are compared with the known ones, which takes microseconds each. */
const maxHints = 20

/** What may be meant by an unknown property: another one, or one of another route; '' if nothing is likely. */
function hint(name: string, { properties = {}, 'x-elsewhere': elsewhere }: TSchema): string {
  const route = Object.hasOwn(membersOf(elsewhere), name) ? elsewhere[name] : undefined
  if (route !== undefined) return `; send it to ${route}`
  const meant = Object.keys(properties).find((property) => isTypo(name.slice(0, 100), property))
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

const isEmptyList = (value: unknown): value is [] => Array.isArray(value) && value.length === 0

/** The value with {} in place of [] where the schema has an object: PHP writes an empty object as an empty array. */
function withObjects(value: unknown, { type, properties = {}, items = {} }: Partial<TSchema>): unknown {
  if (type === 'object' && isEmptyList(value)) return {}
  if (type === 'array' && Array.isArray(value)) return value.map((item) => withObjects(item, items))
  if (type === 'object' && isObject(value))
    for (const [name, property] of Object.entries<TSchema>(properties))
      if (Object.hasOwn(value, name)) value[name] = withObjects(value[name], property)
  return value
}

/** A parameter as it was sent. A list in brackets, as many clients write it, becomes its values with commas between them. */
function sentValue(query: Record<string, unknown>, { name, isList }: Parameter): unknown {
  if (name.endsWith('[]')) return repeatedValues(query, name.slice(0, -2))
  const isInBrackets = isList && Object.keys(query).some((key) => inBrackets.exec(key)?.[1] === name)
  return isInBrackets ? repeatedValues(query, name)?.join(',') : query[name]
}

/** All values of a list in the form `name[]=a&name[]=b`, `name[0]=a`, `name=a&name=b` or `name=a,b`. */
function repeatedValues(query: Record<string, unknown>, name: string): string[] | undefined {
  const values: string[] = []
  for (const key in query) {
    if (key !== name && inBrackets.exec(key)?.[1] !== name) continue
    values.push(...[query[key]].flat().flatMap((value) => String(value).split(',')))
  }
  return values.length === 0 ? undefined : values
}

/** The problem of a value. A number with more digits than a double is one, except within JSON of the designer. */
function problemWith(value: unknown, check: ValueCheck): string | undefined {
  if (!isRawNumber(value)) return check(value)
  return check(Number(JSON.stringify(value))) ?? 'has too many digits'
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
