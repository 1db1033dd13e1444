// Recognizes text that a program damaged on its way into the database. The stored text is printed; a warning (scene.ts) shows what was
// probably meant.

/** Bytes of the characters of Windows-1252 whose code differs from their byte. */
const windows1252 = new Map(
  [...'€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'].map((character, index) => [
    character,
    [
      0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94,
      0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f,
    ][index] ?? 0,
  ]),
)

const byteOf = (character: string): number => windows1252.get(character) ?? character.charCodeAt(0)
/** Characters whose bytes may follow the first byte of a character in UTF-8; `«»®©` are added where they are certain. */
const [follower, punctuation] = [
  '\\u0080-\\u00aa\\u00ac\\u00ad\\u00af-\\u00ba\\u00bc-\\u00bf€‚ƒ„†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ',
  '‘’“”–—…',
]
const anyFollower = `[${follower}${punctuation}«»®©]`
/** A character in UTF-8 whose two, three or four bytes were read as characters of Windows-1252. */
const misread = new RegExp(
  [
    // Latin letters and signs; with a quote or a dash only within a word.
    `[ÂÃ](?:[${follower}«»®©]|[${punctuation}](?=\\p{L}))`,
    // Other letters of Europe, Greek, Cyrillic, Hebrew, Arabic.
    `[ÄÅÎÏÐÑ×ØÙ][${follower}]`,
    `[\\u00e0-\\u00ef]${anyFollower}{2}`,
    `[\\u00f0-\\u00f4]${anyFollower}{3}`,
  ].join('|'),
  'gu',
)

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The character whose bytes were misread; the same characters if these are no UTF-8. @param characters a match of `misread` */
function decoded(characters: string): string {
  try {
    return utf8.decode(Uint8Array.from([...characters].map(byteOf)))
  } catch {
    return characters
  }
}

/** Names of HTML entities, each followed by its character. */
const entityList = `amp& lt< gt> quot" apos' nbsp\u00a0 hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ rdquo” euro€ copy© reg® trade™
aumlä oumlö uumlü AumlÄ OumlÖ UumlÜ szligß aacuteá eacuteé iacuteí oacuteó uacuteú ntildeñ agraveà egraveè ecircê ccedilç`
const entities = new Map(
  entityList.split(/[ \n]/).map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
)

/** The character of an HTML entity; the entity itself if it is unknown. @param name between `&` and `;` */
function characterOf(entity: string, name: string): string {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(name) ?? []
  if (hex === undefined && decimal === undefined) return entities.get(name) ?? entity
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : entity
}

/**
 * The text with escapes of JSON decoded, those below U+00A0 excepted. Without its backslash, one of four decimal digits at the end of a
 * word may be a year (`Menu2025`), and one of letters alone a word: those stay.
 */
function unescaped(text: string): string {
  return text.replace(/\\?u([0-9a-f]{4})/g, (match, hex: string, index: number) => {
    const code = Number.parseInt(hex, 16)
    const endsWord = /\p{L}$/u.test(text.slice(0, index)) && !/^\p{L}/u.test(text.slice(index + match.length))
    const isCertain = /^[0-9]+$/.test(hex) ? !endsWord : /[0-9]/.test(hex)
    return code > 0x9f && (isCertain || match.startsWith('\\')) ? String.fromCharCode(code) : match
  })
}

/**
 * The repairs of the ways in which text is damaged: escapes of JSON with or without their backslashes (`Josu00e9`), slashes of PHP
 * (`O\'Brien`), entities of HTML (`Mum &amp; Dad`), UTF-8 that was read as Windows-1252 (`JosÃ©`).
 */
const repairs: ((text: string) => string)[] = [
  unescaped,
  (text) => text.replace(/(?<!\\)\\+(['"])/g, '$1'),
  (text) => text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,8});/gi, characterOf),
  (text) => text.replace(misread, decoded),
]

/** The text that was probably written; undefined if the text shows no damage. */
export function undamaged(text: string): string | undefined {
  const repaired = repairs.reduce((current, repair) => repair(current), text)
  return repaired === text || !repaired.isWellFormed() ? undefined : repaired
}

/** Whether the text contains the replacement character U+FFFD or its escape: the character in its place is lost. */
export const isLossy = (text: string): boolean => /\ufffd|\\?ufffd/i.test(text)
