/** What stands in JSON and flag columns, in every encoding that is found in the wild. */
import { itemsOf, parseExact } from '../json.ts'
import { digestOf, isKnownJson, largeValue, rememberJson } from './large-values.ts'
import { type PhpEntry, PhpFormatError, phpFromJson, phpToJsonText, readPhp } from './php-value.ts'

/**
 * The JSON text that a column holds, always fit to be put into an answer as it is.
 * Valid JSON comes back as the same string. Else the first that fits: JSON under one to five layers of backslashes,
 * JSON escaped for HTML, a PHP-serialized array. An empty column, or empty PHP array, reads as `empty`;
 * `undefined` means that the value cannot be read.
 * @param identity a collision-free name of exactly this text, where the caller has hashed it already
 */
export function readStoredJson(
  stored: string | null,
  empty: '{}' | '[]',
  identity?: string,
): string | undefined {
  const large = stored && largeValue(stored)
  if (large) return large.json
  const text = stored?.trim()
  if (!stored || !text) return empty
  if (text.startsWith('a:')) return fromPhp(text, empty)
  if (isJson(stored, identity)) return stored
  return fromSlashed(stored) ?? fromHtml(stored)
}

/**
 * The members of an array in any of these encodings, under the keys and in the order that PHP knows them by; `undefined`
 * for what is no array or cannot be read.
 */
export function readStoredArray(stored: string | null): readonly PhpEntry[] | undefined {
  const json = readStoredJson(stored, '[]')
  if (json === undefined) return undefined
  const text = stored?.trim() ?? ''
  const value = text.startsWith('a:') ? readPhp(text) : phpFromJson(parseExact(json))
  return typeof value === 'object' && value !== null && 'entries' in value ? value.entries : undefined
}

/** How many items a stored list has, without parsing it; undefined when it cannot be read. */
export function lengthOfStored(stored: string | null): number | undefined {
  const large = stored && largeValue(stored)
  if (large?.length !== undefined) return large.length
  const json = readStoredJson(stored, '[]')
  return json === undefined ? undefined : itemsOf(json)
}

/** Whether a flag is set, in a 0/1, bit or text column or an option: 1, `yes`, `true`, `on`. */
export function readFlag(stored: unknown): boolean {
  const text = stored instanceof Uint8Array ? Buffer.from(stored).toString('latin1') : String(stored)
  // A BIT column comes as its bytes.
  return text === '\x01' || /^(?:1|yes|true|on)$/i.test(text.trim())
}

function fromSlashed(stored: string): string | undefined {
  let text = stored
  for (let layer = 0; layer < 5 && text.includes('\\'); layer++) {
    text = stripSlashes(text)
    if (isJson(text)) return text
  }
  return undefined
}

// PHP's stripslashes(): a last lone backslash goes too, and `\0` becomes the zero byte, which no JSON holds.
function stripSlashes(text: string): string {
  // Without a callback it is six times quicker.
  if (!text.includes('\\0')) return text.replace(/\\([\s\S]?)/g, '$1')
  return text.replace(/\\([\s\S]?)/g, (_, character) => (character === '0' ? '\0' : character))
}

const ENTITIES = new Map([
  ['quot', '"'],
  ['#34', '"'],
  ['#034', '"'],
  ['#x22', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['#039', "'"],
  ['#x27', "'"],
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
])

// In one pass, so that `&amp;quot;` is the text `&quot;`.
function fromHtml(stored: string): string | undefined {
  if (!stored.includes('&')) return undefined
  const text = stored.replace(/&(#?\w{2,4});/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
  return isJson(text) ? text : undefined
}

function fromPhp(text: string, empty: string): string | undefined {
  try {
    return phpToJsonText(readPhp(text), empty)
  } catch (error) {
    if (error instanceof PhpFormatError) return undefined
    throw error
  }
}

/** Runs on the other thread: the JSON text that is stored, true for the stored text itself, and how many items it has. */
export function readLarge(stored: string): { json: string | true | undefined; length: number | undefined } {
  const json = readStoredJson(stored, '{}')
  return { json: json === stored || json, length: json === undefined ? undefined : itemsOf(json) }
}

// Hashing costs a sixth of parsing. SHA-256, because a text that collides with a valid one would go out unparsed.
const HASHED_FROM = 512

function isJson(text: string, identity?: string): boolean {
  if (text.length < HASHED_FROM) return parses(text)
  const key = identity ?? digestOf(text)
  if (isKnownJson(key)) return true
  if (!parses(text)) return false
  rememberJson(key)
  return true
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
