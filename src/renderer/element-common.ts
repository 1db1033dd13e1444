// Reads the stored properties that elements of every kind have: a place, an opacity, a shadow, a stroke, a clip.
import { type ClipPath, clipPathOf } from './clip-path.ts'
import { type Ink, inkOf } from './ink.ts'
import { type Blend, blends, type Color, type Stroke } from './marks.ts'
import { type Placement, placementOf } from './placement.ts'
import { quoted, Undrawable } from './refusal.ts'
import { choiceOf, colorIn, colorOf, flagOf, isSet, numberOf, objectOf, type Properties } from './values.ts'

/** A shadow; lengths are pixels of the element, which only its scale changes, or of the stage if the shadow is uniform. */
export interface Shadow {
  color: Color
  /** The blur of a canvas: twice the standard deviation. */
  blur: number
  /** How far it is moved to the right and down. */
  dx: number
  dy: number
  /** Whether strokes cast it, too. */
  isOfStrokes?: true
  /** Whether it stays the same however the element is scaled. */
  isUniform?: true
}

/** The common properties of an element. */
export interface Common {
  title: string
  placement: Placement
  /** From 0 to 1. */
  opacity: number
  /** How it is mixed with what is below it; undefined if it covers that. */
  blend: Blend | undefined
  shadow: Shadow | undefined
  /** Undefined if no stroke is painted. */
  stroke: StoredStroke | undefined
  /** Pixels; it counts for the size of the element even if no stroke is painted. */
  strokeWidth: number
  /** Whether the stroke's width does not grow with the element. */
  isUniform: boolean
  /** Which of the two is below the other. */
  paintFirst: 'fill' | 'stroke'
  /** The color of a rectangle behind the element, as wide and high as it is. */
  background: Color | undefined
  /** What cuts the element off; undefined if nothing does. The designer's bounding box takes precedence over fabric's `clipPath`. */
  clip: StoredClip | undefined
}

/** A clip, before clip.ts looks it up in the view. */
export type StoredClip =
  | { of: 'printing box' }
  /** A print area by its id, or an element by its title. */
  | { of: 'element'; title: string }
  | ClipPath
  /** A rectangle of the stage with round corners. */
  | { of: 'rectangle'; x: number; y: number; width: number; height: number; radius: number }

/** Reads the properties. @param parameters under their current names @throws Undrawable for values that cannot be drawn */
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
  clip: boundingBoxClip(parameters) ?? clipPathOf(parameters),
})

/** The opacity; 1 for a value that is not between 0 and 1, which a canvas ignores. */
function opacityOf(parameters: Properties): number {
  const opacity = numberOf(parameters, 'opacity', 1)
  return opacity >= 0 && opacity <= 1 ? opacity : 1
}

function blendOf(parameters: Properties): Blend | undefined {
  /** The mode of a canvas in which an element covers what is below it. */
  const covering = 'source-over'
  const name = choiceOf(parameters, 'globalCompositeOperation', [covering, ...blends], covering)
  return name === covering ? undefined : name
}

/** The bounding box of the designer, if it clips: the id of a print area, the title of an element, or a rectangle. */
function boundingBoxClip(parameters: Properties): StoredClip | undefined {
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

/** A stroke whose ink is not measured by an element yet. */
export interface StoredStroke extends Omit<Stroke, 'paint'> {
  ink: Ink
  /** Whether it has the same width however the element is scaled. */
  isUniform: boolean
}

/** The stored width of the stroke in pixels; 0 for none. @throws Undrawable for an invalid one */
export const strokeWidthOf = (parameters: Properties): number =>
  numberOf(parameters, 'strokeWidth', 0, { min: 0, max: 10_000 })

/** The stroke of an element or a character; undefined if none is painted. @throws Undrawable for values that cannot be drawn */
export function strokeOf(parameters: Properties): StoredStroke | undefined {
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

/** Lengths of dashes and gaps; empty for a solid line. */
function dashOf(parameters: Properties): number[] {
  const stored = isSet(parameters, 'strokeDashArray') ? parameters.strokeDashArray : []
  const dash = Array.isArray(stored)
    ? stored.map((item) => (typeof item === 'string' && item.trim() !== '' ? Number(item) : item))
    : [undefined]
  if (!dash.every((item) => typeof item === 'number' && item >= 0 && item < 1e5))
    throw new Undrawable('value', 'The property strokeDashArray is not a list of lengths.')
  return dash
}

/** Limits of a blur. */
const blurBounds = { min: 0, max: 1000 }

/** The shadow by the designer's properties, else by that of fabric.js; undefined if there is none. @throws Undrawable */
function shadowOf(parameters: Properties): Shadow | undefined {
  const color = colorOf(parameters, 'shadowColor')
  if (color === undefined) return isSet(parameters, 'shadow') ? fabricShadow(parameters.shadow) : undefined
  const blur = numberOf(parameters, 'shadowBlur', 0, blurBounds)
  const [dx, dy] = [numberOf(parameters, 'shadowOffsetX', 0), numberOf(parameters, 'shadowOffsetY', 0)]
  // Even without a blur or an offset it shows through transparent parts of the element.
  return { color, blur, dx, dy }
}

/** The property `shadow` of fabric.js: a text or an object. */
function fabricShadow(value: unknown): Shadow | undefined {
  if (typeof value === 'string') return fromText(value)
  const properties = objectOf(value)
  const color = colorOf(properties, 'color')
  if (color === undefined) return undefined
  const blur = numberOf(properties, 'blur', 0, blurBounds)
  return {
    color,
    blur,
    dx: numberOf(properties, 'offsetX', 0),
    dy: numberOf(properties, 'offsetY', 0),
    ...(flagOf(properties, 'affectStroke') && { isOfStrokes: true }),
    ...(flagOf(properties, 'nonScaling') && { isUniform: true }),
  }
}

/** A shadow such as `rgba(0,0,0,.3) 5px 5px 10px`, or with the color at the end (fabric 5.3 `_parseShadow`). */
function fromText(text: string): Shadow | undefined {
  const lengths =
    /(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?\s+(-?\d{1,6}(?:\.\d{1,9})?)(?:px)?(?:\s+(\d{1,6}(?:\.\d{1,9})?)(?:px)?)?(?![\d.,)%])/.exec(
      text.slice(0, 200),
    )
  if (!lengths)
    throw new Undrawable('feature', `The property shadow is ${quoted(text)}, which cannot be drawn.`)
  const [match, dx, dy, blur = 0] = lengths
  const color = colorIn(text.replace(match, '').trim() || 'black', 'shadow')
  return color && { color, blur: Number(blur), dx: Number(dx), dy: Number(dy) }
}
