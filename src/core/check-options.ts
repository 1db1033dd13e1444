// The options of a host: schemas of usual kinds of options, and the check against a schema. An invalid option aborts startup with one
// sentence that names it.
import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { membersOf } from './foreign.ts'
import { requireBeside } from './installed.ts'

/**
 * The schema of an object with options. The schema of each option has the keyword `must`, the end of a sentence that begins with the
 * name of the option, and may have the keyword `holds`, a further check of values that match the schema.
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

/** An option of a type that JSON Schema does not have. @param holds whether a value has this type */
export const valueOption = <T>(holds: (value: unknown) => boolean, must: string) =>
  Type.Unsafe<T>({ holds, must })

/** A function. */
export const functionOption = <T = (...args: never[]) => unknown>(must = 'be a function') =>
  valueOption<T>((value) => typeof value === 'function', must)
/** A boolean. */
export const booleanOption = Type.Boolean({ must: 'be true or false' })
/** The path of a folder. */
export const folderOption = Type.String({ minLength: 1, must: 'be the path of a folder' })
/** A string. */
export const stringOption = Type.String({ must: 'be a string' })

/** The path under which the API is served, such as `/wp-json`; may be empty. */
export const baseUrlOption = Type.String({
  pattern: '^(/[A-Za-z0-9._~/-]*)?$',
  must: 'be a path that starts with "/", such as "/wp-json"',
})

/** Options that Fastify passes to every plugin. */
export const fastifyOptions = {
  prefix: Type.Optional(stringOption),
  logLevel: Type.Optional(stringOption),
  logSerializers: Type.Optional(Type.Any()),
}

/** One of these strings. */
export const oneOf = <const T extends string>(values: readonly T[], must: string) =>
  Type.Unsafe<T>({ enum: values, must })

/** A number of seconds above 0. */
export const seconds = (maximum: number) =>
  Type.Number({ exclusiveMinimum: 0, maximum, must: `be a number of seconds above 0, at most ${maximum}` })

/** A whole number from 1 on. @param noun what it is, such as `a number of bytes` */
export const wholeNumber = (noun: string, maximum: number) =>
  Type.Integer({ minimum: 1, maximum, must: `be ${noun}, a whole number from 1 to ${maximum}` })

/** An http or https URL without a user. @param suffix pattern of what may follow the path */
export const httpUrl = (suffix: string, must: string) =>
  Type.String({
    pattern: `^https?://[^\\s/?#@\\\\]+(/[^\\s?#]*)?${suffix}$`,
    holds: (text: unknown) => typeof text === 'string' && URL.canParse(text),
    must,
  })

/** Created by the first check. */
let ajv: import('ajv').Ajv | undefined
/** By schema of an option. */
const compiled = new Map<TSchema, ValidateFunction>()

/** Loads Ajv on first use: hosts have it in memory with Fastify already, other scripts may never need it. */
function newAjv() {
  const { Ajv }: typeof import('ajv') = requireBeside(import.meta.url)('ajv')
  // Unoptimized, because compiling takes longer than the checks.
  const instance = new Ajv({ strict: false, verbose: true, validateSchema: false, code: { optimize: false } })
  instance.addKeyword({
    keyword: 'onlyKnown',
    type: 'object',
    // First, because a misspelled name explains why a required one is missing.
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
 * Checks the options of a plugin or function. An option that is undefined counts as absent.
 * @throws Error with one sentence that names the option, but never its value, which may be a secret
 */
export function checkOptions(schema: TSchema, options: unknown): void {
  const problem = problemOf(schema, options)
  if (problem !== undefined) throw new Error(`${problem}.`)
}

/** The first problem of the options. Compiles only the schemas of options that are set. */
function problemOf(schema: TSchema, options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    return `The options: must ${schema.must}`
  const unknownName = unknownIn(options, schema)
  if (unknownName !== undefined) return unknownOption(unknownName, unknownName, schema)
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value: unknown = membersOf(options)[name]
    if (value === undefined && !schema.required?.includes(name)) continue
    ajv ??= newAjv()
    const check = compiled.get(property) ?? ajv.compile(property)
    compiled.set(property, check)
    if (value === undefined) return problemIn(name, property, [])
    if (!check(value)) return problemIn(name, property, check.errors ?? [])
  }
  return undefined
}

/** A problem within an option: `printful.token`. */
interface LocatedProblem {
  path: string
  message: string
}

/**
 * The problem of an option: the innermost one, because a schema reports errors for each of several allowed forms. Of several at the
 * same place the last one wins, which is that of the union of all forms.
 */
function problemIn(name: string, property: TSchema, errors: readonly ErrorObject[]): string {
  const outermost = { path: name, message: `${name}: must ${property.must}` }
  const innermost = errors.reduce<LocatedProblem>((previous, error) => {
    const problem = locatedProblem(name, error)
    return problem && isWithin(previous.path, problem.path) ? problem : previous
  }, outermost)
  return innermost.message
}

/** The problem that an error of Ajv reports; undefined for one of several forms, which have no sentence of their own. */
function locatedProblem(
  name: string,
  { instancePath, keyword, params, data, parentSchema }: ErrorObject,
): LocatedProblem | undefined {
  // Ajv is created with `verbose`, so errors have their schema.
  const schema = parentSchema as TSchema
  const inner: string | undefined =
    keyword === 'onlyKnown' ? unknownIn(membersOf(data), schema) : params.missingProperty
  const steps = [...instancePath.split('/').slice(1), ...(inner === undefined ? [] : [inner])]
  const path = name + steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  if (keyword === 'onlyKnown') return { path, message: unknownOption(path, inner ?? '', schema) }
  const { must } = keyword === 'required' ? schema.properties[inner ?? ''] : schema
  return must === undefined ? undefined : { path, message: `${path}: must ${must}` }
}

const isWithin = (outer: string, path: string) =>
  path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)))

/** The sentence about an option that does not exist. @param name the last step of the path */
function unknownOption(path: string, name: string, { properties }: TSchema): string {
  const optionNames = Object.keys(properties)
  const similar = optionNames.find((option) => isTypo(name, option))
  const guess = similar === undefined ? '' : ` (did you mean ${path.slice(0, -name.length)}${similar}?)`
  return `${path} is not an option${guess}; known are ${optionNames.join(', ')}`
}

/**
 * Whether `typed` may be a typo of `name`: at most two characters added, omitted or changed (Levenshtein distance), and at most half
 * of the name, ignoring case.
 */
export function isTypo(typed: string, name: string): boolean {
  const [a, b] = [typed.toLowerCase(), name.toLowerCase()]
  if (Math.abs(a.length - b.length) > 2) return false
  /** Distances of the first characters of `a` to each beginning of `b`. */
  let distances = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (distances[j - 1] ?? 0) + Number(a[i - 1] !== b[j - 1])
      next.push(Math.min(changed, (distances[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    distances = next
  }
  return (distances[b.length] ?? 3) <= Math.min(2, name.length / 2)
}
