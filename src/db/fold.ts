// Case-insensitive comparison of strings, the same on every engine: NFC and simple case folding (Unicode, CaseFolding.txt, C and S).

/** Characters whose simple folding differs from lower-casing the upper case, with what they fold to. */
const exceptions = new Map([
  ['İ', 'İ'],
  ['ı', 'ı'],
  ['ﬅ', 'ﬆ'],
])

function foldCharacter(character: string): string {
  const exception = exceptions.get(character)
  if (exception) return exception
  const upper = character.toUpperCase()
  // ß becomes SS only in full folding; if the upper case is longer, the lower case of the character itself counts.
  const lower = (isOneCharacter(upper) ? upper : character).toLowerCase()
  return isOneCharacter(lower) ? lower : character
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

/**
 * The text as it is compared and searched: equal for texts that differ in case only. `ÄPFEL` and `äpfel`, `ΟΔΟΣ` and `οδος` fold to
 * the same string; `Straße` and `Strasse` do not.
 */
export function fold(text: string): string {
  // A fast path for ASCII.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character)
  return folded
}

/** Whether `text` contains `term`, ignoring case. */
export function contains(text: string | null, term: string): boolean {
  return fold(text ?? '').includes(fold(term))
}
