// Checks before anything is painted: resolution, position, drawings that become pictures, and what a press cannot print well:
// lines too thin, text that is cut or too near the trim, pictures that end within the bleed.

import { boundsOfMarks } from './bounds.ts'
import type { Placed } from './compose.ts'
import type { KeptPicture } from './drawn-materials.ts'
import type { Face } from './face.ts'
import { glyphMatrix, type Mark } from './marks.ts'
import { boundsOf, common, identity, type Matrix, multiply, type Rectangle, united } from './matrix.ts'
import { extentOf, transformed } from './outline.ts'
import { picturesIn } from './output-limits.ts'
import { bledBox, type PageBox, pointsOf } from './page.ts'
import { pdfNotes } from './pdf-page-print.ts'
import { inkOfKept } from './picture-ink.ts'
import { isGrayPicture } from './picture-pixels.ts'
import { colorsIn, type PressTask, pressColors } from './press-colors.ts'
import { type FindingCode, type Findings, reportedTitle, shown } from './refusal.ts'
import { smallText, smallTextOf } from './small-text.ts'
import type { PageReport, PressLimits } from './task.ts'

/** What is checked. */
interface Checks {
  minDpi: number | undefined
  /** Undefined for previews. */
  press: PressLimits | undefined
  /** Whether pictures in CMYK stay so. */
  keepsCmyk: boolean
  /** Whether the format shows pages of customers' PDFs as vectors. */
  isVectors: boolean
  faces: ReadonlyMap<string, Face>
}

/**
 * Checks the elements of a page and adds warnings to the findings.
 * @param pages `siblings` are all pages that show the same elements: one for each print area
 * @returns the page as in the summary
 */
export function inspect(
  view: string,
  pages: { page: PageBox; siblings: readonly PageBox[] },
  placed: readonly Placed[],
  findings: Findings,
  { minDpi, press, keepsCmyk, isVectors, faces }: Checks,
): PageReport {
  const { page, siblings } = pages
  const isOn = ({ area }: Placed, on: PageBox) => common(area, bledBox(on)) !== undefined
  const isFirst = page === siblings[0]
  const isNowhere = (each: Placed) => !siblings.some((on) => isOn(each, on))
  // Elements of another page are reported there.
  const reported = placed.filter((each) => isOn(each, page) || (isFirst && isNowhere(each)))
  const elements = reported.map((each) => {
    const { element, pixels, isRasterized, isCmyk, note, pdf } = each
    const warn: Warn = (code, message, value) =>
      findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
    if (!isOn(each, page)) warn('box', 'The element lies outside of the printed box.')
    if (each.marks.length === 0 && element.kind === 'text' && element.text.trim() !== '')
      warn('feature', 'The text has neither a fill nor a stroke, and is not seen.')
    if (isRasterized) warn('drawing', 'The drawing is printed as a picture, not as vectors.')
    for (const { code, message } of pdf ? pdfNotes(pdf, { isForPress: keepsCmyk, isVectors }) : [])
      warn(code, message)
    if (note !== undefined) warn(element.kind === 'text' ? 'feature' : 'drawing', note)
    if (isCmyk && !keepsCmyk) warn('picture', 'The picture has CMYK colors, which are printed as RGB.')
    if (element.blend && keepsCmyk)
      warn(
        'feature',
        'The inks of the element are blended with those below it, which looks darker than on screen.',
      )
    const dpi = pixels
      ? Math.floor(pixels.file / ((pixels.stage * page.width) / page.box.width / 25.4))
      : null
    if (dpi !== null && minDpi !== undefined && dpi < minDpi) {
      warn('resolution', `The picture is printed at ${dpi} dpi; the print profile asks for ${minDpi}.`, dpi)
    }
    if (press && isOn(each, page)) {
      const seen = traitsOf(each.marks, faces)
      checkLine(seen.thinnest * (page.width / page.box.width), press, warn)
      checkText(each, seen.text, page, press, warn)
      checkBleed(each, page, warn)
    }
    return { title: reportedTitle(element.title), type: element.kind, dpi }
  })
  const { name, width, height, bleed } = page
  const area = name === undefined ? null : reportedTitle(name)
  return { view: reportedTitle(view), area, width, height, bleed, elements }
}

/** The limits if the print profile sets none. */
export const pressLimits: PressLimits = { line: 0.25, margin: 3 }

type Warn = (code: FindingCode, message: string, value?: number) => void

/** Millimetres that may be cut off without a warning, because that is not visible. */
const unseen = 0.1

const rounded = (value: number) => Math.round(value * 100) / 100

function checkLine(millimetres: number, limits: PressLimits, warn: Warn): void {
  const value = rounded((millimetres / 25.4) * 72)
  if (value < limits.line)
    warn('line', `A line is ${value} pt thin; at least ${limits.line} pt print well.`, value)
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

/** The texts and the thinnest line of an element. */
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

function checkText(
  { element }: Placed,
  text: readonly Inked[],
  page: PageBox,
  limits: PressLimits,
  warn: Warn,
): void {
  if (element.kind !== 'text') return
  const millimetre = page.width / page.box.width
  const what = `The text ${shown(element.text)}`
  const cut = Math.max(...text.map(({ whole, seen }) => (seen ? -inset(whole, seen) : whole.width)), 0)
  if (cut * millimetre > unseen) {
    const value = rounded(cut * millimetre)
    warn('overflow', `${what} is larger than its bounding box, which cuts off ${value} mm.`, value)
  }
  const onPage = text.flatMap(({ seen }) =>
    seen && common(seen, bledBox(page)) ? [inset(seen, page.box)] : [],
  )
  const value = rounded(Math.min(...onPage) * millimetre)
  if (value < -unseen) warn('margin', `${what} is cut by ${-value} mm at the edge of the page.`, value)
  else if (value < limits.margin) {
    const message = `${what} is ${Math.max(0, value)} mm from the edge of the page; ${limits.margin} mm are safe from an inexact cut.`
    warn('margin', message, value)
  }
}

/** A picture that reaches the edge must reach the end of the bleed, or an inexact cut leaves a white line. */
function checkBleed({ element, marks }: Placed, page: PageBox, warn: Warn): void {
  if (element.kind !== 'picture' || page.bleed === 0 || element.placement.angle % 90 !== 0) return
  const area = boundsOfMarks(marks.filter(({ kind }) => kind !== 'shadow'))
  if (!area || !common(area, page.box)) return
  const millimetre = page.width / page.box.width
  const beyond = insets(area, page.box).map((length) => -length * millimetre)
  const short = beyond.filter((length) => length > -unseen && length < page.bleed - unseen)
  if (short.length === 0) return
  const value = Math.max(0, rounded(Math.min(...short)))
  const end = value === 0 ? 'at' : `${value} mm beyond`
  const message = `The picture ends ${end} the edge of the page and does not fill the bleed of ${page.bleed} mm.`
  warn('bleed', message, value)
}

/** Warns of too much ink in one place, and of pictures whose colors have to be converted. @throws Undrawable if the profile does not convert */
export async function warnOfInk(
  pages: readonly { view: string; page: PageBox; placed: readonly Placed[] }[],
  pictures: ReadonlyMap<string, KeptPicture>,
  press: PressTask,
  findings: Findings,
): Promise<void> {
  const colors = await pressColors(
    pages.flatMap(({ placed }) => placed.flatMap(({ marks }) => marks)),
    press,
  )
  const { inks } = colors
  const measured = new Map<string, number>()
  for (const { view, page, placed } of pages) {
    for (const { element, marks } of placed) {
      const warn = (code: 'ink' | 'rgb', message: string, value?: number) =>
        findings.warn({ code, view, element: element.title, message, ...(value !== undefined && { value }) })
      const sums = colorsIn(marks).map((color) => inks(color).reduce((sum, ink) => sum + ink, 0))
      for (const key of picturesIn(marks, false)) {
        const picture = pictures.get(key)
        if (!picture) continue
        const ink = measured.get(key) ?? (await inkOfKept(picture, press.profile))
        measured.set(key, ink)
        sums.push(ink)
        if ('source' in picture && !picture.source.isCmyk && !isGrayPicture(picture.source))
          warn('rgb', 'The picture has RGB colors, which the output profile converts.')
      }
      const small = smallTextOf(marks, pointsOf(page), colors)
      if (small)
        warn(
          'ink',
          `Text of ${small.size} pt is printed in ${small.inks} inks; below ${smallText} pt one ink stays sharp.`,
          small.size,
        )
      const value = Math.round(Math.max(0, ...sums))
      if (value > press.maxInk)
        warn('ink', `All inks together cover ${value} %; at most ${press.maxInk} % are meant.`, value)
    }
  }
}
