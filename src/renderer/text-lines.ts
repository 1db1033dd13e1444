// Breaks text into lines and measures them like fabric.js 5: character by character, each pair with its kerning.
import type { Face } from './face.ts'
import type { TextElement } from './text-element.ts'
import type { Look, LookAt } from './text-looks.ts'

/** The measures of a character, in pixels, with the letter spacing (fabric 5.3 `_getGraphemeBox`). */
export interface Box {
  /** The width of the character by itself. */
  width: number
  /** The width that it adds to the line: with the kerning to the previous character. `justify` widens both of a space. */
  kerned: number
}

/** A line of text; its lists have an item for each character. */
export interface Line {
  characters: string[]
  looks: Look[]
  boxes: Box[]
  /** Pixels, without the letter spacing after the last character. */
  width: number
  /** The font size of its largest character. */
  size: number
  /** Whether `justify-left` and so on widen it: false for what fabric takes for the end of a paragraph, true for unwrapped lines, too. */
  isWrapped: boolean
}

/** All lines of a text. */
export interface Lines {
  lines: Line[]
  /** Pixels of the text: of its widest line, or of the box in which it wraps. */
  width: number
}

/** Pixels of a text without characters: the width of a cursor in fabric. */
const minWidth = 2

/** The lines of a text element, wrapped if it has a box. @throws Undrawable if a font lacks a character */
export function linesOf(element: TextElement, lookAt: LookAt): Lines {
  const { text, size, letterSpacing, wrapWidth, breaksWords, curve } = element
  const spacing = size * letterSpacing
  const measure = measurer(spacing)
  const paragraphs = paragraphsOf(text)
  if (wrapWidth === undefined || curve) {
    const lines = paragraphs.map((paragraph, index) => {
      const characters = [...paragraph]
      const looks = characters.map((_, character) => lookAt(index, character))
      const emptyLook = lookAt(index, 0)
      // Of several lines that are not wrapped, fabric takes only the last for the end of the paragraph.
      const isWrapped = index < paragraphs.length - 1
      return lineOf(characters, looks, { measure, spacing, emptyLook, isWrapped })
    })
    return { lines, width: Math.max(...lines.map(({ width }) => width)) || minWidth }
  }
  const wrapped = paragraphs.map((paragraph, index) =>
    wrappedParagraph(paragraph, (character) => lookAt(index, character), {
      boxWidth: wrapWidth,
      breaksWords,
      spacing,
      measure,
    }),
  )
  const width = Math.max(wrapWidth, ...wrapped.map(({ widestWord }) => widestWord))
  return { lines: wrapped.flatMap(({ lines }) => lines), width }
}

/** The stored lines of a text, with characters as a canvas shows them. */
function paragraphsOf(text: string): string[] {
  return (
    text
      .replaceAll('\r\n', '\n')
      .replaceAll(/[\t\r]/g, ' ')
      // Line ends of layout programs, which browsers show as spaces and do not break at.
      .replaceAll(/[\u2028\u2029]/g, '\u00a0')
      .toWellFormed()
      .split('\n')
  )
}

/** Measures characters with their looks. */
type Measure = (characters: readonly string[], looks: readonly Look[]) => Box[]

/** A line of these characters. @param options.emptyLook the look that decides how high a line without characters is */
function lineOf(
  characters: string[],
  looks: Look[],
  {
    measure,
    spacing,
    emptyLook,
    isWrapped,
  }: { measure: Measure; spacing: number; emptyLook: Look; isWrapped: boolean },
): Line {
  const boxes = measure(characters, looks)
  const width = Math.max(0, characters.length > 0 ? kernedWidth(boxes) - spacing : 0)
  const sizes = (looks.length > 0 ? looks : [emptyLook]).map((look) => look.size)
  return { characters, looks, boxes, width, size: Math.max(...sizes), isWrapped }
}

const kernedWidth = (boxes: readonly Box[]) => boxes.reduce((sum, { kerned }) => sum + kerned, 0)

/** Returns a function that measures characters; widths of characters and pairs are measured once for each face. */
function measurer(spacing: number): Measure {
  const widths = new Map<Face, Map<string, number>>()
  const widthOf = (text: string, { face: drawnFace, size }: Look) => {
    const face = drawnFace.measured ?? drawnFace
    const widthsOfFace = widths.get(face) ?? new Map<string, number>()
    widths.set(face, widthsOfFace)
    const width = widthsOfFace.get(text) ?? face.width(text)
    widthsOfFace.set(text, width)
    return width * size
  }
  return (characters, looks) =>
    characters.flatMap((character, index) => {
      const [look, previousLook, previous] = [looks[index], looks[index - 1], characters[index - 1]]
      if (!look) return []
      const width = widthOf(character, look)
      // Characters in different fonts are not kerned.
      const isPair =
        previous !== undefined && previousLook?.face === look.face && previousLook.size === look.size
      const kerned = isPair ? widthOf(previous + character, look) - widthOf(previous, look) : width
      return [{ width: width + spacing, kerned: kerned + spacing }]
    })
}

/** How a paragraph wraps. */
interface Wrapping {
  /** Pixels of the text box. */
  boxWidth: number
  /** Whether lines may break between any two characters, not only at spaces. */
  breaksWords: boolean
  /** Pixels between letters. */
  spacing: number
  measure: Measure
}

/** The lines of a paragraph in a text box, and the width of its widest word. @param lookAt by index of the character */
function wrappedParagraph(
  paragraph: string,
  lookAt: (character: number) => Look,
  wrapping: Wrapping,
): { lines: Line[]; widestWord: number } {
  const { breaksWords, spacing, measure } = wrapping
  const widthOf = (characters: readonly string[], offset: number) => {
    const looks = characters.map((_, index) => lookAt(offset + index))
    return kernedWidth(measure(characters, looks))
  }
  const words = breaksWords
    ? [...paragraph].map((character) => [character])
    : paragraph.split(' ').map((word) => [...word])
  const { lines, widestWord } = wrap(words, widthOf, wrapping)
  let next = 0
  const measuredLines = lines.map((characters, index) => {
    const offset = next
    // The space at which a line breaks belongs to no line.
    next += characters.length + (breaksWords ? 0 : 1)
    const looks = characters.map((_, character) => lookAt(offset + character))
    const isWrapped = index < lines.length - 1
    return lineOf(characters, looks, { measure, spacing, emptyLook: lookAt(offset), isWrapped })
  })
  return { lines: measuredLines, widestWord }
}

/**
 * Distributes words to lines, as fabric 5.3 `_wrapLine` does: a word that would exceed the box starts a new line, unless it is the
 * first of its line.
 * @param widthOf the width of characters at an offset in the paragraph, with the letter spacing after the last one
 */
function wrap(
  words: readonly (readonly string[])[],
  widthOf: (characters: readonly string[], offset: number) => number,
  { boxWidth, spacing, breaksWords }: Pick<Wrapping, 'boxWidth' | 'spacing' | 'breaksWords'>,
): { lines: string[][]; widestWord: number } {
  const lines: string[][] = []
  let line: string[] = []
  /** Pixels of the line so far, and of the space before the next word. */
  let [lineWidth, spaceWidth] = [0, 0]
  /** The offset of the next word in the paragraph. */
  let offset = 0
  let widestWord = 0
  let isLineEmpty = true
  for (const word of words) {
    const wordWidth = widthOf(word, offset)
    offset += word.length
    // For the comparison with the box, the letter spacing after the last character does not count.
    lineWidth += spaceWidth + wordWidth - spacing
    if (lineWidth > boxWidth && !isLineEmpty) {
      lines.push(line)
      line = []
      lineWidth = wordWidth
      isLineEmpty = true
    } else {
      lineWidth += spacing
    }
    if (!isLineEmpty && !breaksWords) line.push(' ')
    line.push(...word)
    spaceWidth = breaksWords ? 0 : widthOf([' '], offset)
    // fabric advances by one also where no space follows, and so measures by the style of the next character.
    offset++
    isLineEmpty = false
    widestWord = Math.max(widestWord, wordWidth - spacing)
  }
  lines.push(line)
  return { lines, widestWord }
}

/**
 * Widens the spaces of lines until each line is as wide as the text. Changes the lines.
 * @param options.isLastToo whether lines that end a paragraph are widened, too
 */
export function justify({ lines, width }: Lines, { isLastToo }: { isLastToo: boolean }): void {
  for (const line of lines) {
    if (!isLastToo && !line.isWrapped) continue
    const spaces = line.boxes.filter((_, index) => line.characters[index] === ' ')
    if (line.width >= width || spaces.length === 0) continue
    const added = (width - line.width) / spaces.length
    for (const box of spaces) {
      box.width += added
      box.kerned += added
    }
    line.width = width
  }
}
