// Reads stored JSON and flags in every encoding that installations contain: JSON, JSON with backslashes or HTML entities, and PHP's
// serialize().
import { hash } from 'node:crypto'
import { parseExact } from '../json/exact.ts'
import { fromJson } from '../json/parse.ts'
import { isWithinLimits, itemsOf } from '../json/text.ts'
import { phpFromJson, phpToJsonText } from './php-json.ts'
import { type PhpEntry, PhpFormatError, readPhp } from './php-value.ts'

/** Characters of the largest value that is read. Parsing one takes up to 40 ms per MiB on slow machines. */
export const maxStored = 32 * 1024 * 1024

/** Bytes of the largest value that is read if it is escaped JSON. */
const maxEscaped = 32 * 1024 * 1024
/** Number of ampersands from which escaped JSON is not read. Replacing one takes two tenths of a microsecond. */
const maxEntities = 750_000

/**
 * The JSON text of a column, which can be inserted into a response as it is. A text that begins with `a:` is read as an array that
 * PHP serialized, one that begins with `s:` and a digit as any of these in a string that PHP serialized. Valid JSON is returned
 * unchanged; another text is tried as JSON with one to five layers of backslashes, then as HTML-escaped JSON. A value that exceeds the limits of a request body, in characters, depth or number of values, is not
 * read.
 * @param empty JSON text for an empty column or an empty PHP array
 * @param version a text that differs whenever the stored text does, such as the state tag of the row and the name of the column, which
 *   saves hashing; two different stored texts must never have the same version
 * @returns undefined if the value cannot be read
 */
export function readStoredJson(
  stored: string | null,
  empty: '{}' | '[]',
  version?: string,
): string | undefined {
  if ((stored?.length ?? 0) > maxStored) return undefined
  const text = stored?.trim()
  if (!stored || !text) return empty
  if (text.startsWith('a:')) return fromPhp(text, empty)
  if (serializedString.test(text)) {
    const inner = unserializedString(text)
    return inner === undefined ? undefined : readStoredJson(inner, empty)
  }
  const kind = kindOf(stored, version)
  if (kind === 'json') return stored
  if (kind === 'excessive' || Buffer.byteLength(stored) > maxEscaped) return undefined
  return fromSlashed(stored) ?? fromHtml(stored)
}

/** The beginning of a string that PHP serialized. */
const serializedString = /^s:\d/

/** Maximum layers of `serialize()`. The CMS serializes a string again that looks serialized. */
const maxLayers = 5

/**
 * The text in a string that PHP serialized, in one or several layers, as `maybe_unserialize` reads it.
 * @returns the text itself if it is no such string, undefined if the string cannot be read
 */
export function unserializedString(stored: string): string | undefined {
  let text = stored
  for (let layer = 0; layer <= maxLayers; layer++) {
    const trimmed = text.trim()
    if (!serializedString.test(trimmed)) return text
    const inner = phpString(trimmed)
    if (inner === undefined) return undefined
    text = inner
  }
  return undefined
}

/** The string that this text serializes; undefined if it serializes none. As `readPhp`, but without copying the string. */
function phpString(text: string): string | undefined {
  const [head, length] = /^s:(0|[1-9]\d{0,8}):"/.exec(text) ?? []
  if (head === undefined || !text.endsWith('";')) return undefined
  const inner = text.slice(head.length, -2)
  return Buffer.byteLength(inner) === Number(length) && inner.isWellFormed() ? inner : undefined
}

/**
 * The entries of an array or object in any of these encodings, with the keys and in the order of PHP. Undefined for other values,
 * and for a value that cannot be read.
 */
export function readStoredArray(stored: string | null): readonly PhpEntry[] | undefined {
  const json = readStoredJson(stored, '[]')
  if (json === undefined) return undefined
  const text = stored?.trim() ?? ''
  const value = text.startsWith('a:') ? readPhp(text) : phpFromJson(parseExact(json))
  return typeof value === 'object' && value !== null && 'entries' in value ? value.entries : undefined
}

/** Number of items of a stored list; undefined if it cannot be read. */
export function lengthOfStored(stored: string | null): number | undefined {
  const json = readStoredJson(stored, '[]')
  return json === undefined ? undefined : itemsOf(json)
}

/** Whether a flag is set. Integer, bit and text columns and options store it as 1, `yes`, `true` or `on`. */
export function readFlag(stored: unknown): boolean {
  const text = stored instanceof Uint8Array ? Buffer.from(stored).toString('latin1') : String(stored)
  // BIT columns are read as bytes.
  return text === '\x01' || /^(?:1|yes|true|on)$/i.test(text.trim())
}

/** Whether the text contains the character at least `count` times. */
function containsOften(text: string, character: string, count: number): boolean {
  let remaining = count
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1))
    if (--remaining === 0) return true
  return false
}

/** Maximum layers of backslashes. */
const maxSlashes = 5

/** JSON whose quotation marks and backslashes PHP has escaped by `addslashes`, once or several times. */
function fromSlashed(stored: string): string | undefined {
  if (!stored.includes('\\')) return undefined
  // In JSON nothing precedes the first quote, so the layers before it are removed at once.
  const quote = stored.indexOf('"')
  let start = quote
  while (start > 0 && stored.charCodeAt(start - 1) === backslash) start--
  // Without backslashes before the first quote, `kindOf` has parsed the text as it is, which counts.
  let remaining = maxStored - (start === quote ? stored.length : 0)
  for (let layers = layersOf(quote - start); layers <= maxSlashes && stored.length <= remaining; layers++) {
    const text = stripSlashes(stored, layers)
    const kind = parsedKind(text)
    if (kind !== 'other') return kind === 'json' ? text : undefined
    if (!text.includes('\\')) return undefined
    remaining -= stored.length
  }
  return undefined
}

const backslash = 92
const zero = 48

/** How often a row of backslashes is halved until none is left; 1 for none. */
const layersOf = (backslashes: number) => Math.max(1, 32 - Math.clz32(backslashes))

/**
 * PHP's stripslashes(), several times: each halves a row of backslashes, removes one at the end, and turns `\0` into NUL, which JSON
 * cannot contain.
 */
function stripSlashes(text: string, layers: number): string {
  const isAscii = Buffer.byteLength(text) === text.length
  const encoding = isAscii ? 'latin1' : 'utf16le'
  const bytes = Buffer.from(new Uint8Array(isAscii ? text.length : 2 * text.length).buffer)
  bytes.write(text, encoding)
  const codes = isAscii ? bytes : new Uint16Array(bytes.buffer)
  const end = withoutSlashes(codes, layers)
  return bytes.toString(encoding, 0, end * codes.BYTES_PER_ELEMENT)
}

/** Writes the codes without backslashes over themselves. @returns their number */
function withoutSlashes(codes: Uint8Array | Uint16Array, layers: number): number {
  const removed = (1 << layers) - 1
  let to = 0
  let row = 0
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === backslash) row++
    else if (row === 0) codes[to++] = code
    else {
      for (let rest = row >>> layers; rest > 0; rest--) codes[to++] = backslash
      codes[to++] = code === zero && (row & removed) !== 0 ? 0 : code
      row = 0
    }
  }
  codes.fill(backslash, to, to + (row >>> layers))
  return to + (row >>> layers)
}

/** With the ampersand last, so that `&amp;quot;` becomes `&quot;`. */
const entities = [
  ...['&quot;', '&#34;', '&#034;', '&#x22;'].map((entity) => [entity, '"'] as const),
  ...['&apos;', '&#39;', '&#039;', '&#x27;'].map((entity) => [entity, "'"] as const),
  ['&lt;', '<'] as const,
  ['&gt;', '>'] as const,
  ['&amp;', '&'] as const,
]

/** JSON that PHP's `htmlspecialchars` has escaped. */
function fromHtml(stored: string): string | undefined {
  if (!stored.includes('&') || containsOften(stored, '&', maxEntities)) return undefined
  // Faster than one pass that calls a function for each entity.
  const text = entities.reduce((text, [entity, character]) => text.replaceAll(entity, character), stored)
  return parsedKind(text) === 'json' ? text : undefined
}

/** The JSON text of an array that PHP serialized. */
function fromPhp(text: string, empty: string): string | undefined {
  try {
    const json = phpToJsonText(readPhp(text), empty)
    return isWithinLimits(json) ? json : undefined
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

// The process remembers digests of texts that are JSON, so that a stored value is parsed once, not with each response.

/** SHA-256 of a string: a collision with a valid text would let an invalid one pass as JSON. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64')

/** Number of digests after which the older half is forgotten. */
const generation = 20_000
let recent = new Set<string>()
let previous = new Set<string>()

const isKnownJson = (digest: string): boolean => recent.has(digest) || previous.has(digest)

/** Remembers that the text with this digest is JSON within the limits. */
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
 * Whether the text is JSON. `excessive` is JSON, or looks like it, and would take too long to parse. It must not be read as an
 * older encoding: without its backslashes `{"\u00e4":1}` is JSON, too, with another name.
 * @param version as in `readStoredJson`
 */
function kindOf(text: string, version?: string): 'json' | 'excessive' | 'other' {
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

function parsedKind(text: string): 'json' | 'excessive' | 'other' {
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
