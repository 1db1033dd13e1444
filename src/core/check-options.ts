// Validates the options of a host against a schema. An invalid option aborts startup with one sentence about it.
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Kind, Type } from './typebox.ts'

/**
 * The schema of an option has `must`, the rest of a sentence that begins with the option's name, and may have `holds`, a
 * further check of values that match the schema.
 */
export const optionsObject = <T extends TProperties>(properties: T, must: string) =>
  Type.Object(properties, { additionalProperties: false, must })

/** Options of Fastify itself for every plugin. */
export const fastifyOptions = {
  prefix: Type.Optional(Type.String({ must: 'be a string' })),
  logLevel: Type.Optional(Type.String({ must: 'be a string' })),
  logSerializers: Type.Optional(Type.Any()),
}

export const functionOption = Type.Function([], Type.Any(), { must: 'be a function' })
export const booleanOption = Type.Boolean({ must: 'be true or false' })
export const folderOption = Type.String({ minLength: 1, must: 'be the path of a folder' })

/** A number above 0. */
export const seconds = (maximum: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum, must: `be a number of seconds above 0, at most ${maximum}` })

export const wholeNumber = (what: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, must: `be ${what}, a whole number from 1 to ${maximum}` })

/** @param rest pattern of what may follow the path */
export const httpUrl = (rest: string, must: string) =>
  Type.String({
    pattern: `^https?://[^\\s/?#@\\\\]+(/[^\\s?#]*)?${rest}$`,
    holds: (text: string) => URL.canParse(text),
    must,
  })

/**
 * Undefined is the same as absent. The message never repeats values, because some are secrets.
 * @throws Error with one sentence that names the option
 */
export function checkOptions(schema: TSchema, options: unknown): void {
  const problem = problemOf(schema, options, '')
  if (problem !== undefined) throw new Error(`${problem}.`)
}

function problemOf(schema: TSchema, value: unknown, path: string): string | undefined {
  const isObject = isObjectValue(value)
  // A record has keys of the host's own.
  if (schema.type === 'object' && schema.properties) {
    return isObject ? problemInside(schema, value, path) : mismatch(schema, path)
  }
  if (schema.type === 'array' && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = problemOf(schema.items, item, `${path}[${index}]`)
      if (problem !== undefined) return problem
    }
  }
  const forms: TSchema[] = schema.anyOf ?? []
  const form = isObject && forms.find(({ type }) => type === 'object')
  if (form) return problemOf(form, value, path)
  const isSound = matches(schema, value) && (schema.holds?.(value) ?? true)
  return isSound ? undefined : mismatch(schema, path)
}

/** Whether a value matches a schema, by the keywords that options use. */
export function matches(schema: TSchema, value: unknown): boolean {
  switch (schema[Kind]) {
    case 'Any':
      return true
    case 'Literal':
      return value === schema.const
    case 'Boolean':
      return typeof value === 'boolean'
    case 'Function':
      return typeof value === 'function'
    case 'String':
      return (
        typeof value === 'string' &&
        value.length >= (schema.minLength ?? 0) &&
        new RegExp(schema.pattern ?? '').test(value)
      )
    case 'Integer':
      return Number.isInteger(value) && isWithin(schema, value as number)
    case 'Number':
      return Number.isFinite(value) && isWithin(schema, value as number)
    case 'Array':
      return (
        Array.isArray(value) &&
        value.length >= (schema.minItems ?? 0) &&
        value.every((item) => matches(schema.items, item))
      )
    case 'Union':
      return schema.anyOf.some((form: TSchema) => matches(form, value))
    case 'Object':
      // The properties of an object are checked one by one.
      return isObjectValue(value)
    case 'Record':
      return (
        isObjectValue(value) &&
        Object.values<TSchema>(schema.patternProperties).every((property) =>
          Object.values(value).every((item) => matches(property, item)),
        )
      )
    default:
      throw new TypeError(`Options have no schemas of the kind ${schema[Kind]}.`)
  }
}

const isObjectValue = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isWithin = ({ minimum, maximum, exclusiveMinimum }: TSchema, value: number): boolean =>
  value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity) && value > (exclusiveMinimum ?? -Infinity)

function problemInside(
  { properties, required = [], additionalProperties }: TSchema,
  value: object,
  path: string,
): string | undefined {
  const known = Object.keys(properties)
  const nameOf = (key: string) => (path === '' ? key : `${path}.${key}`)
  for (const [key, given] of Object.entries(value)) {
    if (given === undefined || known.includes(key) || additionalProperties !== false) continue
    const meant = known.find((name) => isSlip(key, name))
    const guess = meant === undefined ? '' : ` (did you mean ${nameOf(meant)}?)`
    return `${nameOf(key)} is not an option${guess}; known are ${known.join(', ')}`
  }
  for (const key of known) {
    const given: unknown = Reflect.get(value, key)
    if (given === undefined && !required.includes(key)) continue
    const problem = problemOf(properties[key], given, nameOf(key))
    if (problem !== undefined) return problem
  }
  return undefined
}

const mismatch = ({ must }: TSchema, path: string) => `${path || 'The options'}: must ${must}`

/** Whether `typed` may be a typo of `meant`: at most two characters added, omitted or changed, ignoring case. */
export function isSlip(typed: string, meant: string): boolean {
  const [a, b] = [typed.toLowerCase(), meant.toLowerCase()]
  if (Math.abs(a.length - b.length) > 2) return false
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (before[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    before = row
  }
  return (before[b.length] ?? 3) <= Math.min(2, meant.length / 2)
}
