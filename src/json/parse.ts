// The one caller of JSON.parse. V8 misreads escaped names (nodejs/node#63785): of an object whose first names were seen
// before, it takes the next name for a known one that has the first characters of the escaped source. Any code of the
// process can have made such an object known, so V8 never gets an escaped name from here.
import { hasEscapedName, randomName, withLiteralNames } from './names.ts'

/**
 * As JSON.parse is specified: order of properties, duplicates, `__proto__` as an own property. Linear in the length of
 * the text.
 * @throws SyntaxError as JSON.parse does
 */
export function fromJson(text: string): unknown {
  if (!hasEscapedName(text)) return JSON.parse(text)
  // V8 reads a string that is no name as it should.
  const { text: literal, placeholders } = withLiteralNames(text, (source): string => JSON.parse(source))
  const value: unknown = JSON.parse(literal)
  return placeholders ? renamed(value, placeholders) : value
}

/** The value with names in place of their placeholders. Uses its own stack, because the value may be nested at any depth. */
function renamed(root: unknown, names: ReadonlyMap<string, string>): unknown {
  const whole = [root]
  const rest: object[] = [whole]
  for (let next = rest.pop(); next; next = rest.pop()) {
    for (const key of Object.keys(next)) {
      const value: unknown = Reflect.get(next, key)
      if (typeof value !== 'object' || value === null) continue
      const made = hasPlaceholder(value, names) ? withNames(value, names) : value
      if (made !== value) Reflect.set(next, key, made)
      rest.push(made)
    }
  }
  return whole[0]
}

const hasPlaceholder = (value: object, names: ReadonlyMap<string, string>) =>
  !Array.isArray(value) && Object.keys(value).some((name) => names.has(name))

const withNames = (value: object, names: ReadonlyMap<string, string>): object =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [names.get(name) ?? name, each]))

/**
 * Whether JSON.parse of this process misreads escaped names. Told by its behavior after a random name, so that objects
 * of others stay as they are.
 */
export function misreadsNames(): boolean {
  const first = randomName()
  JSON.parse(`{"${first}":1,"\\\\":1}`)
  return !Object.hasOwn(JSON.parse(`{"${first}":1,"\\u00e4":1}`), 'ä')
}
