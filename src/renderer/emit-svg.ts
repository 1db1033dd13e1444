// Writes marks as one SVG document: text as the outlines of its glyphs, pictures embedded. For SVG files, and for librsvg, which draws
// previews, PNGs and JPEGs of it (strips.ts).
import { hexOf } from './color.ts'
import type { Face } from './face.ts'
import {
  type Clip,
  type Gradient,
  glyphMatrix,
  isGradient,
  isOpaqueText,
  type Mark,
  type Paint,
  type PlacedWord,
  plainStroke,
  type ShadowMark,
  type Stroke,
  type TextMark,
} from './marks.ts'
import { identity, type Matrix, mirrored, multiply, type Rectangle, translate } from './matrix.ts'
import { decimal, type Outline, pathData, transformed } from './outline.ts'
import { shadowRegion, sharpShadow } from './shadow.ts'

/** The fonts and pictures that marks name by their keys. */
export interface SvgResources {
  face(key: string): Face
  /** The `data:` URL of a picture. */
  picture(key: string): string
  /** The picture of a shadow that was drawn before, with its place on the stage; undefined if the SVG draws it itself. */
  shadow?(mark: ShadowMark): { href: string; area: Rectangle } | undefined
}

/** What the document shows. */
export interface SvgPage {
  /** The part of the stage that is shown. */
  area: Rectangle
  marks: Mark[]
  /** Size with its unit. */
  width: string
  height: string
  /** The color below all marks as SVG writes it; undefined for a transparent ground. */
  ground?: string | undefined
  /** Whether it is mirrored from left to right within the area. */
  mirror?: boolean
}

/** The SVG document of a page, as text. */
export function svgOf(
  { area, marks, width, height, ground, mirror }: SvgPage,
  resources: SvgResources,
): string {
  const writer = new SvgWriter(resources, area)
  const upright = marks.map((mark) => writer.mark(mark, identity)).join('')
  const flip = mirror && matrixText(mirrored(2 * area.x + area.width))
  const body = flip ? `<g transform="${flip}">${upright}</g>` : upright
  const { x, y } = area
  const box = [x, y, area.width, area.height].map((value) => decimal(value, 6)).join(' ')
  const background = ground ? `<rect ${placeText(area, 6)} fill="${ground}"/>` : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="${box}" preserveAspectRatio="none">${writer.defs()}${background}${ground ? isolated(body) : body}</svg>`
}

/** The marks in a group of their own if some are blended: they are blended with each other, not with the ground. */
const isolated = (body: string) =>
  body.includes('mix-blend-mode') ? `<g style="isolation:isolate">${body}</g>` : body

/** Glyphs to paint as one path. librsvg takes quadratic time for the glyphs of a path, also for those beyond the page. */
const glyphsAtOnce = 500

/** Path data of single glyphs, joined to paths of `glyphsAtOnce` glyphs. */
function joined(paths: readonly string[]): string[] {
  const count = Math.ceil(paths.length / glyphsAtOnce)
  return Array.from({ length: count }, (_, i) =>
    paths.slice(i * glyphsAtOnce, (i + 1) * glyphsAtOnce).join(''),
  )
}

/** Writes marks as elements, and collects the definitions to which they refer. */
class SvgWriter {
  readonly #defs: string[] = []
  readonly #resources: SvgResources
  readonly #area: Rectangle
  #count = 0

  constructor(resources: SvgResources, area: Rectangle) {
    this.#resources = resources
    this.#area = area
  }

  /** The definitions of the marks that were written so far. */
  defs(): string {
    return this.#defs.length > 0 ? `<defs>${this.#defs.join('')}</defs>` : ''
  }

  /** The elements of a mark. @param outer the matrix from the mark to the stage */
  mark(mark: Mark, outer: Matrix): string {
    if (mark.kind === 'shape') return this.#path(pathData(mark.outline, 5), mark.rule, mark.fill, mark.stroke)
    if (mark.kind === 'text') {
      const face = this.#resources.face(mark.font)
      const glyphs = mark.words.flatMap((word) => wordOutlines(word, face, mark.size))
      const paths = glyphs.map((outline) => pathData(outline, 5))
      // As separate paths, overlapping transparent glyphs both show, as in a browser.
      return (isOpaqueText(mark) ? joined(paths) : paths)
        .map((d) =>
          mark.bolder > 0 ? this.#bold(d, mark) : this.#path(d, 'nonzero', mark.fill, mark.stroke),
        )
        .join('')
    }
    if (mark.kind === 'picture') {
      return imageText(mark, this.#resources.picture(mark.picture))
    }
    if (mark.kind === 'shadow') {
      const drawn = this.#resources.shadow?.(mark)
      if (drawn) return imageText(drawn.area, drawn.href)
      const sharp = sharpShadow(mark)
      return sharp ? this.mark(sharp, outer) : this.#shadow(mark, outer)
    }
    const { matrix, clips = [], alpha = 1, blend, marks } = mark
    const inner = matrix ? multiply(outer, matrix) : outer
    const body = marks.map((part) => this.mark(part, inner)).join('')
    let text = matrix ? `<g transform="${matrixText(matrix)}">${body}</g>` : body
    for (const clip of clips) text = `<g clip-path="url(#${this.#clip(clip)})">${text}</g>`
    if (alpha !== 1) text = `<g opacity="${decimal(alpha)}">${text}</g>`
    return blend ? `<g style="mix-blend-mode:${blend}">${text}</g>` : text
  }

  #id(kind: string): string {
    return `${kind}${++this.#count}`
  }

  #clip({ outline, rule }: Clip): string {
    const id = this.#id('c')
    this.#defs.push(`<clipPath id="${id}"><path d="${pathData(outline, 5)}" clip-rule="${rule}"/></clipPath>`)
    return id
  }

  /** A shadow as a filter; empty if it does not fall on the area. Its offset is in pixels of the stage: no group with a matrix contains shadows. */
  #shadow({ color, dx, dy, sigma, marks }: ShadowMark, outer: Matrix): string {
    const region = shadowRegion({ dx, dy, sigma, marks }, outer, this.#area, this.#resources.face)
    if (!region || color.a === 0) return ''
    const id = this.#id('s')
    const [r, g, b] = [color.r, color.g, color.b].map((value) => decimal(value / 255))
    const matrix = `0 0 0 0 ${r} 0 0 0 0 ${g} 0 0 0 0 ${b} 0 0 0 ${decimal(color.a)} 0`
    const blur = sigma > 0 ? `<feGaussianBlur stdDeviation="${decimal(sigma)}"/>` : ''
    // The marks are moved before the filter, since librsvg paints nothing beyond the page that the filter could move onto it.
    const moved = marks.map((part) => this.mark(part, multiply(translate(dx, dy), outer))).join('')
    this.#defs.push(
      `<filter id="${id}" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB" ${placeText(region, 4)}><feColorMatrix type="matrix" values="${matrix}"/>${blur}</filter>`,
    )
    return `<g filter="url(#${id})"><g transform="translate(${decimal(dx)} ${decimal(dy)})">${moved}</g></g>`
  }

  /**
   * Glyphs made bold by a stroke; transparent ones are faded as a group, so that fill and stroke do not both show where they overlap.
   * text.ts gives such a mark no stroke of its own, and makes shapes of bold text with a gradient.
   */
  #bold(d: string, { fill, bolder }: TextMark): string {
    if (!fill || isGradient(fill)) return this.#path(d, 'nonzero', fill, undefined)
    const full = { ...fill, a: 1 }
    const path = this.#path(d, 'nonzero', full, plainStroke(full, bolder))
    return fill.a === 1 ? path : `<g opacity="${decimal(fill.a)}">${path}</g>`
  }

  #path(d: string, rule: string, fill: Paint | undefined, stroke: Stroke | undefined): string {
    if (d === '') return ''
    const paint = this.#paint('fill', fill)
    const line = stroke ? `${this.#paint('stroke', stroke.paint)}${strokeText(stroke)}` : ''
    return `<path d="${d}"${rule === 'evenodd' ? ' fill-rule="evenodd"' : ''}${paint}${line}/>`
  }

  #paint(name: 'fill' | 'stroke', paint: Paint | undefined): string {
    if (!paint) return ` ${name}="none"`
    if (isGradient(paint)) return ` ${name}="url(#${this.#gradient(paint)})"`
    return ` ${name}="${hexOf(paint)}"${paint.a < 1 ? ` ${name}-opacity="${decimal(paint.a)}"` : ''}`
  }

  #gradient({ kind, coords, stops, matrix }: Gradient): string {
    const id = this.#id('p')
    const names = kind === 'linear' ? ['x1', 'y1', 'x2', 'y2'] : ['fx', 'fy', 'cx', 'cy', 'r']
    const place = names.map((name, index) => `${name}="${decimal(coords[index] ?? 0, 6)}"`).join(' ')
    const stopElements = stops.map(
      ({ offset, color }) =>
        `<stop offset="${decimal(offset)}" stop-color="${hexOf(color)}" stop-opacity="${decimal(color.a)}"/>`,
    )
    this.#defs.push(
      `<${kind}Gradient id="${id}" gradientUnits="userSpaceOnUse" ${place} gradientTransform="${matrixText(matrix)}">${stopElements.join('')}</${kind}Gradient>`,
    )
    return id
  }
}

const imageText = (area: Rectangle, href: string) =>
  `<image ${placeText(area, 6)} preserveAspectRatio="none" xlink:href="${href}"/>`

const placeText = (area: Rectangle, digits: number) =>
  (['x', 'y', 'width', 'height'] as const).map((name) => `${name}="${decimal(area[name], digits)}"`).join(' ')

const matrixText = (matrix: Matrix) => `matrix(${matrix.map((value) => decimal(value, 8)).join(' ')})`

function strokeText({ width, cap, join, miter, dash, dashOffset }: Stroke): string {
  const dashes =
    dash.length > 0
      ? ` stroke-dasharray="${dash.map((length) => decimal(length)).join(' ')}" stroke-dashoffset="${decimal(dashOffset)}"`
      : ''
  return ` stroke-width="${decimal(width, 6)}" stroke-linecap="${cap}" stroke-linejoin="${join}" stroke-miterlimit="${decimal(miter)}"${dashes}`
}

/** The outlines of a word's glyphs at their positions. */
export const wordOutlines = (word: PlacedWord, face: Face, size: number): Outline[] =>
  word.glyphs.map((glyph) => transformed(face.outline(glyph.id), glyphMatrix(word, glyph, size)))
