// Reads JSON that PHP has escaped before it was stored: by backslashes, or by HTML entities.
import { parsedKind } from './json-kind.ts'

/** Maximum layers of backslashes. */
const maxSlashes = 5

/**
 * JSON whose quotation marks and backslashes PHP has escaped by `addslashes`, once or several times.
 * @param maxParsed characters that all attempts to parse the text may have together
 * @returns undefined for other texts, and for JSON beyond the limits
 */
export function fromSlashed(stored: string, maxParsed: number): string | undefined {
  if (!stored.includes('\\')) return undefined
  // The first quote of JSON has no backslashes, so those before it show how many layers there are at least.
  const quote = stored.indexOf('"')
  let start = quote
  while (start > 0 && stored.charCodeAt(start - 1) === backslash) start--
  // Without backslashes before the first quote, `kindOf` has parsed the text as it is, which counts.
  let remaining = maxParsed - (start === quote ? stored.length : 0)
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

/** How often so many adjacent backslashes are halved until none is left; 1 for none. */
const layersOf = (backslashes: number) => Math.max(1, 32 - Math.clz32(backslashes))

/**
 * PHP's stripslashes(), several times: each halves adjacent backslashes, removes one at the end, and turns `\0` into NUL, which JSON
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
  /** The bits of a number of backslashes that the halving drops: if one is set, the last backslash escapes the next character. */
  const dropped = (1 << layers) - 1
  let to = 0
  /** Number of backslashes directly before this position. */
  let slashes = 0
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === backslash) slashes++
    else if (slashes === 0) codes[to++] = code
    else {
      for (let count = slashes >>> layers; count > 0; count--) codes[to++] = backslash
      codes[to++] = code === zero && (slashes & dropped) !== 0 ? 0 : code
      slashes = 0
    }
  }
  codes.fill(backslash, to, to + (slashes >>> layers))
  return to + (slashes >>> layers)
}

/** With the ampersand last, so that `&amp;quot;` becomes `&quot;`. */
const entities = [
  ...['&quot;', '&#34;', '&#034;', '&#x22;'].map((entity) => [entity, '"'] as const),
  ...['&apos;', '&#39;', '&#039;', '&#x27;'].map((entity) => [entity, "'"] as const),
  ['&lt;', '<'] as const,
  ['&gt;', '>'] as const,
  ['&amp;', '&'] as const,
]

/** Number of ampersands from which such JSON is not read. Replacing one takes two tenths of a microsecond. */
const maxEntities = 750_000

/** JSON that PHP's `htmlspecialchars` has escaped; undefined for other texts. */
export function fromHtml(stored: string): string | undefined {
  if (!stored.includes('&') || containsOften(stored, '&', maxEntities)) return undefined
  // Faster than one pass that calls a function for each entity.
  const text = entities.reduce((text, [entity, character]) => text.replaceAll(entity, character), stored)
  return parsedKind(text) === 'json' ? text : undefined
}

/** Whether the text contains the character at least `count` times. */
function containsOften(text: string, character: string, count: number): boolean {
  let remaining = count
  for (let index = text.indexOf(character); index >= 0; index = text.indexOf(character, index + 1))
    if (--remaining === 0) return true
  return false
}
