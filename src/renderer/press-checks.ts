// What a press cannot print well: lines too thin, text that is cut or too near the trim, pictures that end within the bleed.
import { boundsOfMarks } from './bounds.ts'
import type { Placed } from './compose.ts'
import type { Face } from './face.ts'
import { glyphMatrix, type Mark } from './marks.ts'
import { boundsOf, common, identity, type Matrix, multiply, type Rectangle, united } from './matrix.ts'
import { extentOf, transformed } from './outline.ts'
import { bledBox, type PageBox } from './page.ts'
import { type FindingCode, shown } from './refusal.ts'
import type { PressLimits } from './task.ts'

export const pressLimits: PressLimits = { line: 0.25, margin: 3 }

interface Fault {
  code: FindingCode
  message: string
  value: number
}

/** Millimetres by which something may be cut off unseen. */
const unseen = 0.1

/** @param faces by the keys of the marks */
export function pressFaults(
  placed: Placed,
  page: PageBox,
  faces: ReadonlyMap<string, Face>,
  limits: PressLimits,
): Fault[] {
  const millimetre = page.width / page.box.width
  const seen = traitsOf(placed.marks, faces)
  return [
    ...lineFaults(seen.thinnest * millimetre, limits),
    ...textFaults(placed, seen.text, page, limits),
    ...bleedFaults(placed, page),
  ]
}

const rounded = (value: number) => Math.round(value * 100) / 100

function lineFaults(millimetres: number, limits: PressLimits): Fault[] {
  const value = rounded((millimetres / 25.4) * 72)
  if (value >= limits.line) return []
  return [
    { code: 'line', value, message: `A line is ${value} pt thin; at least ${limits.line} pt print well.` },
  ]
}

interface Inked {
  /** Around the glyphs on the stage. */
  whole: Rectangle
  /** The part within all clips. */
  seen: Rectangle | undefined
}

interface Traits {
  text: Inked[]
  /** Width of the thinnest line on the stage; infinite if there is none. */
  thinnest: number
}

function traitsOf(marks: readonly Mark[], faces: ReadonlyMap<string, Face>): Traits {
  const traits: Traits = { text: [], thinnest: Number.POSITIVE_INFINITY }
  const visit = (mark: Mark, matrix: Matrix, clips: readonly Rectangle[]) => {
    if (mark.kind === 'shadow' || mark.kind === 'picture') return
    if (mark.kind === 'group') {
      const inner = mark.matrix ? multiply(matrix, mark.matrix) : matrix
      const own = (mark.clips ?? []).map(({ outline }) => extentOf(transformed(outline, matrix)))
      for (const each of mark.marks) visit(each, inner, [...clips, ...own])
      return
    }
    if (mark.stroke && mark.stroke.width > 0) {
      // Of a distorted line, its thinnest part.
      const [a, b, c, d] = matrix
      const width = mark.stroke.width * Math.min(Math.hypot(a, b), Math.hypot(c, d))
      if (width > 0) traits.thinnest = Math.min(traits.thinnest, width)
    }
    const face = mark.kind === 'text' ? faces.get(mark.font) : undefined
    if (mark.kind !== 'text' || !face) return
    const whole = united(
      mark.words.flatMap((word) =>
        word.glyphs.flatMap((glyph) => {
          const own = face.extent(glyph.id)
          if (!own) return []
          const total = multiply(matrix, glyphMatrix(word, glyph, mark.size))
          // Upright, the rectangle of a glyph is that of its outline.
          if (total[1] === 0 && total[2] === 0) return [boundsOf(total, own)]
          return [extentOf(transformed(face.outline(glyph.id), total))]
        }),
      ),
    )
    if (!whole) return
    const seen = clips.reduce<Rectangle | undefined>((area, clip) => area && common(area, clip), whole)
    traits.text.push({ whole, seen })
  }
  for (const mark of marks) visit(mark, identity, [])
  return traits
}

/** How far a rectangle lies within another on each side; negative beyond it. */
const insets = (inner: Rectangle, outer: Rectangle) => [
  inner.x - outer.x,
  inner.y - outer.y,
  outer.x + outer.width - inner.x - inner.width,
  outer.y + outer.height - inner.y - inner.height,
]

/** The same where it is nearest to the edge. */
const inset = (inner: Rectangle, outer: Rectangle) => Math.min(...insets(inner, outer))

function textFaults(placed: Placed, text: readonly Inked[], page: PageBox, limits: PressLimits): Fault[] {
  const { element } = placed
  if (element.kind !== 'text') return []
  const millimetre = page.width / page.box.width
  const what = `The text ${shown(element.text)}`
  const faults: Fault[] = []
  const cut = Math.max(...text.map(({ whole, seen }) => (seen ? -inset(whole, seen) : whole.width)), 0)
  if (cut * millimetre > unseen) {
    const value = rounded(cut * millimetre)
    faults.push({
      code: 'overflow',
      value,
      message: `${what} is larger than its bounding box, which cuts off ${value} mm.`,
    })
  }
  const onPage = text.flatMap(({ seen }) =>
    seen && common(seen, bledBox(page)) ? [inset(seen, page.box)] : [],
  )
  const value = rounded(Math.min(...onPage) * millimetre)
  if (value < -unseen)
    faults.push({ code: 'margin', value, message: `${what} is cut by ${-value} mm at the edge of the page.` })
  else if (value < limits.margin) {
    const message = `${what} is ${Math.max(0, value)} mm from the edge of the page; ${limits.margin} mm are safe from an inexact cut.`
    faults.push({ code: 'margin', value, message })
  }
  return faults
}

/** A picture that reaches the edge must reach the end of the bleed, or an inexact cut leaves a white line. */
function bleedFaults({ element, marks }: Placed, page: PageBox): Fault[] {
  if (element.kind !== 'picture' || page.bleed === 0 || element.placement.angle % 90 !== 0) return []
  const area = boundsOfMarks(marks.filter(({ kind }) => kind !== 'shadow'))
  if (!area || !common(area, page.box)) return []
  const millimetre = page.width / page.box.width
  const beyond = insets(area, page.box).map((length) => -length * millimetre)
  const short = beyond.filter((length) => length > -unseen && length < page.bleed - unseen)
  if (short.length === 0) return []
  const value = Math.max(0, rounded(Math.min(...short)))
  const end = value === 0 ? 'at' : `${value} mm beyond`
  const message = `The picture ends ${end} the edge of the page and does not fill the bleed of ${page.bleed} mm.`
  return [{ code: 'bleed', value, message }]
}
