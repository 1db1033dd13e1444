// Writes the marks of pages, which write-pdf.ts adds, into a PDF: text in embedded subsets or as paths, pictures (pdf-picture.ts), vectors.
import { embedFont } from './embedded-font.ts'
import type { Face } from './face.ts'
import {
  type Blend,
  type GroupMark,
  isGradient,
  isOpaqueText,
  type Mark,
  type Paint,
  plainStroke,
  type ShadowMark,
  type Stroke,
  type TextMark,
} from './marks.ts'
import { identity, invert, type Matrix, mirrored, multiply, type Rectangle, translate } from './matrix.ts'
import { decimal, rectangle } from './outline.ts'
import { bledBox, bledSize, ontoPage, type PageBox } from './page.ts'
import { type PdfColors, pdfColors } from './pdf-colors.ts'
import { added, type Document, type PdfObject } from './pdf-document.ts'
import { cutText, pointsPerMm } from './pdf-finishing.ts'
import { blendText, clipText, lineText, pageFlip, pathText, wordText } from './pdf-operators.ts'
import { outlineWriter } from './pdf-outlines.ts'
import { type PdfPicture, pictureMatrix, pictureObject, whitePicture } from './pdf-picture.ts'
import type { PressColors } from './press-colors.ts'
import { sharpShadow } from './shadow.ts'

/** The fonts and pictures that marks name by their keys. */
export interface PdfResources {
  font(key: string): Face
  picture(key: string): PdfPicture
  /** The picture of a shadow that shapes cannot show, with its place on the stage; undefined if it is not on the page. */
  shadow(mark: ShadowMark): { key: string; x: number; y: number; width: number; height: number } | undefined
}

/** The colors of files for the press. */
export interface PressInks {
  colors: PressColors
  /** Whether black text is printed over the inks below it. */
  overprintBlack: boolean
}

/** How all pages are written. */
export interface WriterLook {
  mirror: boolean
  /** Whether text is drawn as paths, without fonts. */
  outlines: boolean
}

/** Writes onto the current page of a document. Objects that several pages use are added once. */
export class PdfWriter {
  readonly #doc: Document
  readonly #resources: PdfResources
  readonly #fonts = new Set<string>()
  readonly #pictures = new Map<string, { name: string; ref: PdfObject }>()
  readonly #colors: PdfColors
  readonly #overprintsBlack: boolean
  readonly #look: WriterLook
  readonly #outlines: ReturnType<typeof outlineWriter>
  /** Set by `finishing` while it writes the white underprint: the id of the white ink, with which all marks but shadows are painted then. */
  #white: string | undefined
  /** Forms that were added, for their names. */
  #forms = 0
  /** Set by `form` while it writes a page into a form: the matrix to the form, in which gradients are measured, and the form's box. */
  #space: { matrix: Matrix; box: number[] } | undefined
  /** The graphics state for transparent glyphs, once it is used. */
  #overlap: PdfObject | undefined

  constructor(doc: Document, resources: PdfResources, press: PressInks | undefined, look: WriterLook) {
    this.#doc = doc
    this.#resources = resources
    this.#colors = pdfColors(doc, press?.colors)
    this.#look = look
    this.#outlines = outlineWriter(doc)
    this.#overprintsBlack = press?.overprintBlack ?? false
  }

  /** Paints the marks of a page, clipped to its bleed. @param corner points from the edges of the PDF page to the bleed, to the right and down */
  page(marks: Mark[], page: PageBox, corner: number): void {
    const doc = this.#doc
    const { width, height } = bledSize(page)
    const upright = ontoPage(page, width * pointsPerMm, height * pointsPerMm)
    const placed = this.#look.mirror ? multiply(mirrored(width * pointsPerMm), upright) : upright
    const matrix = multiply(translate(corner, corner), placed)
    doc.save()
    doc.transform(...matrix)
    doc.addContent(`${pathText(rectangle(bledBox(page)))} W n`)
    for (const mark of marks) this.#mark(mark, matrix)
    doc.restore()
  }

  /**
   * A page of the design as a form with its finishing, for press sheets. It uses the resources of the current page, on later sheets, too.
   * @param matrix from the upright page with its bleed, in points, to the form, whose BBox is `box`
   */
  form(marks: Mark[], page: PageBox, matrix: Matrix, box: number[]): PdfObject {
    const doc = this.#doc
    const form = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: box, Resources: doc.page.resources })
    const [{ content }, outer] = [doc.page, doc._ctm]
    doc.page.content = form
    doc._ctm = [...identity]
    this.#space = { matrix, box }
    doc.save()
    doc.transform(...matrix)
    this.page(marks, page, 0)
    this.finishing(marks, page, page.bleed)
    doc.restore()
    this.#space = undefined
    doc._ctm = outer
    doc.page.content = content
    form.end()
    return form
  }

  /** Paints crop marks, targets and the word MIRROR, which are on every plate. @param text operators of lines on the page */
  registrationMarks(text: string): void {
    this.#isolated(`${this.#colors.registration()} ${text}`)
  }

  /** Writes operators whose settings do not affect what follows. */
  #isolated(content: string): void {
    this.#doc.save()
    this.#doc.addContent(content)
    this.#doc.restore()
  }

  /**
   * Paints the spot colors for finishing that the page has: white below all marks, though written after them, and the cutting line.
   * @param edge millimetres from the edge of the PDF page, or of the form, to the trim
   */
  finishing(marks: Mark[], page: PageBox, edge: number): void {
    const { whiteUnderprint, cutLine } = page.finishing
    const doc = this.#doc
    if (whiteUnderprint) {
      doc.save()
      doc.addContent(this.#colors.overprint())
      this.#white = this.#colors.separation(whiteUnderprint, [0, 0, 0, 5]) // Light gray on screens.
      this.page(marks, page, (edge - page.bleed) * pointsPerMm)
      this.#white = undefined
      doc.restore()
    }
    if (!cutLine) return
    const id = this.#colors.separation(cutLine, [0, 100, 0, 0]) // Magenta on screens.
    this.#isolated(`${this.#colors.overprint()} /${id} CS 1 SCN ${cutText(page, edge)}`)
  }

  /** @param total the current matrix of the page: from the mark to the page */
  #mark(mark: Mark, total: Matrix): void {
    if (mark.kind === 'group') this.#group(mark, total)
    else if (mark.kind === 'shadow') this.#shadow(mark, total)
    else if (mark.kind === 'picture') this.#picture(mark.picture, mark)
    else if (mark.kind === 'text') this.#text(mark, total)
    else {
      const path = pathText(mark.outline)
      this.#painted(mark.fill, 'fill', `${path} ${mark.rule === 'evenodd' ? 'f*' : 'f'}`)
      this.#stroked(mark.stroke, `${path} S`)
    }
  }

  #group({ matrix, clips = [], alpha = 1, blend, marks }: GroupMark, total: Matrix): void {
    const doc = this.#doc
    const draw = (outer: Matrix) => {
      doc.save()
      for (const clip of clips) doc.addContent(clipText(clip))
      if (matrix) doc.transform(...matrix)
      const inner = matrix ? multiply(outer, matrix) : outer
      for (const mark of marks) this.#mark(mark, inner)
      doc.restore()
    }
    if (alpha === 1 && !blend) draw(total)
    else if (alpha > 0) this.#faded({ alpha, blend }, total, draw)
  }

  /** Paints into a transparency group, which is then faded and blended as a whole; nothing if the matrix cannot be inverted. */
  #faded(
    { alpha, blend }: { alpha: number; blend?: Blend | undefined },
    total: Matrix,
    draw: (total: Matrix) => void,
  ): void {
    const doc = this.#doc
    const { page } = doc
    // The page's own space, in which gradients are measured, is also that of the group.
    const matrix = multiply(this.#space?.matrix ?? pageFlip(page), total)
    const back = invert(matrix)
    if (!back) return
    const form = doc.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: this.#space?.box ?? page.dictionary.data.MediaBox,
      Resources: page.resources,
      Group: { Type: 'Group', S: 'Transparency', ...(blend && { I: true }) },
    })
    const { content } = page
    page.content = form
    doc.addContent(`q ${matrix.map((value) => decimal(value, 6)).join(' ')} cm`)
    draw(total)
    doc.addContent('Q')
    page.content = content
    form.end()
    const name = `Fm${++this.#forms}`
    page.xobjects[name] = form
    doc.save()
    if (alpha < 1) doc.opacity(alpha)
    if (blend && this.#white === undefined) doc.addContent(blendText(doc, blend))
    doc.addContent(`${back.map((value) => decimal(value, 10)).join(' ')} cm /${name} Do`)
    doc.restore()
  }

  /** A shadow as shapes if they can show it, else as a picture. White ink is not printed below shadows. */
  #shadow(mark: ShadowMark, total: Matrix): void {
    if (mark.color.a === 0 || this.#white !== undefined) return
    const sharp = sharpShadow(mark)
    if (sharp) {
      this.#mark(sharp, total)
      return
    }
    const cast = this.#resources.shadow(mark)
    if (cast) this.#picture(cast.key, cast)
  }

  /** A picture that fills the area. While white ink is printed, its shape in that ink. */
  #picture(key: string, area: Rectangle): void {
    const picture = this.#resources.picture(key)
    const place = pictureMatrix(picture, area)
    const existing = this.#pictures.get(key)
    const name = existing?.name ?? `Im${this.#pictures.size + 1}`
    const ref = existing?.ref ?? pictureObject(this.#doc, picture)
    this.#pictures.set(key, { name, ref })
    const nameOnPage = this.#white === undefined ? name : `White${name}`
    const { xobjects, colorSpaces } = this.#doc.page
    if (this.#white === undefined) xobjects[nameOnPage] = ref
    else xobjects[nameOnPage] ??= whitePicture(this.#doc, picture, ref, colorSpaces[this.#white])
    this.#isolated(`${place.map((value) => decimal(value, 6)).join(' ')} cm /${nameOnPage} Do`)
  }

  /** Sets the paint and writes the operators that paint with it. */
  #painted(paint: Paint | undefined, use: 'fill' | 'stroke', content: string): void {
    if (!paint) return
    const doc = this.#doc
    doc.save()
    if (this.#white !== undefined) {
      doc.addContent(use === 'fill' ? `/${this.#white} cs 1 scn` : `/${this.#white} CS 1 SCN`)
      const alpha = isGradient(paint) ? 1 : paint.a
      if (use === 'fill') doc.fillOpacity(alpha)
      else doc.strokeOpacity(alpha)
    } else if (isGradient(paint)) this.#colors.setGradient(paint, use)
    else this.#colors.setColor(paint, use)
    doc.addContent(content)
    doc.restore()
  }

  #stroked(stroke: Stroke | undefined, content: string): void {
    if (stroke) this.#painted(stroke.paint, 'stroke', `${lineText(stroke)} ${content}`)
  }

  #text(mark: TextMark, total: Matrix): void {
    const doc = this.#doc
    const { fill, bolder } = mark
    if (fill && bolder > 0 && !isGradient(fill) && fill.a < 1) {
      // The fill and the stroke that makes it bold overlap, which would show in transparent text.
      this.#faded({ alpha: fill.a }, total, (inner) =>
        this.#text({ ...mark, fill: { ...fill, a: 1 } }, inner),
      )
      return
    }
    const face = this.#resources.font(mark.font)
    const asPaths = (line?: Stroke) => this.#outlines(mark, face, line)
    const glyphs = this.#look.outlines ? asPaths : this.#fontText(mark, face)
    if (!isOpaqueText(mark)) {
      this.#overlap ??= added(doc, { Type: 'ExtGState', TK: false })
      doc.page.ext_gstates[overlapState] ??= this.#overlap
    }
    const overprint = this.#overprintsBlack && isBlack(fill) ? `${this.#colors.overprint()} ` : ''
    const state = isOpaqueText(mark) ? overprint : `/${overlapState} gs `
    const stroke = (line: Stroke) => this.#stroked(line, state + glyphs(line))
    if (mark.fill) this.#painted(mark.fill, 'fill', state + glyphs())
    if (mark.stroke) stroke(mark.stroke)
    // A stroke in the color of the fill makes the text bold; text.ts makes bold gradients as shapes.
    if (mark.fill && mark.bolder > 0 && !isGradient(mark.fill)) stroke(plainStroke(mark.fill, mark.bolder))
  }

  /** Embeds the font, and returns the operators that paint the text with it: filled without a stroke, else stroked. */
  #fontText(mark: TextMark, face: Face): (stroke?: Stroke) => string {
    const doc = this.#doc
    if (this.#fonts.has(mark.font)) doc.font(mark.font)
    else embedFont(doc, face)
    this.#fonts.add(mark.font)
    const font = doc._font
    doc.page.fonts[font.id] ??= font.ref()
    const words = mark.words.map((word) => wordText(font, word, mark)).join(' ')
    return (stroke) => `BT /${font.id} ${decimal(mark.size, 6)} Tf ${stroke ? 1 : 0} Tr ${words} ET`
  }
}

const isBlack = (paint: Paint | undefined) =>
  paint !== undefined && !isGradient(paint) && paint.a === 1 && paint.r + paint.g + paint.b === 0

/** The name of the graphics state in which overlapping transparent glyphs both show, as in a browser (PDF 32000-1 §9.3.8, TK). */
const overlapState = 'GsOverlap'
