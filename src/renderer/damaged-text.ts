// Text that a program damaged on its way into the database: what is stored is printed, and the finding shows what was probably meant.

/** Characters of UTF-8 that was read as Windows-1252, by their bytes; others have the number of their byte. */
const windows1252 = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, index) => [
    character,
    [
      0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94,
      0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
    ][index] ?? 0,
  ]),
)

/** A first byte of two, three or four, with as many that follow. */
const byteOf = (character: string): number => windows1252.get(character) ?? character.codePointAt(0) ?? 0x100
/** Followers that are no punctuation behind a letter, and those that may be. */
const [follower, mark] = [
  '\\u0080-\\u00aa\\u00ac\\u00ad\\u00af-\\u00ba\\u00bc-\\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ',
  '‘’“”–—…',
]
const any = `[${follower}${mark}«»®©]`
const misread = new RegExp(
  [
    // Latin letters and signs; with a quote or a dash only within a word.
    `[ÂÃ](?:[${follower}«»®©]|[${mark}](?=\\p{L}))`,
    // Other letters of Europe, Greek, Cyrillic, Hebrew, Arabic.
    `[ÄÅÎÏÐÑ×ØÙ][${follower}]`,
    `[\\u00e0-\\u00ef]${any}{2}`,
    `[\\u00f0-\\u00f4]${any}{3}`,
  ].join('|'),
  'gu',
)

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(characters: string): string {
  try {
    return utf8.decode(Uint8Array.from([...characters].map(byteOf)))
  } catch {
    return characters
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  copy: '©',
  reg: '®',
  trade: '™',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  aacute: 'á',
  eacute: 'é',
  iacute: 'í',
  oacute: 'ó',
  uacute: 'ú',
  ntilde: 'ñ',
  agrave: 'à',
  egrave: 'è',
  ecirc: 'ê',
  ccedil: 'ç',
}

function entity(whole: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name) ?? []
  if (hex === undefined && decimal === undefined)
    return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : whole
}

/** Escapes of JSON. One of digits alone may be a year, unless a word begins with it or goes on behind it. */
function unescaped(text: string): string {
  return text.replace(/\\?u([0-9a-f]{4})/g, (unit, hex: string, at: number) => {
    const code = Number.parseInt(hex, 16)
    const isInWord = /\p{L}$/u.test(text.slice(0, at)) && !/^\p{L}/u.test(text.slice(at + unit.length))
    const isSure = /^[0-9]+$/.test(hex) ? !isInWord : /[0-9]/.test(hex)
    return code > 0x9f && (isSure || unit.startsWith('\\')) ? String.fromCharCode(code) : unit
  })
}

/**
 * Each way in which text is damaged, and its repair: JSON that lost its backslashes (`Josu00e9`) or kept them, slashes of PHP
 * (`O\'Brien`), entities of HTML (`Mum &amp; Dad`), UTF-8 that was read as Windows-1252 (`JosÃ©`).
 */
const repairs: ((text: string) => string)[] = [
  unescaped,
  (text) => text.replace(/(?<!\\)\\+(['"])/g, '$1'),
  (text) => text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, entity),
  (text) => text.replace(misread, decoded),
]

/** What was probably written; undefined if the text shows no damage. */
export function undamaged(text: string): string | undefined {
  const repaired = repairs.reduce((whole, repair) => repair(whole), text)
  return repaired === text || !repaired.isWellFormed() ? undefined : repaired
}

/** The character in place of one that could not be read, or its escape. */
export const isLossy = (text: string): boolean => /\ufffd|\\?ufffd/i.test(text)
