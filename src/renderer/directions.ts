// Text as pieces that are shaped apart: words and single spaces, in the order in which they are seen from left to right.

export interface Piece {
  /** In the order of reading; brackets are mirrored in writing from right to left. */
  text: string
  isRightToLeft: boolean
  /** The OpenType script of the word if its characters do not decide it. */
  script?: 'latn'
}

/** Splits the text of a line into pieces. */
export type Directions = (text: string) => Piece[]

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202b\u202e\u2067]/u

export const isRightToLeft = (text: string) => rightToLeft.test(text)

/**
 * Chromium shapes a text of characters up to U+00FF as Latin, also words of digits and brackets. In other texts such a word
 * has the default script of the font. The characters that embed a text are not part of it.
 */
const scriptOf = (text: string): Pick<Piece, 'script'> =>
  /[\u0100-\u202a\u202d-\uffff]/.test(text) ? {} : { script: 'latn' }

/** In a pair, Chromium reuses the bracket or digit that fabric.js has measured alone before, as Latin. */
export const asMeasured = <P extends Piece>(piece: P): P =>
  piece.text.length === 1 && piece.text <= '\u00ff' ? { ...piece, script: 'latn' } : piece

const wordsIn = (text: string): string[] => text.match(/ |[^ ]+/g) ?? []

/** For text without writing from right to left. */
export const oneDirection: Directions = (text) => {
  const script = scriptOf(text)
  return wordsIn(text).map((piece) => ({ text: piece, isRightToLeft: false, ...script }))
}

/** The Unicode bidirectional algorithm in a paragraph that runs from left to right, as on a canvas. */
export async function bothDirections(): Promise<Directions> {
  const bidi = (await import('bidi-js')).default()
  return (text) => {
    if (!isRightToLeft(text)) return oneDirection(text)
    const script = scriptOf(text)
    const levels = bidi.getEmbeddingLevels(text, 'ltr')
    const order = bidi.getReorderedIndices(text, levels)
    const isBack = (index: number) => ((levels.levels[index] ?? 0) & 1) === 1
    const spans: { from: number; to: number; isRightToLeft: boolean }[] = []
    for (const index of order) {
      const back = isBack(index)
      const last = spans.at(-1)
      const isNext =
        last && last.isRightToLeft === back && (back ? index === last.from - 1 : index === last.to)
      if (!isNext) spans.push({ from: index, to: index + 1, isRightToLeft: back })
      else if (back) last.from = index
      else last.to = index + 1
    }
    return spans.flatMap(({ from, to, isRightToLeft: back }) => {
      const words = wordsIn(text.slice(from, to))
      const pieces = words.map((piece) => ({ text: piece, isRightToLeft: back, ...script }))
      return back ? pieces.reverse().map(mirrored) : pieces
    })
  }

  function mirrored(piece: Piece): Piece {
    return { ...piece, text: piece.text.replaceAll(/\p{Bidi_M}/gu, (c) => bidi.getMirroredCharacter(c) ?? c) }
  }
}
