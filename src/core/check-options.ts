// Validates the options of a host against a schema. An invalid option aborts startup with one sentence about it.
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { requireBeside } from './installed.ts'

/**
 * The schema of an option has `must`, the rest of a sentence that begins with the option's name, and may have `holds`, a
 * further check of values that match the schema.
 */
export const optionsObject = <T extends TProperties>(properties: T, must: string) =>
  Type.Object(properties, { onlyKnown: true, must })

/**
 * The type of options from their schemas. Declare an interface that extends it, so that editors show its name instead of all
 * members; the build writes the members with the comments of their schemas into the declarations (tools/declarations.ts).
 * @example interface SheetOptions extends OptionsOf<(typeof sheetOptions)['properties']> {}
 */
export type OptionsOf<P extends TProperties> = Static<TObject<P>>

/** The first property with a value that the schema of an object does not have. */
const unknownIn = (value: object, { properties }: TSchema): string | undefined =>
  Object.entries(value).find(
    ([name, propertyValue]) => propertyValue !== undefined && !Object.hasOwn(properties, name),
  )?.[0]

/** A value of a type that JSON does not have, with the check that it is one. */
export const valueOption = <T>(holds: (value: unknown) => boolean, must: string) =>
  Type.Unsafe<T>({ holds, must })

export const functionOption = <T = (...args: never[]) => unknown>(must = 'be a function') =>
  valueOption<T>((value) => typeof value === 'function', must)
export const booleanOption = Type.Boolean({ must: 'be true or false' })
export const folderOption = Type.String({ minLength: 1, must: 'be the path of a folder' })
export const stringOption = Type.String({ must: 'be a string' })

export const baseUrlOption = Type.String({
  pattern: '^(/[A-Za-z0-9._~/-]*)?$',
  must: 'be a path that starts with "/", such as "/wp-json"',
})

/** Options of Fastify itself for every plugin. */
export const fastifyOptions = {
  prefix: Type.Optional(stringOption),
  logLevel: Type.Optional(stringOption),
  logSerializers: Type.Optional(Type.Any()),
}

/** An option that only has to be one of these strings. */
export const oneOf = <const T extends string>(values: readonly T[], must: string) =>
  Type.Unsafe<T>({ enum: values, must })

/** A number above 0. */
export const seconds = (maximum: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum, must: `be a number of seconds above 0, at most ${maximum}` })

export const wholeNumber = (what: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, must: `be ${what}, a whole number from 1 to ${maximum}` })

/** @param rest pattern of what may follow the path */
export const httpUrl = (rest: string, must: string) =>
  Type.String({
    pattern: `^https?://[^\\s/?#@\\\\]+(/[^\\s?#]*)?${rest}$`,
    holds: (text: unknown) => typeof text === 'string' && URL.canParse(text),
    must,
  })

let ajv: import('ajv').Ajv | undefined
const compiled = new Map<TSchema, ValidateFunction>()

/** Hosts have loaded Ajv with Fastify; scripts that only call a standalone function load it here. */
function newAjv() {
  const { Ajv }: typeof import('ajv') = requireBeside(import.meta.url)('ajv')
  // Compiling is most of the work here.
  const instance = new Ajv({ strict: false, verbose: true, validateSchema: false, code: { optimize: false } })
  instance.addKeyword({
    keyword: 'onlyKnown',
    type: 'object',
    // An unknown name explains what is missing.
    before: 'required',
    validate: (_on: true, value: object, schema?: object) =>
      unknownIn(value, schema as TSchema) === undefined,
  })
  return instance.addKeyword({
    keyword: 'holds',
    validate: (holds: (value: unknown) => boolean, value: unknown) => holds(value),
  })
}

/**
 * Undefined is the same as absent. The message never repeats values, because some are secrets.
 * @throws Error with one sentence that names the option
 */
export function checkOptions(schema: TSchema, options: unknown): void {
  const problem = problemOf(schema, options)
  if (problem !== undefined) throw new Error(`${problem}.`)
}

/** Only the schemas of options that are given are compiled. */
function problemOf(schema: TSchema, options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return `The options: must ${schema.must}`
  const unknown = unknownIn(options, schema)
  if (unknown !== undefined) return unknownOption(unknown, unknown, schema)
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined && !schema.required?.includes(name)) continue
    ajv ??= newAjv()
    const check = compiled.get(property) ?? ajv.compile(property)
    compiled.set(property, check)
    // The check has the errors of its last call.
    if (value === undefined) return problemIn(name, property, [])
    if (!check(value)) return problemIn(name, property, check.errors ?? [])
  }
  return undefined
}

/** The innermost problem among all forms of an option; a sentence about all forms wins over one about a single form. */
function problemIn(name: string, property: TSchema, errors: readonly ErrorObject[]): string {
  let found = { path: name, text: `${name}: must ${property.must}` }
  for (const { instancePath, keyword, params, data, parentSchema } of errors) {
    const schema = parentSchema as TSchema
    const inner: string | undefined =
      keyword === 'onlyKnown' ? unknownIn(Object(data), schema) : params.missingProperty
    const parts = [...instancePath.split('/').slice(1), ...(inner === undefined ? [] : [inner])]
    const path = parts.reduce((all, part) => all + (/^\d+$/.test(part) ? `[${part}]` : `.${part}`), name)
    const { must } = keyword === 'required' ? schema.properties[inner ?? ''] : schema
    if (!isWithin(found.path, path)) continue
    if (keyword === 'onlyKnown') found = { path, text: unknownOption(path, inner ?? '', schema) }
    // Without a sentence it is one of several forms, whose sentence stands at their union.
    else if (must !== undefined) found = { path, text: `${path}: must ${must}` }
  }
  return found.text
}

const isWithin = (outer: string, path: string) =>
  path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)))

function unknownOption(path: string, unknown: string, { properties }: TSchema): string {
  const optionNames = Object.keys(properties)
  const meant = optionNames.find((name) => isSlip(unknown, name))
  const guess = meant === undefined ? '' : ` (did you mean ${path.slice(0, -unknown.length)}${meant}?)`
  return `${path} is not an option${guess}; known are ${optionNames.join(', ')}`
}

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
