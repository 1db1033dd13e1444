// Writes text of a PDF as paths instead of fonts. Each glyph becomes one form, however often it is shown.
import type { Face } from './face.ts'
import {
  glyphMatrix,
  isGradient,
  type PlacedGlyph,
  type PlacedWord,
  type Stroke,
  type TextMark,
} from './marks.ts'
import { decimal, transformed } from './outline.ts'
import type { Document, PdfObject } from './pdf-document.ts'
import { lineText, pathText } from './pdf-operators.ts'

/** Units of an em in the forms. */
const em = 1000
/** The box of all forms, larger than any glyph with its stroke, so that none is clipped. */
const box = [-32_000, -32_000, 32_000, 32_000]

/** Returns the operators that paint a text: filled without a stroke, else stroked. Adds the forms of its glyphs to the current page. */
type OutlineWriter = (mark: TextMark, face: Face, stroke?: Stroke) => string

/** Creates the writer of a document, which adds a form for each glyph that is painted. */
export function outlineWriter(doc: Document): OutlineWriter {
  /** Forms by operator, glyph and face; undefined for glyphs without an outline. */
  const forms = new Map<string, { name: string; ref: PdfObject } | undefined>()

  function formOf(face: Face, id: number, operator: string) {
    const key = `${operator} ${id} ${face.key}`
    if (forms.has(key)) return forms.get(key)
    const path = pathOf(face, id)
    const form = path === '' ? undefined : { name: `Glyph${forms.size + 1}`, ref: formFor(path, operator) }
    forms.set(key, form)
    return form
  }

  function formFor(path: string, operator: string): PdfObject {
    const ref = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: box, Resources: {} })
    ref.end(`${path} ${operator}`)
    return ref
  }

  return (mark, face, stroke) => {
    const unit = mark.size / em
    const operator = stroke ? 'S' : 'f'
    const paint = stroke ? stroke.paint : mark.fill
    // Programs disagree about the space of a gradient that a form inherits, so that its path is written without a form.
    const isInline = paint !== undefined && isGradient(paint)
    const painted = (id: number): string => {
      if (isInline) return `${pathOf(face, id)} ${operator}`
      const form = formOf(face, id, operator)
      if (form) doc.page.xobjects[form.name] = form.ref
      return form ? `/${form.name} Do` : ''
    }
    const line = stroke ? `${lineText(scaled(stroke, 1 / unit))} ` : ''
    const words = mark.words.map((word) =>
      word.glyphs.map((glyph) => `q ${glyphPlace(word, glyph, unit)} cm ${painted(glyph.id)} Q`).join(' '),
    )
    return line + words.join(' ')
  }
}

/** The path of a glyph in the units of the forms. */
const pathOf = (face: Face, id: number) => pathText(transformed(face.outline(id), [em, 0, 0, em, 0, 0]))

/** The matrix from the form of a glyph to the space of its mark, as numbers of `cm`. */
const glyphPlace = (word: PlacedWord, glyph: PlacedGlyph, unit: number) =>
  glyphMatrix(word, glyph, unit)
    .map((value) => decimal(value, 6))
    .join(' ')

/** The stroke in a unit that is smaller by a factor. */
const scaled = (stroke: Stroke, by: number): Stroke => ({
  ...stroke,
  width: stroke.width * by,
  dash: stroke.dash.map((length) => length * by),
  dashOffset: stroke.dashOffset * by,
})
