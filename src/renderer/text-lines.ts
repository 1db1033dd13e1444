// Breaks text into lines and measures them like fabric.js 5: character by character, each pair with its kerning.
import type { Face } from './face.ts'
import type { TextElement } from './text-element.ts'
import type { Look, LookAt } from './text-looks.ts'

export interface Box {
  /** Width of the character, and the same with the kerning to the previous one. */
  width: number
  kerned: number
}

export interface Line {
  characters: string[]
  looks: Look[]
  boxes: Box[]
  width: number
  /** Size of its largest character. */
  size: number
  /** Whether the line is not the end of what is justified. */
  isWrapped: boolean
}

export interface Lines {
  lines: Line[]
  width: number
}

/** Minimum width of a text: that of a cursor. */
const minWidth = 2

/** @throws Undrawable */
export function linesOf(element: TextElement, lookAt: LookAt): Lines {
  const { text, size, letterSpacing, wrapWidth } = element
  const spacing = size * letterSpacing
  const measure = measurer(spacing)
  const written = text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\r]/g, ' ')
    // Line ends of layout programs, which browsers show as spaces and do not break at.
    .replaceAll(/[\u2028\u2029]/g, '\u00a0')
    .toWellFormed()
    .split('\n')
  const measured = (characters: string[], isWrapped: boolean, line: number, offset: number): Line => {
    const looks = characters.map((_, index) => lookAt(line, offset + index))
    const boxes = measure(characters, looks)
    const width = boxes.reduce((sum, { kerned }) => sum + kerned, 0) - spacing
    const full = Math.max(0, characters.length > 0 ? width : 0)
    const sizes = (looks.length > 0 ? looks : [lookAt(line, offset)]).map((look) => look.size)
    return { characters, looks, boxes, width: full, size: Math.max(...sizes), isWrapped }
  }
  if (wrapWidth === undefined || element.curve) {
    // Of several lines that are not wrapped, fabric takes only the last for the end.
    const lines = written.map((text, line) => measured([...text], line < written.length - 1, line, 0))
    return { lines, width: Math.max(...lines.map(({ width }) => width)) || minWidth }
  }
  let widest = 0
  const { breaksWords } = element
  const lines = written.flatMap((text, line) => {
    const widthOf = (word: readonly string[], offset: number) =>
      measure(
        word,
        word.map((_, index) => lookAt(line, offset + index)),
      ).reduce((sum, { kerned }) => sum + kerned, 0)
    const words = breaksWords ? [...text].map((each) => [each]) : text.split(' ').map((each) => [...each])
    const wrapped = wrap(words, wrapWidth, widthOf, spacing, breaksWords)
    widest = Math.max(widest, wrapped.widestWord)
    let next = 0
    return wrapped.lines.map((characters, index) => {
      const offset = next
      // Of the space at which a line breaks, nothing is left.
      next += characters.length + (breaksWords ? 0 : 1)
      return measured(characters, index < wrapped.lines.length - 1, line, offset)
    })
  })
  return { lines, width: Math.max(wrapWidth, widest) }
}

function measurer(spacing: number) {
  const widths = new Map<Face, Map<string, number>>()
  const widthOf = (text: string, { face: drawn, size }: Look) => {
    const face = drawn.measured ?? drawn
    const widthsOfFace = widths.get(face) ?? new Map<string, number>()
    widths.set(face, widthsOfFace)
    const width = widthsOfFace.get(text) ?? face.width(text)
    widthsOfFace.set(text, width)
    return width * size
  }
  return (characters: readonly string[], looks: readonly Look[]): Box[] =>
    characters.flatMap((character, index) => {
      const [look, before, previous] = [looks[index], looks[index - 1], characters[index - 1]]
      if (!look) return []
      const width = widthOf(character, look)
      // Characters in different fonts are not kerned.
      const isPair = previous !== undefined && before?.face === look.face && before.size === look.size
      const kerned = isPair ? widthOf(previous + character, look) - widthOf(previous, look) : width
      return [{ width: width + spacing, kerned: kerned + spacing }]
    })
}

/** Wraps words in a text box like fabric.js 5. */
function wrap(
  words: readonly (readonly string[])[],
  desired: number,
  widthOf: (word: readonly string[], offset: number) => number,
  spacing: number,
  breaksWords: boolean,
) {
  const lines: string[][] = []
  let line: string[] = []
  let [width, infix, widestWord, offset] = [0, 0, 0, 0]
  let isFresh = true
  for (const word of words) {
    const own = widthOf(word, offset)
    offset += word.length
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
    infix = breaksWords ? 0 : widthOf([' '], offset)
    offset++
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
