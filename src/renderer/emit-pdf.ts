// Pages as one PDF: text as text in embedded subsets, JPEG bytes unchanged, everything else as vectors.
import {
  type Clip,
  isGradient,
  isOpaque,
  type Mark,
  type Paint,
  plainStroke,
  type ShadowMark,
  type Stroke,
  type TextMark,
} from './marks.ts'
import { invert, type Matrix, multiply } from './matrix.ts'
import { type Outline, plain } from './outline.ts'
import { bledBox, ontoPage, type PageBox } from './page.ts'
import type { Document, Reference } from './pdf-document.ts'
import { type PdfPicture, pictureObject } from './pdf-picture.ts'
import { wordText } from './pdf-text.ts'
import { sharpShadow } from './shadow.ts'

export interface PdfInks {
  /** Bytes of a font file. */
  font(key: string): Uint8Array
  picture(key: string): PdfPicture
  /** A shadow that only pixels can show, and its position on the stage. */
  shadow(mark: ShadowMark): { key: string; x: number; y: number; width: number; height: number } | undefined
}

export interface PdfPage {
  page: PageBox
  marks: Mark[]
}

/** Points per millimetre. */
const point = 72 / 25.4
/** Crop marks around the bleed, in millimetres: start and end. */
const marginWithMarks = 7
const [markFrom, markTo] = [1, 6]

const hasMarks = ({ bleed }: PageBox, hideMarks: boolean) => bleed > 0 && !hideMarks

/** Writes the pages, and ends the document. */
export function writePdf(
  doc: Document,
  pages: PdfPage[],
  inks: PdfInks,
  { hideMarks, id }: { hideMarks: boolean; id: Buffer },
): void {
  // The file contains neither a time nor random values: the same design gives the same bytes.
  delete doc.info.CreationDate
  doc.endMetadata = () => {}
  doc._id = id
  const writer = new Writer(doc, inks)
  for (const { page, marks } of pages) {
    const slug = hasMarks(page, hideMarks) ? marginWithMarks : 0
    const edge = page.bleed + slug
    const size: [number, number] = [(page.width + 2 * edge) * point, (page.height + 2 * edge) * point]
    doc.addPage({ size, margin: 0 })
    const box = (from: number) => [from * point, from * point, size[0] - from * point, size[1] - from * point]
    Object.assign(doc.page.dictionary.data, { BleedBox: box(slug), TrimBox: box(edge) })
    const [width, height] = [(page.width + 2 * page.bleed) * point, (page.height + 2 * page.bleed) * point]
    writer.page(
      marks,
      multiply([1, 0, 0, 1, slug * point, slug * point], ontoPage(page, width, height)),
      page,
    )
    if (slug > 0) writer.cropMarks(page, edge)
  }
  doc.end()
}

class Writer {
  readonly #doc: Document
  readonly #inks: PdfInks
  readonly #fonts = new Set<string>()
  readonly #pictures = new Map<string, { name: string; ref: Reference }>()
  #forms = 0
  #overlap: Reference | undefined

  constructor(doc: Document, inks: PdfInks) {
    this.#doc = doc
    this.#inks = inks
  }

  page(marks: Mark[], matrix: Matrix, page: PageBox): void {
    const doc = this.#doc
    doc.save()
    doc.transform(...matrix)
    const { x, y, width, height } = bledBox(page)
    doc.addContent(
      `${this.#move(x, y)} ${this.#move(x + width, y, 'l')} ${this.#move(x + width, y + height, 'l')} ${this.#move(x, y + height, 'l')} h W n`,
    )
    for (const mark of marks) this.#mark(mark, matrix)
    doc.restore()
  }

  #move = (x: number, y: number, operator = 'm') => `${plain(x, 5)} ${plain(y, 5)} ${operator}`

  cropMarks({ width, height, bleed }: PageBox, edge: number): void {
    const doc = this.#doc
    const [right, bottom] = [edge + width, edge + height]
    const [near, far] = [bleed + markFrom, bleed + markTo]
    const lines = [edge, right].flatMap((x) => [
      [x, edge - far, x, edge - near],
      [x, bottom + near, x, bottom + far],
    ])
    lines.push(
      ...[edge, bottom].flatMap((y) => [
        [edge - far, y, edge - near, y],
        [right + near, y, right + far, y],
      ]),
    )
    doc.save()
    const path = lines.map(
      ([a = 0, b = 0, c = 0, d = 0]) =>
        `${this.#move(a * point, b * point)} ${this.#move(c * point, d * point, 'l')}`,
    )
    doc.addContent(`0 G 0.25 w ${path.join(' ')} S`)
    doc.restore()
  }

  /** @param total from the mark to the page, as it is in force */
  #mark(mark: Mark, total: Matrix): void {
    if (mark.kind === 'group') this.#group(mark, total)
    else if (mark.kind === 'shadow') this.#shadow(mark, total)
    else if (mark.kind === 'picture') this.#picture(mark.picture, mark.x, mark.y, mark.width, mark.height)
    else if (mark.kind === 'text') this.#text(mark, total)
    else {
      const path = pathText(mark.outline)
      this.#inked(mark.fill, 'fill', () => `${path} ${mark.rule === 'evenodd' ? 'f*' : 'f'}`)
      this.#lined(mark.stroke, () => `${path} S`)
    }
  }

  #group({ matrix, clips = [], alpha = 1, marks }: Extract<Mark, { kind: 'group' }>, total: Matrix): void {
    const doc = this.#doc
    const draw = (outer: Matrix) => {
      doc.save()
      for (const clip of clips) doc.addContent(clipText(clip))
      if (matrix) doc.transform(...matrix)
      const inner = matrix ? multiply(outer, matrix) : outer
      for (const mark of marks) this.#mark(mark, inner)
      doc.restore()
    }
    if (alpha === 1) draw(total)
    else if (alpha > 0) this.#faded(alpha, total, draw)
  }

  /** Paints into a transparency group, which is then faded as a whole. */
  #faded(alpha: number, total: Matrix, draw: (total: Matrix) => void): void {
    const doc = this.#doc
    const { page } = doc
    // The page's own space, in which gradients are measured, is also that of the group.
    const own = multiply(pageFlip(page), total)
    const back = invert(own)
    if (!back) return
    const form = doc.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: page.dictionary.data.MediaBox,
      Resources: page.resources,
      Group: { Type: 'Group', S: 'Transparency' },
    })
    const { content } = page
    page.content = form
    doc.addContent(`q ${own.map((value) => plain(value, 6)).join(' ')} cm`)
    draw(total)
    doc.addContent('Q')
    page.content = content
    form.end()
    const name = `Fm${++this.#forms}`
    page.xobjects[name] = form
    doc.save()
    doc.opacity(alpha)
    doc.addContent(`${back.map((value) => plain(value, 10)).join(' ')} cm /${name} Do`)
    doc.restore()
  }

  #shadow(mark: ShadowMark, total: Matrix): void {
    if (mark.color.a === 0) return
    const sharp = sharpShadow(mark)
    if (sharp) {
      this.#mark(sharp, total)
      return
    }
    const cast = this.#inks.shadow(mark)
    if (cast) this.#picture(cast.key, cast.x, cast.y, cast.width, cast.height)
  }

  #picture(key: string, x: number, y: number, width: number, height: number): void {
    const known = this.#pictures.get(key)
    const { name, ref } = known ?? {
      name: `Im${this.#pictures.size + 1}`,
      ref: pictureObject(this.#doc, this.#inks.picture(key)),
    }
    if (!known) this.#pictures.set(key, { name, ref })
    this.#doc.page.xobjects[name] = ref
    this.#doc.save()
    this.#doc.addContent(
      `${[width, 0, 0, -height, x, y + height].map((value) => plain(value, 6)).join(' ')} cm /${name} Do`,
    )
    this.#doc.restore()
  }

  #inked(paint: Paint | undefined, use: 'fill' | 'stroke', content: () => string): void {
    if (!paint) return
    const doc = this.#doc
    doc.save()
    if (isGradient(paint)) {
      const { kind, coords, stops, matrix } = paint
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = coords
      const gradient =
        kind === 'linear' ? doc.linearGradient(a, b, c, d) : doc.radialGradient(a, b, 0, c, d, e)
      for (const { offset, color } of stops) gradient.stop(offset, [color.r, color.g, color.b], color.a)
      gradient.setTransform(...matrix)
      if (use === 'fill') doc.fillColor(gradient)
      else doc.strokeColor(gradient)
    } else {
      const { r, g, b, a } = paint
      if (use === 'fill') doc.fillColor([r, g, b], a)
      else doc.strokeColor([r, g, b], a)
    }
    doc.addContent(content())
    doc.restore()
  }

  #lined(stroke: Stroke | undefined, content: () => string): void {
    if (!stroke) return
    const { width, cap, join, miter, dash, dashOffset } = stroke
    const caps = { butt: 0, round: 1, square: 2 }[cap]
    const joins = { miter: 0, round: 1, bevel: 2 }[join]
    const dashes =
      dash.length > 0 ? ` [${dash.map((each) => plain(each)).join(' ')}] ${plain(dashOffset)} d` : ''
    const how = `${plain(width, 6)} w ${caps} J ${joins} j ${plain(Math.max(1, miter))} M${dashes}`
    this.#inked(stroke.paint, 'stroke', () => `${how} ${content()}`)
  }

  #overlapping(): Reference {
    if (!this.#overlap) {
      this.#overlap = this.#doc.ref({ Type: 'ExtGState', TK: false })
      this.#overlap.end()
    }
    return this.#overlap
  }

  #text(mark: TextMark, total: Matrix): void {
    const doc = this.#doc
    const { fill, bolder } = mark
    if (fill && bolder > 0 && !isGradient(fill) && fill.a < 1) {
      // Fill and line overlap, which must not be seen.
      this.#faded(fill.a, total, (inner) => this.#text({ ...mark, fill: { ...fill, a: 1 } }, inner))
      return
    }
    if (!this.#fonts.has(mark.font)) {
      doc.registerFont(mark.font, this.#inks.font(mark.font))
      this.#fonts.add(mark.font)
    }
    doc.font(mark.font)
    const font = doc._font
    doc.page.fonts[font.id] ??= font.ref()
    const words = mark.words.map((word) => wordText(font, word, mark)).join(' ')
    if (!isOpaque(mark)) doc.page.ext_gstates[overlaps] ??= this.#overlapping()
    const start = isOpaque(mark) ? '' : `/${overlaps} gs `
    const text = (mode: number) => `${start}BT /${font.id} ${plain(mark.size, 6)} Tf ${mode} Tr ${words} ET`
    this.#inked(mark.fill, 'fill', () => text(0))
    this.#lined(mark.stroke, () => text(1))
    // The same again as a line; a gradient is left as it is.
    if (mark.fill && mark.bolder > 0 && !isGradient(mark.fill))
      this.#lined(plainStroke(mark.fill, mark.bolder), () => text(1))
  }
}

/** Name of the state in which transparent glyphs that overlap are both seen, as in a browser. */
const overlaps = 'GsOverlap'

/** PDF measures upwards from the lower edge; PDFKit turns this at the beginning of each page. */
function pageFlip(page: Document['page']): Matrix {
  const box = page.dictionary.data.MediaBox
  return [1, 0, 0, -1, 0, Array.isArray(box) ? Number(box[3]) : 0]
}

function pathText(outline: Outline): string {
  return outline
    .map((segment) => {
      if (segment[0] === 'Z') return 'h'
      const [name, ...values] = segment
      return `${values.map((value) => plain(value, 5)).join(' ')} ${name.toLowerCase()}`
    })
    .join(' ')
}

const clipText = ({ outline, rule }: Clip) => `${pathText(outline)} ${rule === 'evenodd' ? 'W*' : 'W'} n`
