// Types of the marks that a page consists of: drawing primitives in the order in which they are painted, the same for every format.
// compose.ts makes them of elements; emit-pdf.ts and emit-svg.ts write them.
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

/** A gradient of colors. */
export interface Gradient {
  kind: 'linear' | 'radial'
  /** x1, y1, x2, y2 of a line; fx, fy, cx, cy, r of circles. */
  coords: number[]
  stops: { offset: number; color: Color }[]
  /** From the gradient's space to that of the mark. */
  matrix: Matrix
}

/** What a shape or text is painted with. */
export type Paint = Color | Gradient

/** A line along an outline; lengths are in the space of the mark. */
export interface Stroke {
  paint: Paint
  width: number
  cap: 'butt' | 'round' | 'square'
  join: 'miter' | 'round' | 'bevel'
  /** The longest miter, as a multiple of the width. */
  miter: number
  /** Lengths of dashes and gaps; empty for a solid line. */
  dash: number[]
  dashOffset: number
}

/** A filled or stroked outline. */
export interface ShapeMark {
  kind: 'shape'
  outline: Outline
  rule: 'nonzero' | 'evenodd'
  fill?: Paint | undefined
  stroke?: Stroke | undefined
  /** Whether it is part of a text: letters as outlines, underlines and so on. */
  isLettering?: true
}

/** A glyph of a font at a position. */
export interface PlacedGlyph {
  /** Its id in the font. */
  id: number
  x: number
  y: number
  /** The characters that it stands for, so that text of a PDF can be searched. */
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

/** Words in one face, size and paint. */
export interface TextMark {
  kind: 'text'
  /** The key of the face. */
  font: string
  size: number
  words: PlacedWord[]
  fill?: Paint | undefined
  stroke?: Stroke | undefined
  /** The lean of an italic that is made from an upright font, for each em of height; 0 for none. */
  slant: number
  /** The width of a stroke in the color of the fill that makes it bold; 0 for none. */
  bolder: number
}

/** A picture that fills a rectangle. */
export interface PictureMark {
  kind: 'picture'
  /** The key of the picture. */
  picture: string
  x: number
  y: number
  width: number
  height: number
}

/** The silhouette of the marks, in one color, moved and blurred. It lies in no group with a matrix. */
export interface ShadowMark {
  kind: 'shadow'
  color: Color
  /** Pixels of the stage, as `dy` and `sigma`. */
  dx: number
  dy: number
  /** Standard deviation of the blur; 0 is sharp. */
  sigma: number
  marks: Mark[]
}

/** Marks that are moved, clipped, faded or blended together. */
export interface GroupMark {
  kind: 'group'
  /** From the marks to the space around the group. */
  matrix?: Matrix
  /** Outlines in the space around the group; the group shows only inside of all of them. */
  clips?: Clip[]
  /** The opacity of the group as a whole; default 1. */
  alpha?: number
  /** How the group as a whole is mixed with what is below it; default: it covers that. */
  blend?: Blend
  /** Whether it fades as a whole when its element is faded, like a picture; else each mark fades. */
  isWhole?: true
  marks: Mark[]
}

/** The blend modes of CSS (Compositing and Blending 1 §10). */
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
export type Blend = (typeof blends)[number]

/** An outline outside of which nothing is painted. */
export interface Clip {
  outline: Outline
  rule: 'nonzero' | 'evenodd'
}

/** A drawing primitive. */
export type Mark = ShapeMark | TextMark | PictureMark | ShadowMark | GroupMark

/** Whether a paint is a gradient, not a color. */
export const isGradient = (paint: Paint): paint is Gradient => 'kind' in paint

/** A solid stroke with the defaults of SVG. */
export const plainStroke = (paint: Paint, width: number): Stroke => ({
  paint,
  width,
  cap: 'butt',
  join: 'miter',
  miter: 4,
  dash: [],
  dashOffset: 0,
})

/** Whether a text is painted in opaque colors alone, so that overlapping glyphs do not show. False for gradients. */
export const isOpaqueText = ({ fill, stroke }: TextMark) =>
  (!fill || isFull(fill)) && (!stroke || isFull(stroke.paint))

/** Whether a paint is an opaque color. */
export const isFull = (paint: Paint | undefined) => paint !== undefined && !isGradient(paint) && paint.a === 1

/** The paint with its opacity multiplied. */
export function faded(paint: Paint, alpha: number): Paint {
  if (!isGradient(paint)) return { ...paint, a: paint.a * alpha }
  return {
    ...paint,
    stops: paint.stops.map(({ offset, color }) => ({ offset, color: { ...color, a: color.a * alpha } })),
  }
}

/** The keys of the pictures that marks show. @param options.withShadows whether pictures that only cast a shadow count, too */
export function picturesIn(marks: readonly Mark[], options: { withShadows: boolean }): Set<string> {
  return new Set(
    marks.flatMap((mark): string[] => {
      if (mark.kind === 'picture') return [mark.picture]
      if (mark.kind === 'group' || (mark.kind === 'shadow' && options.withShadows))
        return [...picturesIn(mark.marks, options)]
      return []
    }),
  )
}

/** All shadows among marks, also in groups. */
export function shadowsIn(marks: readonly Mark[]): ShadowMark[] {
  return marks.flatMap((mark) =>
    mark.kind === 'shadow' ? [mark] : mark.kind === 'group' ? shadowsIn(mark.marks) : [],
  )
}

/** The matrix from em around the origin of a glyph to the space of its mark. @param size of the text */
export function glyphMatrix(
  { x, y, angle }: PlacedWord,
  { x: gx, y: gy }: PlacedGlyph,
  size: number,
): Matrix {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const [ox, oy] = [x + cos * gx - sin * gy, y + sin * gx + cos * gy]
  return [size * cos, size * sin, -size * sin, size * cos, ox, oy]
}
