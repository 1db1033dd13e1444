// Whether a stored text is JSON. The process remembers which texts are, so that a stored value is parsed once, not with each response.
import { hash } from 'node:crypto'
import { fromJson } from '../json/parse.ts'
import { isWithinLimits } from '../json/text.ts'

/** SHA-256 of a string: a collision with a valid text would let an invalid one pass as JSON. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64')

/** Number of digests in each half; when the newer one is full, the older one is forgotten. */
const generation = 20_000
let recent = new Set<string>()
let previous = new Set<string>()

const isKnownJson = (digest: string): boolean => recent.has(digest) || previous.has(digest)

/** Remembers that the text with this digest, or with this version (see `kindOf`), is JSON within the limits. */
export function rememberJson(digest: string): void {
  if (recent.size >= generation) {
    previous = recent
    recent = new Set()
  }
  recent.add(digest)
}

/** Characters from which a text is remembered: hashing costs a sixth of parsing. */
export const hashedFrom = 512

/**
 * What a text is. `excessive` is JSON, or looks like it, and would take too long to parse. It must not be read as an older encoding:
 * without its backslashes `{"\u00e4":1}` is JSON, too, with another name.
 */
type JsonKind = 'json' | 'excessive' | 'other'

/**
 * The kind of a text. A long text that is JSON is remembered.
 * @param version as for `readStoredJson` in stored-json.ts
 */
export function kindOf(text: string, version?: string): JsonKind {
  // JSON has backslashes and ampersands in strings alone: escaped texts need not be hashed, counted and parsed.
  const quote = text.indexOf('"')
  const beforeStrings = quote === -1 ? text : text.slice(0, quote)
  if (/[\\&]/.test(beforeStrings)) return 'other'
  if (text.length < hashedFrom) return parsedKind(text)
  const key = version ?? digestOf(text)
  if (isKnownJson(key)) return 'json'
  // A text that was just written is remembered by its digest, not by its version.
  const isKnown = version !== undefined && isKnownJson(digestOf(text))
  const state = isKnown ? 'json' : parsedKind(text)
  if (state === 'json') rememberJson(key)
  return state
}

/** The kind of a text, which is parsed and not remembered. */
export function parsedKind(text: string): JsonKind {
  // A short text can exceed no limit.
  if (text.length >= hashedFrom && !isWithinLimits(text)) return text.includes('"') ? 'excessive' : 'other'
  return parses(text) ? 'json' : 'other'
}

/** Whether the text is valid JSON. */
function parses(text: string): boolean {
  try {
    fromJson(text)
    return true
  } catch {
    return false
  }
}
