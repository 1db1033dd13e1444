// What a page consists of: marks in the order in which they are painted, the same for every format.
import type { Matrix } from './matrix.ts'
import type { Outline } from './outline.ts'

/** Channels from 0 to 255, alpha from 0 to 1. */
export interface Color {
  r: number
  g: number
  b: number
  a: number
  /** For the press: printed with black ink alone, and not as the profile converts it. */
  inBlack?: true
}

export interface Gradient {
  kind: 'linear' | 'radial'
  /** x1, y1, x2, y2 of a line; fx, fy, cx, cy, r of circles. */
  coords: number[]
  stops: { offset: number; color: Color }[]
  /** From the gradient's space to that of the mark. */
  matrix: Matrix
}

export type Paint = Color | Gradient

export interface Stroke {
  paint: Paint
  width: number
  cap: 'butt' | 'round' | 'square'
  join: 'miter' | 'round' | 'bevel'
  miter: number
  dash: number[]
  dashOffset: number
}

export interface ShapeMark {
  kind: 'shape'
  outline: Outline
  rule: 'nonzero' | 'evenodd'
  fill?: Paint | undefined
  stroke?: Stroke | undefined
  /** Letters as outlines, and lines of text. */
  isLettering?: true
}

export interface PlacedGlyph {
  id: number
  x: number
  y: number
  /** What it reads as. */
  codePoints: number[]
}

/** A piece of text that was shaped together, along its own baseline. */
export interface PlacedWord {
  x: number
  y: number
  /** Radians, clockwise. */
  angle: number
  /** The position of each glyph, from the word's origin in the unit of the mark. */
  glyphs: PlacedGlyph[]
}

export interface TextMark {
  kind: 'text'
  /** Key of the font. */
  font: string
  size: number
  words: PlacedWord[]
  fill?: Paint | undefined
  stroke?: Stroke | undefined
  /** Lean of an italic that is made from an upright font. */
  slant: number
  /** Width of the stroke in the color of the fill that makes it bold. */
  bolder: number
}

export interface PictureMark {
  kind: 'picture'
  /** Key of the picture, which fills the rectangle. */
  picture: string
  x: number
  y: number
  width: number
  height: number
}

/** The silhouette of the marks, in one color, moved and blurred in the space of the page. */
export interface ShadowMark {
  kind: 'shadow'
  color: Color
  dx: number
  dy: number
  /** Standard deviation of the blur; 0 is sharp. */
  sigma: number
  marks: Mark[]
}

export interface GroupMark {
  kind: 'group'
  matrix?: Matrix
  /** Only their intersection is visible; in the coordinates outside of the matrix. */
  clips?: Clip[]
  /** Of the group as a whole. */
  alpha?: number
  /** How the group as a whole is mixed with what is below it. */
  blend?: Blend
  /** Fades as a whole when its element does. */
  isWhole?: true
  marks: Mark[]
}

export const blends = [
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
] as const
/** As CSS names it. */
export type Blend = (typeof blends)[number]

export interface Clip {
  outline: Outline
  rule: 'nonzero' | 'evenodd'
}

export type Mark = ShapeMark | TextMark | PictureMark | ShadowMark | GroupMark

export const isGradient = (paint: Paint): paint is Gradient => 'kind' in paint

export const plainStroke = (paint: Paint, width: number): Stroke => ({
  paint,
  width,
  cap: 'butt',
  join: 'miter',
  miter: 4,
  dash: [],
  dashOffset: 0,
})

/** Whether nothing shows through a text, not even where its glyphs overlap. */
export const isOpaque = ({ fill, stroke }: TextMark) =>
  (!fill || isFull(fill)) && (!stroke || isFull(stroke.paint))

export const isFull = (paint: Paint | undefined) => paint !== undefined && !isGradient(paint) && paint.a === 1

export function faded(paint: Paint, alpha: number): Paint {
  if (!isGradient(paint)) return { ...paint, a: paint.a * alpha }
  return {
    ...paint,
    stops: paint.stops.map(({ offset, color }) => ({ offset, color: { ...color, a: color.a * alpha } })),
  }
}

/** From em around the origin of a glyph to the space of its word. */
export function glyphMatrix(
  { x, y, angle }: PlacedWord,
  { x: gx, y: gy }: PlacedGlyph,
  size: number,
): Matrix {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [ox, oy] = [x + cos * gx - sin * gy, y + sin * gx + cos * gy]
  return [size * cos, size * sin, -size * sin, size * cos, ox, oy]
}
