// What elements of every kind have: a place, an opacity, a shadow, a stroke, a clip.

import { type ClipPath, clipPathOf } from './clip-path.ts'
import { type Ink, inkOf } from './ink.ts'
import { type Blend, blends, type Color, type Stroke } from './marks.ts'
import { type Placement, placementOf } from './placement.ts'
import { shown, Undrawable } from './refusal.ts'
import { choiceOf, colorIn, colorOf, flagOf, isSet, numberOf, objectOf, type Properties } from './values.ts'

export interface Shadow {
  color: Color
  blur: number
  dx: number
  dy: number
  /** Strokes cast it, too. */
  isOfStrokes?: true
  /** The same however the element is scaled. */
  isUniform?: true
}

export interface Common {
  title: string
  placement: Placement
  opacity: number
  /** Undefined if it covers what is below it. */
  blend: Blend | undefined
  shadow: Shadow | undefined
  stroke: Outlined | undefined
  /** Counts for the size of the element even if it has no color. */
  strokeWidth: number
  /** Whether that does not grow with the element. */
  isUniform: boolean
  paintFirst: 'fill' | 'stroke'
  /** Behind the element, as wide and high as it is. */
  background: Color | undefined
  /** Titles, rectangles or the printing box; undefined if nothing clips. */
  clip: StoredClip | undefined
}

export type StoredClip =
  | { of: 'printing box' }
  /** A print area by its id, or an element by its title. */
  | { of: 'element'; title: string }
  | ClipPath
  | { of: 'rectangle'; x: number; y: number; width: number; height: number; radius: number }

/** @throws Undrawable */
export const commonOf = (title: string, parameters: Properties): Common => ({
  title,
  placement: placementOf(parameters),
  opacity: opacityOf(parameters),
  blend: blendOf(parameters),
  shadow: shadowOf(parameters),
  stroke: strokeOf(parameters),
  strokeWidth: strokeWidthOf(parameters),
  isUniform: flagOf(parameters, 'strokeUniform'),
  paintFirst: choiceOf(parameters, 'paintFirst', ['fill', 'stroke'], 'fill'),
  background: colorOf(parameters, 'backgroundColor'),
  clip: clipOf(parameters) ?? clipPathOf(parameters),
})

/** A canvas ignores what is not between 0 and 1. */
function opacityOf(parameters: Properties): number {
  const opacity = numberOf(parameters, 'opacity', 1)
  return opacity >= 0 && opacity <= 1 ? opacity : 1
}

function blendOf(parameters: Properties): Blend | undefined {
  const covering = 'source-over'
  const name = choiceOf(parameters, 'globalCompositeOperation', [covering, ...blends], covering)
  return name === covering ? undefined : name
}

function clipOf(parameters: Properties): StoredClip | undefined {
  const modes = ['clipping', 'inside', 'limitModify', 'none'] as const
  if (choiceOf(parameters, 'boundingBoxMode', modes, 'clipping') !== 'clipping') return undefined
  if (flagOf(parameters, 'usePrintingBoxAsBounding')) return { of: 'printing box' }
  const { boundingBox: box } = parameters
  if (typeof box === 'string') return box === '' ? undefined : { of: 'element', title: box }
  if (typeof box !== 'object' || box === null) return undefined
  const properties = objectOf(box)
  if (Object.keys(properties).length === 0) return undefined
  const [width, height] = [side(properties, 'width'), side(properties, 'height')]
  if (width === undefined || height === undefined) {
    throw new Undrawable('box', 'The bounding box has no width and height.')
  }
  const radius = numberOf(properties, 'borderRadius', 0, { min: 0 })
  return {
    of: 'rectangle',
    x: numberOf(properties, 'x', 0),
    y: numberOf(properties, 'y', 0),
    width,
    height,
    radius,
  }
}

const side = (properties: Properties, name: string) => numberOf(properties, name, undefined, { min: 0 })

export interface Outlined extends Omit<Stroke, 'paint'> {
  ink: Ink
  /** Of the same width however the element is scaled. */
  isUniform: boolean
}

export const strokeWidthOf = (parameters: Properties): number =>
  numberOf(parameters, 'strokeWidth', 0, { min: 0, max: 10_000 })

/** Undefined if nothing is painted. @throws Undrawable */
export function strokeOf(parameters: Properties): Outlined | undefined {
  const width = strokeWidthOf(parameters)
  const ink = width > 0 ? inkOf(parameters, 'stroke') : undefined
  if (!ink) return undefined
  const dash = dashOf(parameters)
  return {
    ink,
    width,
    cap: choiceOf(parameters, 'strokeLineCap', ['butt', 'round', 'square'], 'butt'),
    join: choiceOf(parameters, 'strokeLineJoin', ['miter', 'round', 'bevel'], 'miter'),
    miter: numberOf(parameters, 'strokeMiterLimit', 4, { min: 1, max: 1000 }),
    dash: dash.some((item) => item > 0) ? dash : [],
    dashOffset: numberOf(parameters, 'strokeDashOffset', 0),
    isUniform: flagOf(parameters, 'strokeUniform'),
  }
}

function dashOf(parameters: Properties): number[] {
  const stored = isSet(parameters, 'strokeDashArray') ? parameters.strokeDashArray : []
  const dash = Array.isArray(stored)
    ? stored.map((item) => (typeof item === 'string' && item.trim() !== '' ? Number(item) : item))
    : [undefined]
  if (!dash.every((item) => typeof item === 'number' && item >= 0 && item < 1e5))
    throw new Undrawable('value', 'The property strokeDashArray is not a list of lengths.')
  return dash
}

const bounds = { min: 0, max: 1000 }

/** @throws Undrawable */
function shadowOf(parameters: Properties): Shadow | undefined {
  const color = colorOf(parameters, 'shadowColor')
  if (color === undefined) return isSet(parameters, 'shadow') ? ownShadow(parameters.shadow) : undefined
  const blur = numberOf(parameters, 'shadowBlur', 0, bounds)
  const [dx, dy] = [numberOf(parameters, 'shadowOffsetX', 0), numberOf(parameters, 'shadowOffsetY', 0)]
  // Directly below the element without a blur, it would still show through transparent parts.
  return { color, blur, dx, dy }
}

function ownShadow(value: unknown): Shadow | undefined {
  if (typeof value === 'string') return fromText(value)
  const properties = objectOf(value)
  const color = colorOf(properties, 'color')
  if (color === undefined) return undefined
  const blur = numberOf(properties, 'blur', 0, bounds)
  return {
    color,
    blur,
    dx: numberOf(properties, 'offsetX', 0),
    dy: numberOf(properties, 'offsetY', 0),
    ...(flagOf(properties, 'affectStroke') && { isOfStrokes: true }),
    ...(flagOf(properties, 'nonScaling') && { isUniform: true }),
  }
}

/** `rgba(0,0,0,.3) 5px 5px 10px`, or the color at the end. */
function fromText(text: string): Shadow | undefined {
  const lengths =
    /(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?\s+(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?(?:\s+(\d{1,6}(?:\.\d{1,9})?)(?:px)?)?(?![\d.,)%])/.exec(
      text.slice(0, 200),
    )
  if (!lengths)
    throw new Undrawable('feature', `The property shadow is ${shown(text)}, which cannot be drawn.`)
  const [whole, dx, dy, blur = 0] = lengths
  const color = colorIn(text.replace(whole, '').trim() || 'black', 'shadow')
  return color && { color, blur: Number(blur), dx: Number(dx), dy: Number(dy) }
}
