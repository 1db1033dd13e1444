// Parses JSON: `fromJson` with the numbers of JavaScript, `parseExact` with all digits. The only caller of JSON.parse. V8 misreads
// escaped names (nodejs/node#63785): when an object begins with the names of an earlier object, V8 takes its next name for the earlier
// one's if the escaped source begins with it. Any code of the process can have parsed such an object before, so this file never passes
// an escaped name to V8.
import { longDigitsPattern, quoteLongNumbers } from './long-numbers.ts'
import { hasEscapedName, isName } from './names.ts'
import { afterString, Pieces, withParts } from './strings.ts'

/** Characters that JSON has only as escapes. */
const needsEscapes = /["\\\x00-\x1f]/

/**
 * Parses JSON as JSON.parse is specified, without the fault of V8: order of properties, duplicates, `__proto__` as an own
 * property. Takes time linear in the length of the text.
 * @throws SyntaxError as JSON.parse does
 */
export function fromJson(text: string): unknown {
  if (!text.includes('\\') || !hasEscapedName(text)) return JSON.parse(text)
  const { literal, placeholders } = withLiteralNames(text)
  const value: unknown = JSON.parse(literal)
  return placeholders.size > 0 ? withParts(value, (part) => withNames(part, placeholders)) : value
}

/** The cast adds JSON.rawJSON, which every supported Node has but TypeScript's library does not declare yet. */
const json = JSON as unknown as {
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

/**
 * Parses JSON so that JSON.stringify writes each number with the digits of the text: numbers with
 * long digits (`longDigitsPattern`) that a double would change become raw JSON (`JSON.rawJSON`). Takes time linear in the length of the text.
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): unknown {
  if (!longDigitsPattern.test(text)) return fromJson(text)
  const { json: quoted, prefix } = quoteLongNumbers(text)
  const value: unknown = fromJson(quoted)
  if (prefix === undefined) return value
  return withParts(value, (part) =>
    typeof part === 'string' && part.startsWith(prefix) ? json.rawJSON(part.slice(prefix.length)) : part,
  )
}

/** Whether the value is raw JSON: a number that `parseExact` returns with all its digits. Its `typeof` is "object". */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value)
}

/** A number, or a raw number of `parseExact`, as a double; undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawNumber(value) ? Number(JSON.stringify(value)) : undefined
}

/**
 * The text with its escaped names written literally. A name that JSON can only write with escapes gets a placeholder;
 * `placeholders` has the names by placeholder. Nothing else changes, so that invalid JSON stays invalid.
 */
function withLiteralNames(text: string): { literal: string; placeholders: ReadonlyMap<string, string> } {
  const pieces = new Pieces()
  /** Literal names, or their placeholders, by their escaped source with quotes. */
  const literalNames = new Map<string, string>()
  const placeholders = new Placeholders()
  /** The end of the text that `pieces` has already. */
  let copied = 0
  let next = text.indexOf('\\')
  for (let start = text.indexOf('"'); start >= 0 && next >= 0; ) {
    const end = afterString(text, start + 1)
    if (next < end) {
      if (next > start && isName(text, end)) {
        const source = text.slice(start, end)
        const name = literalNames.get(source) ?? placeholders.literal(parsedString(source))
        literalNames.set(source, name)
        pieces.add(text.slice(copied, start + 1), name)
        copied = end - 1
      }
      next = text.indexOf('\\', end)
    }
    start = text.indexOf('"', end)
  }
  pieces.add(text.slice(copied))
  return { literal: pieces.text, placeholders: placeholders.names }
}

/** V8 reads strings correctly unless they are names. */
const parsedString = (source: string): string => JSON.parse(source)

/** Placeholders for the names of one text that JSON can only write with escapes. */
class Placeholders {
  /** Names by placeholder. */
  readonly names = new Map<string, string>()
  readonly #byName = new Map<string, string>()
  #prefix: string | undefined

  /** The name itself, or its placeholder if it needs escapes. */
  literal(name: string): string {
    if (!needsEscapes.test(name)) return name
    this.#prefix ??= randomName()
    const placeholder = this.#byName.get(name) ?? `${this.#prefix} ${this.#byName.size}`
    this.#byName.set(name, placeholder)
    this.names.set(placeholder, name)
    return placeholder
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with its placeholders replaced by the names; properties of its parts are not searched. */
const withNames = (value: unknown, names: ReadonlyMap<string, string>) =>
  isObject(value) && Object.keys(value).some((name) => names.has(name))
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [names.get(name) ?? name, item]))
    : value

/** A name that no other JSON contains. Web Crypto, not node:crypto, because the client runs in browsers, too. */
const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/**
 * Whether JSON.parse of this process misreads escaped names, which is logged when an app starts. It tries with a random name,
 * so that V8 remembers nothing that other JSON contains.
 */
export function misreadsNames(): boolean {
  const first = randomName()
  JSON.parse(`{"${first}":1,"\\\\":1}`)
  return !Object.hasOwn(JSON.parse(`{"${first}":1,"\\u00e4":1}`), 'ä')
}
