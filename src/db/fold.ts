// Comparing texts without regard to case, the same on every engine: NFC and Unicode's simple case folding.

/** Where simple folding differs from upper-casing and then lower-casing: two letters stay, two ligatures are one. */
const exceptions = new Map([
  ['İ', 'İ'],
  ['ı', 'ı'],
  ['ﬅ', 'ﬆ'],
])

function foldCharacter(character: string): string {
  const exception = exceptions.get(character)
  if (exception) return exception
  const upper = character.toUpperCase()
  // ß becomes SS only in full folding; a letter that grows keeps its own lower case.
  const lower = (isOneCharacter(upper) ? upper : character).toLowerCase()
  return isOneCharacter(lower) ? lower : character
}

function isOneCharacter(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

/** `ÄPFEL` and `äpfel`, `ΟΔΟΣ` and `οδος` fold to the same text; `Straße` and `Strasse` do not. */
export function fold(text: string): string {
  // Plain ASCII is the common case and needs no walk over letters.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character)
  return folded
}

/** Whether `text` contains `term`, whatever their case. */
export function contains(text: string | null, term: string): boolean {
  return fold(text ?? '').includes(fold(term))
}
