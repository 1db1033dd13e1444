// How each character of a text looks: in the style of the text, or in one of its own, with the face of its font.
import type { CharacterStyle, OwnStyle, TextLines } from './character-styles.ts'
import type { Face } from './face.ts'
import type { FontNeed } from './task.ts'
import type { TextElement } from './text-element.ts'

export interface Look extends Omit<CharacterStyle, 'family' | 'bold' | 'italic'> {
  face: Face
  /** How far below its line it is. */
  shift: number
  /** Whether it has the pattern of the text. */
  isPatterned: boolean
  /** The same for neighbors that are drawn at once. */
  key: string
}

/** The look of a character of what is written. */
export type LookAt = (line: number, character: number) => Look

/** @param size pixels of the text */
export type FaceOf = (need: FontNeed, size: number) => Face

/** @throws Undrawable if a font is not there */
export function looksOf(element: TextElement, faceOf: FaceOf): LookAt {
  const { styles, pattern } = element
  const known = new Map<string, Look>()
  const lookOf = (style: CharacterStyle, shift: number, isPatterned: boolean): Look => {
    const { family, bold, italic, size, fill, stroke, strokeWidth, lineBackground, lines } = style
    const drawn = [family, bold, italic, size, fill, stroke, strokeWidth, lineBackground, shift, isPatterned]
    const key = JSON.stringify(drawn)
    const whole = key + JSON.stringify(lines)
    const look = known.get(whole) ?? {
      face: faceOf({ family, bold, italic }, size),
      size,
      fill,
      stroke,
      strokeWidth,
      lineBackground,
      lines,
      shift,
      isPatterned,
      key,
    }
    known.set(whole, look)
    return look
  }
  const plain = lookOf(element, 0, pattern !== undefined)
  if (!styles) return () => plain
  const looks = new Map<OwnStyle, Look>()
  const ownLook = (own: OwnStyle) => {
    const { lines, shift = 0, ...style } = own
    const merged = { ...element, ...style, lines: { ...element.lines, ...lines } satisfies TextLines }
    return lookOf(merged, shift, pattern !== undefined && !('fill' in style))
  }
  return (line, character) => {
    const own = styles.own.get(line)?.get(character)
    if (!own) return plain
    const look = looks.get(own) ?? ownLook(own)
    looks.set(own, look)
    return look
  }
}

/** The fonts of a text and of its characters. */
export function fontsOfText({ family, bold, italic, styles }: TextElement): FontNeed[] {
  const whole = { family, bold, italic }
  const own = [...(styles?.own.values() ?? [])].flatMap((line) => [...line.values()])
  const others = own.map((style) => ({
    family: style.family ?? family,
    bold: style.bold ?? bold,
    italic: style.italic ?? italic,
  }))
  return [whole, ...others]
}
