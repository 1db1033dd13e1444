// Breaks text into lines and measures them like fabric.js 5: character by character, each pair with its kerning.
import type { Face } from './face.ts'
import type { TextElement } from './text-element.ts'

export interface Box {
  /** Width of the character, and the same with the kerning to the previous one. */
  width: number
  kerned: number
}

export interface Line {
  characters: string[]
  boxes: Box[]
  width: number
  /** Whether the line is not the end of what is justified. */
  isWrapped: boolean
  /** The line as it was written, and how many of its characters come before. */
  written: { line: number; offset: number }
}

export interface Lines {
  lines: Line[]
  width: number
}

/** Minimum width of a text: that of a cursor. */
const minWidth = 2

/** @throws Undrawable */
export function linesOf(element: TextElement, face: Face): Lines {
  const { text, size, letterSpacing, wrapWidth } = element
  const spacing = size * letterSpacing
  const measure = measurer(face, size, spacing)
  const written = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\r]/g, ' ')
    .toWellFormed()
    .split('\n')
  const measured = (characters: string[], isWrapped: boolean, place: Line['written']): Line => {
    const boxes = measure(characters)
    const width = boxes.reduce((sum, { kerned }) => sum + kerned, 0) - spacing
    const full = Math.max(0, characters.length > 0 ? width : 0)
    return { characters, boxes, width: full, isWrapped, written: place }
  }
  if (wrapWidth === undefined || element.curve) {
    // Of several lines that are not wrapped, fabric takes only the last for the end.
    const lines = written.map((text, line) =>
      measured([...text], line < written.length - 1, { line, offset: 0 }),
    )
    return { lines, width: Math.max(...lines.map(({ width }) => width)) || minWidth }
  }
  let widest = 0
  const { breaksWords } = element
  const lines = written.flatMap((text, line) => {
    const wrapped = wrap(wordsOf(text, breaksWords), wrapWidth, measure, spacing, breaksWords)
    widest = Math.max(widest, wrapped.widestWord)
    let next = 0
    return wrapped.lines.map((characters, index) => {
      const offset = next
      // Of the space at which a line breaks, nothing is left.
      next += characters.length + (breaksWords ? 0 : 1)
      return measured(characters, index < wrapped.lines.length - 1, { line, offset })
    })
  })
  return { lines, width: Math.max(wrapWidth, widest) }
}

type Measure = (characters: readonly string[]) => Box[]

function measurer(face: Face, size: number, spacing: number): Measure {
  const widths = new Map<string, number>()
  const widthOf = (text: string) => {
    const known = widths.get(text)
    if (known !== undefined) return known
    const width = face.width(text) * size
    widths.set(text, width)
    return width
  }
  return (characters) =>
    characters.map((character, index) => {
      const before = characters[index - 1]
      const width = widthOf(character)
      const kerned = before === undefined ? width : widthOf(before + character) - widthOf(before)
      return { width: width + spacing, kerned: kerned + spacing }
    })
}

const wordsOf = (line: string, breaksWords: boolean) =>
  breaksWords ? [...line].map((each) => [each]) : line.split(' ').map((each) => [...each])

/** Wraps words in a text box like fabric.js 5. */
function wrap(
  words: readonly (readonly string[])[],
  desired: number,
  measure: Measure,
  spacing: number,
  breaksWords: boolean,
) {
  const widthOf = (word: readonly string[]) => measure(word).reduce((sum, { kerned }) => sum + kerned, 0)
  const blank = breaksWords ? 0 : widthOf([' '])
  const lines: string[][] = []
  let line: string[] = []
  let [width, infix, widestWord] = [0, 0, 0]
  let isFresh = true
  for (const word of words) {
    const own = widthOf(word)
    width += infix + own - spacing
    if (width > desired && !isFresh) {
      lines.push(line)
      line = []
      width = own
      isFresh = true
    } else {
      width += spacing
    }
    if (!isFresh && !breaksWords) line.push(' ')
    line.push(...word)
    infix = blank
    isFresh = false
    widestWord = Math.max(widestWord, own - spacing)
  }
  lines.push(line)
  return { lines, widestWord }
}

/**
 * Widens the spaces of the lines, so that each has the full width.
 * @param isEvery or only those that do not end a paragraph
 */
export function justify({ lines, width }: Lines, isEvery: boolean): void {
  for (const line of lines) {
    if (!isEvery && !line.isWrapped) continue
    const blanks = line.boxes.filter((_, index) => line.characters[index] === ' ')
    if (line.width >= width || blanks.length === 0) continue
    const more = (width - line.width) / blanks.length
    for (const box of blanks) {
      box.width += more
      box.kerned += more
    }
    line.width = width
  }
}
