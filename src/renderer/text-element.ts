// A stored text with every default resolved. Its type decides how it runs: straight, wrapped in a box, or on a circle.

import {
  type CharacterStyle,
  type CharacterStyles,
  characterStylesOf,
  familiesOfStyles,
  isBold,
  isItalic,
  sizes,
} from './character-styles.ts'
import { black, white } from './color.ts'
import type { Common } from './element-common.ts'
import { inkOf } from './ink.ts'
import { shown, Undrawable } from './refusal.ts'
import { currentNames } from './stored-names.ts'
import { choiceOf, colorOf, flagOf, isSet, numberOf, objectOf, type Properties, textOf } from './values.ts'

export interface TextElement extends Common, CharacterStyle {
  kind: 'text'
  text: string
  /** Where single characters have looks of their own. */
  styles?: CharacterStyles | undefined
  lineHeight: number
  /** In em. */
  letterSpacing: number
  align: Align
  /** Source of a picture that is repeated instead of the fill. */
  pattern: string | undefined
  /** Pixels in which words wrap. */
  wrapWidth: number | undefined
  /** Lines may break within words. */
  breaksWords: boolean
  curve: { radius: number; reverse: boolean } | undefined
  /** Whether its lines read from right to left, whatever they are written in. */
  isBackward: boolean
  /** Painted several times, each with a glow in the color of its fill. */
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
export type Align = (typeof aligns)[number]

const maxText = 20_000
const standardFamily = 'Times New Roman'

/** The families of a stored element; none if it is no text. */
export function fontsOf(stored: Properties): string[] {
  if (typeof stored.type !== 'string' || !/text/i.test(stored.type)) return []
  const { fontFamily, styles } = currentNames(objectOf(stored.parameters))
  const family = typeof fontFamily === 'string' && fontFamily.trim() !== '' ? fontFamily : standardFamily
  return [family, ...familiesOfStyles(styles)]
}

/** @throws Undrawable */
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
  // The path of curved text is that of its radius.
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
    size: numberOf(parameters, 'fontSize', 18, sizes),
    lineHeight: numberOf(parameters, 'lineHeight', 1, { min: 0, max: 100 }),
    letterSpacing: numberOf(parameters, 'letterSpacing', 0, { min: -1000, max: 1000 }) / 10,
    align: choiceOf(parameters, 'textAlign', aligns, 'left'),
    // Something has to be filled with the pattern; without a choice the designer fills text with black.
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

/** The text without what the designer does not give to neon. */
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

/** Of the older type for all texts, the properties decide. */
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
  // Without a width, fabric makes it as wide as the widest word.
  return { wrapWidth: numberOf(parameters, 'width', 0, { min: 0 }), breaksWords, curve: undefined }
}

function patternOf(parameters: Properties): string | undefined {
  const isFill = objectOf(parameters.fill).type === 'pattern'
  if (!isFill && !isSet(parameters, 'pattern')) return undefined
  const pattern = isFill ? parameters.fill : parameters.pattern
  const source = typeof pattern === 'string' ? pattern : (objectOf(pattern).url ?? objectOf(pattern).source)
  const { repeat = 'repeat', ...how } = objectOf(pattern)
  const isPlain =
    repeat === 'repeat' && !['patternTransform', 'offsetX', 'offsetY'].some((name) => isSet(how, name))
  if (typeof source === 'string' && source !== '' && isPlain) return source
  throw new Undrawable('feature', 'The property pattern cannot be drawn.')
}

function casedAs(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase()
  if (transform === 'lowercase') return text.toLowerCase()
  if (transform === 'capitalize')
    return text.replaceAll(/(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu, (c) => c.toUpperCase())
  if (transform === 'none') return text
  throw new Undrawable('feature', `The property textTransform is ${shown(transform)}, which cannot be drawn.`)
}

/** In pixels of the stage: two in white, and two in the color of the text. */
const blurs = [5, 10, 40, 80]
const whiteOnes = 2

/** The text as it is painted, one upon the other. */
export function neonLayers(element: TextElement): TextElement[] {
  const { fill } = element
  const color = fill && !('kind' in fill) ? fill : black
  return blurs.map((blur, index) => ({
    ...element,
    fill: white,
    shadow: { color: index < whiteOnes ? white : color, blur, dx: 0, dy: 0 },
  }))
}
