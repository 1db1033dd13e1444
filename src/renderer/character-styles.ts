// Styles of single characters, as fabric.js 5 stores them in `styles`: by line and character, or as ranges of characters.

import { type Outlined, strokeOf, strokeWidthOf } from './element-common.ts'
import { type Ink, inkOf } from './ink.ts'
import type { Color } from './marks.ts'
import { shown, Undrawable } from './refusal.ts'
import { choiceOf, colorOf, flagOf, numberOf, objectOf, type Properties, textOf } from './values.ts'

export interface TextLines {
  underline: boolean
  linethrough: boolean
  overline: boolean
}

/** What a text has, and each of its characters may have instead. */
export interface CharacterStyle {
  family: string
  bold: boolean
  italic: boolean
  size: number
  /** Undefined values paint nothing. */
  fill: Ink | undefined
  stroke: Outlined | undefined
  strokeWidth: number
  /** Behind the characters of each line. */
  lineBackground: Color | undefined
  lines: TextLines
}

/** `shift` is how far below its line a character is. */
export type OwnStyle = Partial<Omit<CharacterStyle, 'lines'>> & {
  lines?: Partial<TextLines>
  shift?: number
}

export interface CharacterStyles {
  /** By line and character; what is missing has the style of the text. */
  own: ReadonlyMap<number, ReadonlyMap<number, OwnStyle>>
  /** The stored properties that any character has of its own, even with the value of the text. */
  names: ReadonlySet<string>
}

/** Undefined if no character has a style of its own. @throws Undrawable */
export function characterStylesOf(parameters: Properties, text: string): CharacterStyles | undefined {
  const own = new Map<number, Map<number, OwnStyle>>()
  const names = new Set<string>()
  for (const { line, character, style } of stylesOf(parameters.styles, text.split('\n'))) {
    if (Object.keys(style).length === 0) continue
    for (const name of Object.keys(style)) names.add(name)
    const characters = own.get(line) ?? new Map<number, OwnStyle>()
    own.set(line, characters.set(character, ownStyle(style, parameters)))
  }
  return own.size > 0 ? { own, names } : undefined
}

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
      const isThere = row in lines && Number.isInteger(column) && column >= 0 && column < Math.max(1, length)
      return isThere ? [{ line: row, character: column, style: objectOf(style) }] : []
    }),
  )
}

/** Line breaks are not counted. */
function rangesOf(ranges: readonly Properties[], lines: readonly string[]): StoredStyle[] {
  const found: StoredStyle[] = []
  let [at, next] = [0, 0]
  for (const [line, text] of lines.entries()) {
    for (let character = 0; character < text.length; character++, at++) {
      const range = ranges[next]
      if (!range || !(Number(range.start) <= at && at < Number(range.end))) continue
      found.push({ line, character, style: objectOf(range.style) })
      if (at === Number(range.end) - 1) next++
    }
  }
  return found
}

/** Fabric does not read other properties of a character. */
function ownStyle(style: Properties, parameters: Properties): OwnStyle {
  const own: OwnStyle = {}
  const has = (name: string) => Object.hasOwn(style, name)
  const [size, family] = [numberOf(style, 'fontSize', undefined, sizes), textOf(style, 'fontFamily', '')]
  if (size !== undefined) own.size = size
  if (family !== '') own.family = family
  if (textOf(style, 'fontWeight', '') !== '') own.bold = isBold(textOf(style, 'fontWeight', ''))
  if (textOf(style, 'fontStyle', '') !== '') own.italic = isItalic(style)
  if (has('fill')) own.fill = inkOf(style, 'fill')
  if (has('stroke') || has('strokeWidth')) {
    own.stroke = strokeOf({ ...parameters, ...style })
    own.strokeWidth = strokeWidthOf({ ...parameters, ...style })
  }
  if (has('textBackgroundColor')) own.lineBackground = colorOf(style, 'textBackgroundColor')
  if (has('deltaY')) own.shift = numberOf(style, 'deltaY', 0)
  for (const name of ['underline', 'linethrough', 'overline'] as const)
    if (has(name)) own.lines = { ...own.lines, [name]: flagOf(style, name) }
  return own
}

/** Of fonts, in pixels of the stage. */
export const sizes = { min: 0, max: 10_000 }

/** @throws Undrawable */
export const isItalic = (parameters: Properties): boolean =>
  choiceOf(parameters, 'fontStyle', ['normal', 'italic', 'oblique'], 'normal') !== 'normal'

/** @throws Undrawable */
export function isBold(weight: string): boolean {
  if (weight === 'bold' || weight === 'bolder' || Number(weight) >= 600) return true
  if (weight === 'normal' || weight === 'lighter' || Number(weight) >= 1) return false
  throw new Undrawable('feature', `The property fontWeight is ${shown(weight)}, which cannot be drawn.`)
}

/** The families of characters, whatever else their styles hold. */
export function familiesOfStyles(stored: unknown): string[] {
  const list = Array.isArray(stored)
    ? stored.map((range) => objectOf(range).style)
    : Object.values(objectOf(stored)).flatMap((line) => Object.values(objectOf(line)))
  const families = list.map((style) => objectOf(style).fontFamily)
  return families.filter((family) => typeof family === 'string' && family.trim() !== '') as string[]
}
