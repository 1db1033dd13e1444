// Splits text into the pieces that browsers shape separately: words and single spaces, in their visual order from left to right.

/** A word or a space. */
export interface Piece {
  /** Characters in the order of reading; brackets are mirrored in writing from right to left. */
  text: string
  isRightToLeft: boolean
  /** The OpenType script of the word if its characters do not decide it. */
  script?: 'latn'
}

type Bidi = ReturnType<typeof import('bidi-js').default>

/** Splits the text of a line into pieces. */
export type Directions = (text: string) => Piece[]

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202b\u202e\u2067]/u

/** Whether the text has characters that are written from right to left, or control characters that ask for it. */
export const isRightToLeft = (text: string) => rightToLeft.test(text)

/**
 * The script of all pieces of a text. Chromium shapes a text of characters up to U+00FF as Latin, also its words of digits and
 * brackets. In other texts such a word has the default script of the font. The control characters U+202B and U+202C do not count.
 */
const scriptOf = (text: string): Pick<Piece, 'script'> =>
  /[\u0100-\u202a\u202d-\uffff]/.test(text) ? {} : { script: 'latn' }

/**
 * The piece as fabric.js measures it. Chromium caches a single character that fabric.js measured alone as Latin, and reuses it when
 * fabric.js measures a pair of characters.
 */
export const asMeasured = <P extends Piece>(piece: P): P =>
  piece.text.length === 1 && piece.text <= '\u00ff' ? { ...piece, script: 'latn' } : piece

const wordsIn = (text: string): string[] => text.match(/ |[^ ]+/g) ?? []

/** The pieces of text without writing from right to left. */
export const oneDirection: Directions = (text) => {
  const script = scriptOf(text)
  return wordsIn(text).map((piece) => ({ text: piece, isRightToLeft: false, ...script }))
}

/**
 * Loads bidi-js and returns a splitter for text in both directions, by the Unicode bidirectional algorithm (UAX #9) in a paragraph
 * that runs from left to right, as on a canvas.
 */
export async function bothDirections(): Promise<Directions> {
  const bidi = (await import('bidi-js')).default()
  return (text) => {
    if (!isRightToLeft(text)) return oneDirection(text)
    const script = scriptOf(text)
    return spansOf(bidi, text).flatMap(({ from, to, isRightToLeft }) => {
      const words = wordsIn(text.slice(from, to))
      const pieces = words.map((word) => ({ text: word, isRightToLeft, ...script }))
      return isRightToLeft ? pieces.reverse().map(mirrored) : pieces
    })
  }

  function mirrored(piece: Piece): Piece {
    return { ...piece, text: piece.text.replaceAll(/\p{Bidi_M}/gu, (c) => bidi.getMirroredCharacter(c) ?? c) }
  }
}

/** A part of a text that runs in one direction. */
interface Span {
  from: number
  to: number
  isRightToLeft: boolean
}

/** The spans of a text in visual order: neighbors in that order that are also neighbors in the text, and run the same way. */
function spansOf(bidi: Bidi, text: string): Span[] {
  const levels = bidi.getEmbeddingLevels(text, 'ltr')
  const spans: Span[] = []
  for (const index of bidi.getReorderedIndices(text, levels)) {
    const isRightToLeft = ((levels.levels[index] ?? 0) & 1) === 1
    const last = spans.at(-1)
    const continues =
      last?.isRightToLeft === isRightToLeft && (isRightToLeft ? index === last.from - 1 : index === last.to)
    if (!continues) spans.push({ from: index, to: index + 1, isRightToLeft })
    else if (isRightToLeft) last.from = index
    else last.to = index + 1
  }
  return spans
}
