// A stored picture or drawing with every default resolved.
import type { Common } from './element-common.ts'
import { filtersOf, type PictureFilter } from './filters.ts'
import type { Color } from './marks.ts'
import { Undrawable } from './refusal.ts'
import { choiceOf, colorIn, colorOf, flagOf, isSet, numberOf, type Properties, textOf } from './values.ts'

export interface PictureElement extends Common {
  kind: 'picture'
  source: string
  tint: { color: Color; mode: 'tint' | 'multiply' } | undefined
  /** Fills of the shapes of a drawing. */
  fills: (Color | undefined | 'own')[]
  /** Fill of the whole of a drawing. */
  fill: Color | undefined
  filters: PictureFilter[]
  /** Of a PDF, from 1. */
  page: number
  crop: { x: number; y: number; width: number; height: number } | undefined
  /** Size in the design, where one is stored. */
  width: number | undefined
  height: number | undefined
}

/** @throws Undrawable */
export function pictureElement(stored: Properties, parameters: Properties, common: Common): PictureElement {
  const source = textOf(stored, 'source', '') || textOf(parameters, 'source', '')
  if (source === '') throw new Undrawable('picture', 'The element names no picture.')
  if (isSet(parameters, 'pattern'))
    throw new Undrawable('feature', 'The property pattern cannot be drawn on a picture.')
  if (parameters.imageSmoothing === false)
    throw new Undrawable('feature', 'The property imageSmoothing is off, which cannot be drawn.')
  const { fill } = parameters
  const color = Array.isArray(fill) ? undefined : colorOf(parameters, 'fill')
  const mode = choiceOf(parameters, 'colorMode', ['tint', 'multiply', 'none'], 'tint')
  const fills = Array.isArray(parameters.svgFill) ? parameters.svgFill : Array.isArray(fill) ? fill : []
  const cropX = numberOf(parameters, 'cropX', undefined, { min: 0 })
  const cropY = numberOf(parameters, 'cropY', undefined, { min: 0 })
  const side = (name: string) => numberOf(parameters, name, undefined, { min: 0 })
  const [width, height] = [side('width'), side('height')]
  const isCropped = (cropX ?? 0) > 0 || (cropY ?? 0) > 0 || flagOf(parameters, 'cropped')
  return {
    ...common,
    kind: 'picture',
    source,
    tint: color && mode !== 'none' ? { color, mode } : undefined,
    fill: color,
    fills: fills.map((each) =>
      typeof each === 'string' && each !== '' ? colorIn(each, 'svgFill') : ('own' as const),
    ),
    filters: filtersOf(parameters),
    page: Math.floor(numberOf(parameters, 'page', 1, { min: 1 })),
    crop:
      isCropped && width !== undefined && height !== undefined
        ? { x: cropX ?? 0, y: cropY ?? 0, width, height }
        : undefined,
    width,
    height,
  }
}
