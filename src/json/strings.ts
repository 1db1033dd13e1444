// Where the strings of a JSON text end.

export const quote = 34
const backslash = 92

/** In short strings a loop is faster than `indexOf`, in long ones slower. */
const near = 128

/** The position after the string that has its content from `start`; the end of the text if it is not closed. */
export function afterString(text: string, start: number): number {
  for (let at = start; ; at++) {
    for (const far = at + near; at < far; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) return at + 1
      if (code === backslash) at++
    }
    at = text.indexOf('"', at)
    if (at < 0) return text.length
    if (!isEscaped(text, at)) return at + 1
  }
}

/** Whether the quote at this position, within or at the end of a string, follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === backslash) first--
  return (at - first) % 2 === 1
}
