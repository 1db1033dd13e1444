// Checks of an element for print: lines that are too thin, text that is cut or too near the trim, pictures that end within the bleed.

import type { FindingCode } from '../core/finding-codes.ts'
import { boundsOfMarks } from './bounds.ts'
import type { Placed } from './compose.ts'
import type { Face } from './face.ts'
import { glyphMatrix, type Mark } from './marks.ts'
import { boundsOf, identity, intersection, type Matrix, multiply, type Rectangle, united } from './matrix.ts'
import { extentOf, transformed } from './outline.ts'
import { bledBox, type PageBox } from './page.ts'
import { pointsPerMm } from './pdf-finishing.ts'
import { quoted } from './refusal.ts'

/** Points of the thinnest line that prints well. */
const minLine = 0.25
/** Millimetres between text and the trim that are safe from an inexact cut. */
const minMargin = 3

/** Adds a warning about the element. @param value what was measured, in the unit of the message */
export type Warn = (code: FindingCode, message: string, value?: number) => void

/** Checks an element that lies on the page; the clips of its marks count, not masks of the page. @param faces by the keys in marks */
export function checkForPress(
  placed: Placed,
  page: PageBox,
  faces: ReadonlyMap<string, Face>,
  warn: Warn,
): void {
  const { text, thinnestLine } = traitsOf(placed.marks, faces)
  checkLine(thinnestLine * (page.width / page.box.width), warn)
  checkText(placed, text, page, warn)
  checkBleed(placed, page, warn)
}

/** Millimetres that may be cut off without a warning, because that is not visible. */
const invisible = 0.1

const rounded = (value: number) => Math.round(value * 100) / 100

function checkLine(millimetres: number, warn: Warn): void {
  const value = rounded(millimetres * pointsPerMm)
  if (value < minLine) warn('line', `A line is ${value} pt thin; at least ${minLine} pt print well.`, value)
}

interface TextExtent {
  /** Around all glyphs on the stage, without clips. */
  unclipped: Rectangle
  /** The part within all clips; undefined if nothing is visible. */
  visible: Rectangle | undefined
}

interface Traits {
  /** Of the marks of text whose fonts were loaded. */
  text: TextExtent[]
  /** Width of the thinnest line on the stage; infinite if there is none. */
  thinnestLine: number
}

/** The texts and the thinnest line of an element. */
function traitsOf(marks: readonly Mark[], faces: ReadonlyMap<string, Face>): Traits {
  const traits: Traits = { text: [], thinnestLine: Number.POSITIVE_INFINITY }
  const visit = (mark: Mark, matrix: Matrix, clips: readonly Rectangle[]) => {
    if (mark.kind === 'shadow' || mark.kind === 'picture') return
    if (mark.kind === 'group') {
      const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
      const groupClips = (mark.clips ?? []).map(({ outline }) => extentOf(transformed(outline, matrix)))
      for (const child of mark.marks) visit(child, inner, [...clips, ...groupClips])
      return
    }
    if (mark.stroke && mark.stroke.width > 0) {
      // The thinnest part of a distorted line.
      const [a, b, c, d] = matrix
      const width = mark.stroke.width * Math.min(Math.hypot(a, b), Math.hypot(c, d))
      if (width > 0) traits.thinnestLine = Math.min(traits.thinnestLine, width)
    }
    const face = mark.kind === 'text' ? faces.get(mark.font) : undefined
    if (mark.kind !== 'text' || !face) return
    const unclipped = extentOfText(mark, face, matrix)
    if (!unclipped) return
    const visible = clips.reduce<Rectangle | undefined>(
      (area, clip) => area && intersection(area, clip),
      unclipped,
    )
    traits.text.push({ unclipped, visible })
  }
  for (const mark of marks) visit(mark, identity, [])
  return traits
}

/** The rectangle around the glyphs of a text; undefined if they are empty. @param matrix from the text to the stage */
function extentOfText(
  { words, size }: Extract<Mark, { kind: 'text' }>,
  face: Face,
  matrix: Matrix,
): Rectangle | undefined {
  return united(
    words.flatMap((word) =>
      word.glyphs.flatMap((glyph) => {
        const extent = face.extent(glyph.id)
        if (!extent) return []
        const total = multiply(matrix, glyphMatrix(word, glyph, size))
        // If the glyph is upright, its rectangle is that of its outline.
        if (total[1] === 0 && total[2] === 0) return [boundsOf(total, extent)]
        return [extentOf(transformed(face.outline(glyph.id), total))]
      }),
    ),
  )
}

/** How far a rectangle lies within another on each side; negative beyond it. */
const insets = (inner: Rectangle, outer: Rectangle) => [
  inner.x - outer.x,
  inner.y - outer.y,
  outer.x + outer.width - inner.x - inner.width,
  outer.y + outer.height - inner.y - inner.height,
]

/** The smallest of the `insets`. */
const inset = (inner: Rectangle, outer: Rectangle) => Math.min(...insets(inner, outer))

/** Warns of text that its bounding box or the edge of the page cuts, or that is too near to the edge. */
function checkText({ element }: Placed, text: readonly TextExtent[], page: PageBox, warn: Warn): void {
  if (element.kind !== 'text') return
  const millimetresPerPixel = page.width / page.box.width
  const name = `The text ${quoted(element.text)}`
  const cut = Math.max(
    ...text.map(({ unclipped, visible }) => (visible ? -inset(unclipped, visible) : unclipped.width)),
    0,
  )
  if (cut * millimetresPerPixel > invisible) {
    const value = rounded(cut * millimetresPerPixel)
    warn('overflow', `${name} is larger than its bounding box, which cuts off ${value} mm.`, value)
  }
  const insetsOnPage = text.flatMap(({ visible }) =>
    visible && intersection(visible, bledBox(page)) ? [inset(visible, page.box)] : [],
  )
  const value = rounded(Math.min(...insetsOnPage) * millimetresPerPixel)
  if (value < -invisible) warn('margin', `${name} is cut by ${-value} mm at the edge of the page.`, value)
  else if (value < minMargin) {
    const message = `${name} is ${Math.max(0, value)} mm from the edge of the page; ${minMargin} mm are safe from an inexact cut.`
    warn('margin', message, value)
  }
}

/** A picture that reaches the edge must reach the end of the bleed, or an inexact cut leaves a white line. */
function checkBleed({ element, marks }: Placed, page: PageBox, warn: Warn): void {
  if (element.kind !== 'picture' || page.bleed === 0 || element.placement.angle % 90 !== 0) return
  const area = boundsOfMarks(marks.filter(({ kind }) => kind !== 'shadow'))
  if (!area || !intersection(area, page.box)) return
  const millimetresPerPixel = page.width / page.box.width
  const overhangs = insets(area, page.box).map((length) => -length * millimetresPerPixel)
  const tooShort = overhangs.filter((length) => length > -invisible && length < page.bleed - invisible)
  if (tooShort.length === 0) return
  const value = Math.max(0, rounded(Math.min(...tooShort)))
  const end = value === 0 ? 'at' : `${value} mm beyond`
  const message = `The picture ends ${end} the edge of the page and does not fill the bleed of ${page.bleed} mm.`
  warn('bleed', message, value)
}
