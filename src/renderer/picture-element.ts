// Reads a stored picture or drawing with all its defaults.
import type { Common } from './element-common.ts'
import { filtersOf, type PictureFilter } from './filters.ts'
import type { Color } from './marks.ts'
import { Undrawable } from './refusal.ts'
import { choiceOf, colorIn, colorOf, flagOf, isSet, numberOf, type Properties, textOf } from './values.ts'

/** A picture, a drawing or a page of a PDF. */
export interface PictureElement extends Common {
  kind: 'picture'
  /** A URL, or the picture itself (`isEmbedded`). */
  source: string
  /** A color that replaces, or is multiplied with, the colors of a picture. */
  tint: { color: Color; mode: 'tint' | 'multiply' } | undefined
  /** Fills of the shapes of a drawing in their order: undefined for none, 'own' for the fill of the drawing. */
  fills: (Color | undefined | 'own')[]
  /** One fill for all shapes of a drawing. */
  fill: Color | undefined
  filters: PictureFilter[]
  /** The page of a PDF, from 1. */
  page: number
  /** The part of the picture that is shown, in its pixels; undefined for all of it. */
  crop: { x: number; y: number; width: number; height: number } | undefined
  /** The size that the design stores, if any. */
  width: number | undefined
  height: number | undefined
}

/** Reads a picture. @param parameters its properties under their current names @throws Undrawable for values that cannot be drawn */
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
    fills: fills.map((stored) =>
      typeof stored === 'string' && stored !== '' ? colorIn(stored, 'svgFill') : ('own' as const),
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
