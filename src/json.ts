// JSON without loss: integers longer than a double can hold keep their digits, merges keep what they do not name.

/** JSON.rawJSON and the reviver's `source` are in every supported Node, but not yet in TypeScript's library. */
const json = JSON as unknown as {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): object
  isRawJSON(value: unknown): boolean
}

const long = /\d{16}/

/**
 * JSON.parse whose numbers survive JSON.stringify: those that a double would change become raw JSON.
 * @throws SyntaxError as JSON.parse does
 */
export function parseExact(text: string): unknown {
  // A reviver is slow; only numbers of 16 digits and more can need it.
  if (!long.test(text)) return JSON.parse(text)
  return json.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || !Number.isFinite(value) || source === undefined) return value
    return String(value) === source || !long.test(source) ? value : json.rawJSON(source)
  })
}

/** Whether the value is a number that `parseExact` kept as its digits; `typeof` calls it an object. */
export function isRawNumber(value: unknown): boolean {
  return json.isRawJSON(value)
}

/** The number that a JSON number stands for, whether or not it was kept as its digits; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isRawNumber(value) ? Number(JSON.stringify(value)) : undefined
}

/** False where half of a surrogate pair stands in a text or name: of such a JSON text PHP reads nothing at all. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member))
}

type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
}

/** JSON merge patch (RFC 7396): objects merge, null removes a member, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, value)
  }
  return merged
}

/**
 * Whether a value and a JSON text stand for the same value, with properties in the same order. Numbers are compared as
 * every JSON reader has them: a client may send back fewer digits than are stored.
 */
export function sameJson(value: unknown, text: string): boolean {
  const json = JSON.stringify(value)
  if (json === text) return true
  const plain = (source: string) => JSON.stringify(JSON.parse(source))
  return (long.test(json) ? plain(json) : json) === plain(text)
}
