// Fills of single characters, as fabric.js 5 stores them in `styles`: by line and character, or as ranges of characters.
import { type Ink, inkOf } from './ink.ts'
import { Undrawable } from './refusal.ts'
import { objectOf, type Properties } from './values.ts'

/** By line and character; what is missing has the fill of the text. */
export type CharacterFills = ReadonlyMap<number, ReadonlyMap<number, Ink | undefined>>

/** Undefined if no character has a style of its own. @throws Undrawable for other styles than a fill */
export function characterFillsOf(given: Properties, text: string): CharacterFills | undefined {
  const lines = new Map<number, Map<number, Ink | undefined>>()
  for (const { line, character, style } of stylesOf(given.styles, text.split('\n'))) {
    assertFillOnly(style, given)
    if (!Object.hasOwn(style, 'fill')) continue
    const fills = lines.get(line) ?? new Map<number, Ink | undefined>()
    lines.set(line, fills.set(character, inkOf(style, 'fill')))
  }
  return lines.size > 0 ? lines : undefined
}

interface CharacterStyle {
  line: number
  character: number
  style: Properties
}

function stylesOf(stored: unknown, lines: readonly string[]): CharacterStyle[] {
  if (Array.isArray(stored)) return rangesOf(stored.map(objectOf), lines)
  return Object.entries(objectOf(stored)).flatMap(([line, characters]) =>
    Object.entries(objectOf(characters)).flatMap(([character, style]) => {
      const [row, column] = [Number(line), Number(character)]
      const isThere = Number.isInteger(row) && Number.isInteger(column) && column < (lines[row]?.length ?? 0)
      return isThere ? [{ line: row, character: column, style: objectOf(style) }] : []
    }),
  )
}

/** Line breaks are not counted. */
function rangesOf(ranges: readonly Properties[], lines: readonly string[]): CharacterStyle[] {
  const found: CharacterStyle[] = []
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

/** Styles of a character that are those of the whole text change nothing. */
function assertFillOnly(style: Properties, given: Properties): void {
  for (const [name, value] of Object.entries(style)) {
    const isOwn =
      name === 'fill' || value === given[name] || value === null || value === false || value === ''
    const isPlain = value === usual[name] && given[name] === undefined
    if (!isOwn && !isPlain) throw new Undrawable('feature', `The property styles.${name} cannot be drawn.`)
  }
}

const usual: Properties = { fontWeight: 'normal', fontStyle: 'normal', strokeWidth: 0, deltaY: 0 }
