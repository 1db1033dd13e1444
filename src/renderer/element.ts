// One stored element with every default resolved: its kind, position and paint.
import { black } from './color.ts'
import { filtersOf, type PictureFilter } from './filters.ts'
import type { Color } from './marks.ts'
import { type Placement, placementOf } from './placement.ts'
import { shown, Undrawable } from './refusal.ts'
import { type Bag, choiceOf, colorIn, colorOf, flagOf, isSet, numberOf, objectOf, textOf } from './values.ts'

export interface Shadow {
  color: Color
  blur: number
  dx: number
  dy: number
}

export interface Outlined {
  color: Color
  width: number
}

interface Common {
  title: string
  placement: Placement
  opacity: number
  shadow: Shadow | undefined
  stroke: Outlined | undefined
  /** Counts for the size of the element even if it has no color. */
  strokeWidth: number
  /** Titles, rectangles or the printing box; undefined if nothing clips. */
  clip: ClipWish | undefined
}

export type ClipWish =
  | { of: 'printing box' }
  /** A print area by its id, or an element by its title. */
  | { of: 'element'; title: string }
  | { of: 'rectangle'; x: number; y: number; width: number; height: number; radius: number }

export interface TextElement extends Common {
  kind: 'text'
  text: string
  family: string
  bold: boolean
  italic: boolean
  size: number
  lineHeight: number
  /** In em. */
  letterSpacing: number
  align: 'left' | 'center' | 'right' | 'justify'
  fill: Color | undefined
  background: Color | undefined
  lines: { underline: boolean; linethrough: boolean; overline: boolean }
  /** Pixels in which words wrap. */
  wrapWidth: number | undefined
  curve: { radius: number; reverse: boolean } | undefined
}

export interface PictureElement extends Common {
  kind: 'picture'
  source: string
  tint: { color: Color; mode: 'tint' | 'multiply' } | undefined
  /** Fills of the shapes of a drawing. */
  fills: (Color | undefined | 'own')[]
  /** Fill of the whole of a drawing. */
  fill: Color | undefined
  filters: PictureFilter[]
  crop: { x: number; y: number; width: number; height: number } | undefined
  /** Size in the design, where one is stored. */
  width: number | undefined
  height: number | undefined
}

export type Element = TextElement | PictureElement

/** Properties with visible effects that the renderer does not support. */
const unknownLooks = [
  'pattern',
  'neonText',
  'styles',
  'clipPath',
  'strokeDashArray',
  'path',
  'gradient',
  'mask',
] as const

const maxText = 20_000

/** @throws Undrawable with the cause */
export function readElement(stored: Bag): Element {
  const given = objectOf(stored.parameters)
  const title = titleOf(stored)
  const type = typeof stored.type === 'string' ? stored.type : textOf(given, 'type', 'image')
  for (const name of unknownLooks) {
    if (isSet(given, name)) throw new Undrawable('feature', `The property ${name} cannot be drawn.`)
  }
  if (textOf(given, 'globalCompositeOperation', 'source-over') !== 'source-over') {
    throw new Undrawable('feature', 'The property globalCompositeOperation cannot be drawn.')
  }
  const common: Common = {
    title,
    placement: placementOf(given),
    opacity: numberOf(given, 'opacity', 1, { min: 0, max: 1 }),
    shadow: shadowOf(given),
    stroke: strokeOf(given),
    strokeWidth: numberOf(given, 'strokeWidth', 0, { min: 0, max: 10_000 }),
    clip: clipOf(given),
  }
  if (/^(i-?text|text|text-?box|curved-?text)$/i.test(type)) return textElement(stored, given, common)
  if (!/^(image|svg|path|path-group|group)$/i.test(type)) {
    throw new Undrawable('feature', `An element of type ${shown(type)} cannot be drawn.`)
  }
  return pictureElement(stored, given, common)
}

export const titleOf = (stored: Bag) => (typeof stored.title === 'string' ? stored.title : '')

function shadowOf(given: Bag): Shadow | undefined {
  const color = colorOf(given, 'shadowColor')
  if (color === undefined) return undefined
  const blur = numberOf(given, 'shadowBlur', 0, { min: 0, max: 1000 })
  const [dx, dy] = [numberOf(given, 'shadowOffsetX', 0), numberOf(given, 'shadowOffsetY', 0)]
  // Directly below the element without a blur, it would still show through transparent parts.
  return { color, blur, dx, dy }
}

function strokeOf(given: Bag): Outlined | undefined {
  const width = numberOf(given, 'strokeWidth', 0, { min: 0, max: 10_000 })
  const color = width > 0 ? colorOf(given, 'stroke') : undefined
  return color ? { color, width } : undefined
}

function clipOf(given: Bag): ClipWish | undefined {
  const modes = ['clipping', 'inside', 'limitModify', 'none'] as const
  if (choiceOf(given, 'boundingBoxMode', modes, 'clipping') !== 'clipping') return undefined
  if (flagOf(given, 'usePrintingBoxAsBounding')) return { of: 'printing box' }
  const { boundingBox: box } = given
  if (typeof box === 'string') return box === '' ? undefined : { of: 'element', title: box }
  if (typeof box !== 'object' || box === null) return undefined
  const bag = objectOf(box)
  if (Object.keys(bag).length === 0) return undefined
  const [width, height] = [side(bag, 'width'), side(bag, 'height')]
  if (width === undefined || height === undefined) {
    throw new Undrawable('box', 'The bounding box has no width and height.')
  }
  const radius = numberOf(bag, 'borderRadius', 0, { min: 0 })
  return { of: 'rectangle', x: numberOf(bag, 'x', 0), y: numberOf(bag, 'y', 0), width, height, radius }
}

const side = (bag: Bag, name: string) => numberOf(bag, name, undefined, { min: 0 })

function textElement(stored: Bag, given: Bag, common: Common): TextElement {
  const text = typeof given.text === 'string' ? given.text : textOf(stored, 'source', '')
  if (text.length > maxText) throw new Undrawable('limit', `The text is longer than ${maxText} characters.`)
  const weight = textOf(given, 'fontWeight', 'normal')
  const decoration = textOf(given, 'textDecoration', '')
  const isBold = weight === 'bold' || Number(weight) >= 600
  if (!isBold && weight !== 'normal' && !/^[1-5]00$/.test(weight)) {
    throw new Undrawable('feature', `The property fontWeight is ${shown(weight)}, which cannot be drawn.`)
  }
  const curved = flagOf(given, 'curved')
  if (textOf(given, 'direction', 'ltr') !== 'ltr') {
    throw new Undrawable('feature', 'The property direction cannot be drawn.')
  }
  return {
    ...common,
    kind: 'text',
    text: casedAs(text, textOf(given, 'textTransform', 'none')),
    family: textOf(given, 'fontFamily', 'Times New Roman'),
    bold: isBold,
    italic: choiceOf(given, 'fontStyle', ['normal', 'italic', 'oblique'], 'normal') !== 'normal',
    size: numberOf(given, 'fontSize', 18, { min: 0, max: 10_000 }),
    lineHeight: numberOf(given, 'lineHeight', 1, { min: 0, max: 100 }),
    letterSpacing: numberOf(given, 'letterSpacing', 0, { min: -1000, max: 1000 }) / 10,
    align: choiceOf(given, 'textAlign', ['left', 'center', 'right', 'justify'], 'left'),
    fill: colorOf(given, 'fill', black),
    background: colorOf(given, 'textBackgroundColor'),
    lines: {
      underline: decoration.includes('underline') || flagOf(given, 'underline'),
      linethrough: decoration.includes('line-through') || flagOf(given, 'linethrough'),
      overline: decoration.includes('overline') || flagOf(given, 'overline'),
    },
    wrapWidth: flagOf(given, 'textBox') ? numberOf(given, 'width', undefined, { min: 1 }) : undefined,
    curve: curved
      ? {
          radius: numberOf(given, 'curveRadius', 80, { min: 1, max: 100_000 }),
          reverse: flagOf(given, 'curveReverse'),
        }
      : undefined,
  }
}

function casedAs(text: string, transform: string): string {
  if (transform === 'uppercase') return text.toUpperCase()
  if (transform === 'lowercase') return text.toLowerCase()
  if (transform === 'none') return text
  throw new Undrawable('feature', `The property textTransform is ${shown(transform)}, which cannot be drawn.`)
}

function pictureElement(stored: Bag, given: Bag, common: Common): PictureElement {
  const source = textOf(stored, 'source', '') || textOf(given, 'source', '')
  if (source === '') throw new Undrawable('picture', 'The element names no picture.')
  const { fill } = given
  const color = typeof fill === 'string' ? colorOf(given, 'fill') : undefined
  const mode = choiceOf(given, 'colorMode', ['tint', 'multiply', 'none'], 'tint')
  const fills = Array.isArray(given.svgFill) ? given.svgFill : Array.isArray(fill) ? fill : []
  const cropX = numberOf(given, 'cropX', undefined, { min: 0 })
  const cropY = numberOf(given, 'cropY', undefined, { min: 0 })
  const [width, height] = [side(given, 'width'), side(given, 'height')]
  const isCropped = (cropX ?? 0) > 0 || (cropY ?? 0) > 0 || flagOf(given, 'cropped')
  return {
    ...common,
    kind: 'picture',
    source,
    tint: color && mode !== 'none' ? { color, mode } : undefined,
    fill: color,
    fills: fills.map((each) =>
      typeof each === 'string' && each !== '' ? colorIn(each, 'svgFill') : ('own' as const),
    ),
    filters: filtersOf(given),
    crop:
      isCropped && width !== undefined && height !== undefined
        ? { x: cropX ?? 0, y: cropY ?? 0, width, height }
        : undefined,
    width,
    height,
  }
}
