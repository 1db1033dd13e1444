// Resolves how each character of a text looks: the style of the text with the character's deviations, and the face of its font.
import type { CharacterStyle, Deviation, TextLines } from './character-styles.ts'
import type { Face } from './face.ts'
import type { FontNeed } from './task.ts'
import type { TextElement } from './text-element.ts'

/** How a character is drawn. */
export interface Look extends Omit<CharacterStyle, 'family' | 'bold' | 'italic'> {
  face: Face
  /** How far below its line it is, in pixels. */
  shift: number
  /** Whether it is filled with the pattern of the text. */
  isPatterned: boolean
  /** Neighbors with equal keys are drawn at once; underlines and so on do not matter for it. */
  key: string
}

/** The look of a character, by index of its stored line and of the character in it. */
export type LookAt = (line: number, character: number) => Look

/** Finds the face for a text of a size in pixels. @throws Undrawable if its font cannot be used */
export type FaceOf = (need: FontNeed, size: number) => Face

/** Returns a function that finds the look of a character; equal looks are the same object. Both throw Undrawable if a font cannot be used. */
export function looksOf(element: TextElement, faceOf: FaceOf): LookAt {
  const { styles, pattern } = element
  const cache = new Map<string, Look>()
  const lookOf = (
    style: CharacterStyle,
    { shift, isPatterned }: Pick<Look, 'shift' | 'isPatterned'>,
  ): Look => {
    const { family, bold, italic, size, fill, stroke, strokeWidth, lineBackground, lines } = style
    const drawn = [family, bold, italic, size, fill, stroke, strokeWidth, lineBackground, shift, isPatterned]
    const key = JSON.stringify(drawn)
    const cacheKey = key + JSON.stringify(lines)
    const look = cache.get(cacheKey) ?? {
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
    cache.set(cacheKey, look)
    return look
  }
  const textLook = lookOf(element, { shift: 0, isPatterned: pattern !== undefined })
  if (!styles) return () => textLook
  const looks = new Map<Deviation, Look>()
  const deviatingLook = ({ lines, shift = 0, ...style }: Deviation) => {
    const merged = { ...element, ...style, lines: { ...element.lines, ...lines } satisfies TextLines }
    return lookOf(merged, { shift, isPatterned: pattern !== undefined && !('fill' in style) })
  }
  return (line, character) => {
    const deviation = styles.deviations.get(line)?.get(character)
    if (!deviation) return textLook
    const look = looks.get(deviation) ?? deviatingLook(deviation)
    looks.set(deviation, look)
    return look
  }
}

/** The fonts of a text and of its characters; the same font may occur several times. */
export function fontsOfText({ family, bold, italic, styles }: TextElement): FontNeed[] {
  const deviations = [...(styles?.deviations.values() ?? [])].flatMap((line) => [...line.values()])
  const fontsOfCharacters = deviations.map((style) => ({
    family: style.family ?? family,
    bold: style.bold ?? bold,
    italic: style.italic ?? italic,
  }))
  return [{ family, bold, italic }, ...fontsOfCharacters]
}
