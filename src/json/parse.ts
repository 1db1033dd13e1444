// The one caller of JSON.parse. V8 misreads escaped names (nodejs/node#63785): of an object whose first names were seen
// before, it takes the next name for a known one that has the first characters of the escaped source. Any code of the
// process can have made such an object known, so V8 never gets an escaped name from here.
import { hasEscapedName, isName } from './names.ts'
import { afterString, Pieces, withParts } from './strings.ts'

/** Characters that JSON has only as escapes. */
const needsEscapes = /["\\\x00-\x1f]/

/**
 * As JSON.parse is specified: order of properties, duplicates, `__proto__` as an own property. Linear in the length of
 * the text.
 * @throws SyntaxError as JSON.parse does
 */
export function fromJson(text: string): unknown {
  if (!hasEscapedName(text)) return JSON.parse(text)
  const { literal, placeholders } = withLiteralNames(text)
  const value: unknown = JSON.parse(literal)
  return placeholders.size > 0 ? withParts(value, (part) => withNames(part, placeholders)) : value
}

/**
 * The text with names that need no decoding, and what stands in place of names that only escapes can write. Everything else
 * stays, so that the text is JSON exactly if it was.
 */
function withLiteralNames(text: string): { literal: string; placeholders: Map<string, string> } {
  const pieces = new Pieces()
  const literalNames = new Map<string, string>()
  const placeholders = new Map<string, string>()
  const placeholderOf = new Map<string, string>()
  let mark: string | undefined
  const literalOf = (name: string) => {
    if (!needsEscapes.test(name)) return name
    mark ??= randomName()
    const placeholder = placeholderOf.get(name) ?? `${mark} ${placeholderOf.size}`
    placeholderOf.set(name, placeholder)
    placeholders.set(placeholder, name)
    return placeholder
  }
  let copied = 0
  let next = text.indexOf('\\')
  for (let start = text.indexOf('"'); start >= 0 && next >= 0; ) {
    const end = afterString(text, start + 1)
    if (next < end) {
      if (next > start && isName(text, end)) {
        const source = text.slice(start, end)
        // V8 reads a string that is no name as it should.
        const name = literalNames.get(source) ?? literalOf(JSON.parse(source))
        literalNames.set(source, name)
        pieces.add(text.slice(copied, start + 1), name)
        copied = end - 1
      }
      next = text.indexOf('\\', end)
    }
    start = text.indexOf('"', end)
  }
  pieces.add(text.slice(copied))
  return { literal: pieces.text, placeholders }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withNames = (value: unknown, names: ReadonlyMap<string, string>) =>
  isObject(value) && Object.keys(value).some((name) => names.has(name))
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [names.get(name) ?? name, item]))
    : value

/** A name that nobody else uses. Not by node:crypto, because the client runs in browsers, too. */
const randomName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')

/**
 * Whether JSON.parse of this process misreads escaped names. Determined by its behavior after a random name, so that objects
 * of others stay as they are.
 */
export function misreadsNames(): boolean {
  const first = randomName()
  JSON.parse(`{"${first}":1,"\\\\":1}`)
  return !Object.hasOwn(JSON.parse(`{"${first}":1,"\\u00e4":1}`), 'ä')
}
