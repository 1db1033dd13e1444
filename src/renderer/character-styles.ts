// Reads the styles of single characters, which fabric.js 5 stores in `styles`: by line and character, or as ranges of characters.
import { type StoredStroke, strokeOf, strokeWidthOf } from './element-common.ts'
import { type Ink, inkOf } from './ink.ts'
import type { Color } from './marks.ts'
import { quoted, Undrawable } from './refusal.ts'
import { choiceOf, colorOf, flagOf, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** Which lines run along a text. */
export interface TextLines {
  underline: boolean
  linethrough: boolean
  overline: boolean
}

/** The style of a text; each of its characters may deviate from it. */
export interface CharacterStyle {
  family: string
  bold: boolean
  italic: boolean
  /** Pixels of the stage, before the element is scaled. */
  size: number
  /** Undefined values paint nothing. */
  fill: Ink | undefined
  stroke: StoredStroke | undefined
  strokeWidth: number
  /** Color behind the characters of each line. */
  lineBackground: Color | undefined
  lines: TextLines
}

/** The properties in which a character deviates from its text; `shift` is how far below its line it is, in pixels. */
export type Deviation = Partial<Omit<CharacterStyle, 'lines'>> & {
  lines?: Partial<TextLines>
  shift?: number
}

/** The characters of one text that deviate from it. */
export interface CharacterStyles {
  /** By index of the line as stored, before it is wrapped, then of the character; a missing character has the style of the text. */
  deviations: ReadonlyMap<number, ReadonlyMap<number, Deviation>>
  /** The stored properties that any character has, even with the value of the text. */
  names: ReadonlySet<string>
}

/**
 * The styles of single characters; undefined if no character has one.
 * @param parameters of the text element
 * @param text whose lines and characters the styles count, before `textTransform`
 * @throws Undrawable for a value that cannot be drawn
 */
export function characterStylesOf(parameters: Properties, text: string): CharacterStyles | undefined {
  const deviations = new Map<number, Map<number, Deviation>>()
  const names = new Set<string>()
  for (const { line, character, style } of stylesOf(parameters.styles, text.split('\n'))) {
    if (Object.keys(style).length === 0) continue
    for (const name of Object.keys(style)) names.add(name)
    const characters = deviations.get(line) ?? new Map<number, Deviation>()
    deviations.set(line, characters.set(character, deviationOf(style, parameters)))
  }
  return deviations.size > 0 ? { deviations, names } : undefined
}

/** A stored style of one character. */
interface StoredStyle {
  line: number
  character: number
  style: Properties
}

function stylesOf(stored: unknown, lines: readonly string[]): StoredStyle[] {
  if (Array.isArray(stored)) return rangesOf(stored.map(objectOf), lines)
  return Object.entries(objectOf(stored)).flatMap(([line, characters]) =>
    Object.entries(objectOf(characters)).flatMap(([character, style]) => {
      const [row, column] = [Number(line), Number(character)]
      const { length } = lines[row] ?? []
      // The first style of an empty line decides how high it is.
      const exists = row in lines && Number.isInteger(column) && column >= 0 && column < Math.max(1, length)
      return exists ? [{ line: row, character: column, style: objectOf(style) }] : []
    }),
  )
}

/**
 * The styles of ranges by character, as fabric 5.3 `stylesFromArray` assigns them: sorted ranges from `start` to before `end`, in
 * characters of the text without its line breaks.
 */
function rangesOf(ranges: readonly Properties[], lines: readonly string[]): StoredStyle[] {
  const styles: StoredStyle[] = []
  /** The index of the character in the text, and of the range that is next. */
  let [position, next] = [0, 0]
  for (const [line, text] of lines.entries()) {
    for (let character = 0; character < text.length; character++, position++) {
      const range = ranges[next]
      if (!range || !(Number(range.start) <= position && position < Number(range.end))) continue
      styles.push({ line, character, style: objectOf(range.style) })
      if (position === Number(range.end) - 1) next++
    }
  }
  return styles
}

/** The deviation that a stored style describes; fabric does not read other properties of a character. */
function deviationOf(style: Properties, parameters: Properties): Deviation {
  const deviation: Deviation = {}
  const has = (name: string) => Object.hasOwn(style, name)
  const [size, family] = [
    numberOf(style, 'fontSize', undefined, fontSizeBounds),
    textOf(style, 'fontFamily', ''),
  ]
  if (size !== undefined) deviation.size = size
  if (family !== '') deviation.family = family
  if (textOf(style, 'fontWeight', '') !== '') deviation.bold = isBold(textOf(style, 'fontWeight', ''))
  if (textOf(style, 'fontStyle', '') !== '') deviation.italic = isItalic(style)
  if (has('fill')) deviation.fill = inkOf(style, 'fill')
  if (has('stroke') || has('strokeWidth')) {
    // What the character does not state, such as the dash, it has from its text.
    deviation.stroke = strokeOf({ ...parameters, ...style })
    deviation.strokeWidth = strokeWidthOf({ ...parameters, ...style })
  }
  if (has('textBackgroundColor')) deviation.lineBackground = colorOf(style, 'textBackgroundColor')
  if (has('deltaY')) deviation.shift = numberOf(style, 'deltaY', 0)
  for (const name of ['underline', 'linethrough', 'overline'] as const)
    if (has(name)) deviation.lines = { ...deviation.lines, [name]: flagOf(style, name) }
  return deviation
}

/** Limits of font sizes, in pixels of the stage. */
export const fontSizeBounds = { min: 0, max: 10_000 }

/** Whether the property `fontStyle` is italic or oblique. @throws Undrawable for an unknown value */
export const isItalic = (parameters: Properties): boolean =>
  choiceOf(parameters, 'fontStyle', ['normal', 'italic', 'oblique'], 'normal') !== 'normal'

/** Whether a value of `fontWeight` is bold: the words bold and bolder, and numbers from 600 on. @throws Undrawable for an unknown value */
export function isBold(weight: string): boolean {
  if (weight === 'bold' || weight === 'bolder' || Number(weight) >= 600) return true
  if (weight === 'normal' || weight === 'lighter' || Number(weight) >= 1) return false
  throw new Undrawable('feature', `The property fontWeight is ${quoted(weight)}, which cannot be drawn.`)
}

/** The font families that stored styles of characters name. Never throws, whatever else they contain. */
export function familiesOfStyles(stored: unknown): string[] {
  const list = Array.isArray(stored)
    ? stored.map((range) => objectOf(range).style)
    : Object.values(objectOf(stored)).flatMap((line) => Object.values(objectOf(line)))
  const families = list.map((style) => objectOf(style).fontFamily)
  return families.filter((family) => typeof family === 'string' && family.trim() !== '') as string[]
}
