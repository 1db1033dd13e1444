// Reads a stored text with all its defaults. Its type decides how it runs: straight, wrapped in a box, or on a circle.
import {
  type CharacterStyle,
  type CharacterStyles,
  characterStylesOf,
  familiesOfStyles,
  fontSizeBounds,
  isBold,
  isItalic,
} from './character-styles.ts'
import { black, white } from './color.ts'
import type { Common } from './element-common.ts'
import { inkOf } from './ink.ts'
import { quoted, Undrawable } from './refusal.ts'
import { currentNames } from './stored-names.ts'
import { choiceOf, colorOf, flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

/** A text; the properties of CharacterStyle are those of characters without deviations. */
export interface TextElement extends Common, CharacterStyle {
  kind: 'text'
  text: string
  /** The styles of single characters. */
  styles?: CharacterStyles | undefined
  /** The distance of lines, as a multiple of their height. */
  lineHeight: number
  /** In em. */
  letterSpacing: number
  align: Align
  /** The URL of a picture that is repeated instead of the fill. */
  pattern: string | undefined
  /** Pixels of the width of the box in which lines wrap; undefined for text that does not wrap. */
  wrapWidth: number | undefined
  /** Whether lines may break within words. */
  breaksWords: boolean
  /** The circle on which it runs; undefined for straight text. */
  curve: { radius: number; reverse: boolean } | undefined
  /** Whether its direction is set to right to left, whatever its script is. */
  isBackward: boolean
  /** Whether it is painted several times, each with a glow (`neonLayers`). */
  isNeon?: true
}

const aligns = [
  'left',
  'center',
  'right',
  'justify',
  'justify-left',
  'justify-center',
  'justify-right',
] as const
/** The alignment of lines; the last line of a paragraph is justified only by `justify`. */
export type Align = (typeof aligns)[number]

/** Maximum characters of a text. */
const maxText = 20_000
const standardFamily = 'Times New Roman'

/** The font families that a stored element names, in an element that may be invalid; empty if it is not a text. Never throws. */
export function fontsOf(stored: Properties): string[] {
  if (typeof stored.type !== 'string' || !/text/i.test(stored.type)) return []
  const { fontFamily, styles } = currentNames(objectOf(stored.parameters))
  const family = typeof fontFamily === 'string' && fontFamily.trim() !== '' ? fontFamily : standardFamily
  return [family, ...familiesOfStyles(styles)]
}

/**
 * Reads a text.
 * @param type the stored type of the element
 * @param parameters its properties under their current names
 * @throws Undrawable for values that cannot be drawn
 */
export function textElement(
  type: string,
  stored: Properties,
  parameters: Properties,
  common: Common,
): TextElement {
  const text = typeof parameters.text === 'string' ? parameters.text : textOf(stored, 'source', '')
  if (text.length > maxText) throw new Undrawable('limit', `The text is longer than ${maxText} characters.`)
  const decoration = textOf(parameters, 'textDecoration', '')
  const course = courseOf(type, parameters)
  // Curved text stores a path that follows from its radius.
  if (isSet(parameters, 'path') && !course.curve)
    throw new Undrawable('feature', 'The property path cannot be drawn.')
  const styles = characterStylesOf(parameters, text)
  const isBackward = choiceOf(parameters, 'direction', ['ltr', 'rtl'], 'ltr') === 'rtl'
  const element: TextElement = {
    ...common,
    kind: 'text',
    styles,
    text: casedAs(text, textOf(parameters, 'textTransform', 'none')),
    family: textOf(parameters, 'fontFamily', standardFamily),
    bold: isBold(textOf(parameters, 'fontWeight', 'normal')),
    italic: isItalic(parameters),
    size: numberOf(parameters, 'fontSize', 18, fontSizeBounds),
    lineHeight: numberOf(parameters, 'lineHeight', 1, { min: 0, max: 100 }),
    // Stored in tenths of an em.
    letterSpacing: numberOf(parameters, 'letterSpacing', 0, { min: -1000, max: 1000 }) / 10,
    align: choiceOf(parameters, 'textAlign', aligns, 'left'),
    // Black by default, as in the designer; a pattern needs a fill that it replaces.
    fill:
      patternOf(parameters) === undefined && parameters.fill !== false
        ? inkOf(parameters, 'fill', black)
        : black,
    pattern: patternOf(parameters),
    lineBackground: colorOf(parameters, 'textBackgroundColor'),
    lines: {
      underline: decoration.includes('underline') || flagOf(parameters, 'underline'),
      linethrough: decoration.includes('line-through') || flagOf(parameters, 'linethrough'),
      overline: decoration.includes('overline') || flagOf(parameters, 'overline'),
    },
    ...course,
    isBackward,
  }
  return isNeon(type, parameters) ? neonText(element) : element
}

const isNeon = (type: string, parameters: Properties): boolean =>
  /^neon-?text$/i.test(type) || flagOf(parameters, 'neonText')

/** The text as neon, for which the designer ignores some properties. */
const neonText = (element: TextElement): TextElement => ({
  ...element,
  isNeon: true,
  bold: false,
  italic: false,
  stroke: undefined,
  strokeWidth: 0,
  background: undefined,
  pattern: undefined,
  lineBackground: undefined,
  styles: undefined,
  wrapWidth: undefined,
  curve: undefined,
  isBackward: false,
  lines: { underline: false, linethrough: false, overline: false },
})

/** How the text runs, by its type or, for the older type of all texts, by its properties. */
function courseOf(
  type: string,
  parameters: Properties,
): Pick<TextElement, 'wrapWidth' | 'breaksWords' | 'curve'> {
  const isBox = /^text-?box$/i.test(type)
  const isCurved = /^curved-?text$/i.test(type) || (!isBox && flagOf(parameters, 'curved'))
  const breaksWords = flagOf(parameters, 'splitByGrapheme')
  if (isCurved) {
    const radius = numberOf(parameters, 'curveRadius', 80, { min: 1, max: 100_000 })
    return {
      wrapWidth: undefined,
      breaksWords,
      curve: { radius, reverse: flagOf(parameters, 'curveReverse') },
    }
  }
  if (!isBox && !flagOf(parameters, 'textBox')) return { wrapWidth: undefined, breaksWords, curve: undefined }
  // With the width 0 the box is as wide as the widest word, as in fabric.
  return { wrapWidth: numberOf(parameters, 'width', 0, { min: 0 }), breaksWords, curve: undefined }
}

/** The URL of the picture of a pattern; undefined if there is none. @throws Undrawable for one that is not simply repeated */
function patternOf(parameters: Properties): string | undefined {
  const isFill = objectOf(parameters.fill).type === 'pattern'
  if (!isFill && !isSet(parameters, 'pattern')) return undefined
  const pattern = isFill ? parameters.fill : parameters.pattern
  const source = typeof pattern === 'string' ? pattern : (objectOf(pattern).url ?? objectOf(pattern).source)
  const { repeat = 'repeat', ...options } = objectOf(pattern)
  const isPlain =
    repeat === 'repeat' && !['patternTransform', 'offsetX', 'offsetY'].some((name) => isSet(options, name))
  if (typeof source === 'string' && source !== '' && isPlain) return source
  throw new Undrawable('feature', 'The property pattern cannot be drawn.')
}

/** The text in the case of `textTransform`. @throws Undrawable for an unknown value */
function casedAs(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase()
  if (transform === 'lowercase') return text.toLowerCase()
  if (transform === 'capitalize')
    return text.replaceAll(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (c) => c.toUpperCase())
  if (transform === 'none') return text
  throw new Undrawable(
    'feature',
    `The property textTransform is ${quoted(transform)}, which cannot be drawn.`,
  )
}

/** The blurs of the glows of neon, in pixels of the stage. The first ones are white, the others have the color of the text. */
const blurs = [5, 10, 40, 80]
const whiteGlows = 2

/** The texts as which a neon text is painted, one upon the other: white, each with the shadow of one glow. */
export function neonLayers(element: TextElement): TextElement[] {
  const { fill } = element
  const color = fill && !('kind' in fill) ? fill : black
  return blurs.map((blur, index) => ({
    ...element,
    fill: white,
    shadow: { color: index < whiteGlows ? white : color, blur, dx: 0, dy: 0 },
  }))
}
