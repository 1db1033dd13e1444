// Reads stored JSON and flags in every encoding that installations contain: JSON, JSON with backslashes or HTML entities, and PHP's
// serialize().
import { parseExact } from '../json/parse.ts'
import { isWithinLimits, itemsOf } from '../json/text.ts'
import { fromHtml, fromSlashed } from './escaped-json.ts'
import { kindOf } from './json-kind.ts'
import { phpFromJson, phpToJsonText } from './php-json.ts'
import { type PhpEntry, PhpFormatError, readPhp } from './php-value.ts'

/** Characters of the largest value that is read. Parsing one takes up to 40 ms per MiB on slow machines. */
export const maxStored = 32 * 1024 * 1024

/** Bytes of the largest value that is read if it is escaped JSON. */
const maxEscaped = 32 * 1024 * 1024

/**
 * The JSON text of a column, which can be inserted into a response as it is. By its beginning and in this order, the text is read as
 * - an array that PHP serialized (`a:`), or any of these in a string that PHP serialized (`s:` and a digit);
 * - JSON, which is returned unchanged;
 * - JSON with one to five layers of backslashes;
 * - JSON with HTML entities.
 * @param empty JSON text for an empty column or an empty PHP array
 * @param version a text that differs whenever the stored text does, such as the state tag of the row and the name of the column, which
 *   saves hashing; two different stored texts must never have the same version
 * @returns undefined if the value cannot be read, or exceeds the limits of a request body: in characters, depth or number of values
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
  return fromSlashed(stored, maxStored) ?? fromHtml(stored)
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
