// Text of a PDF as paths instead of fonts. Each glyph is one form, however often it is shown.
import type { Face } from './face.ts'
import {
  glyphMatrix,
  isGradient,
  type PlacedGlyph,
  type PlacedWord,
  type Stroke,
  type TextMark,
} from './marks.ts'
import { plain, transformed } from './outline.ts'
import type { Document, Reference } from './pdf-document.ts'
import { pathText } from './pdf-finishing.ts'
import { lineText } from './pdf-operators.ts'

/** Units of an em in the forms. */
const em = 1000
/** Wider than any glyph with its line; forms are not clipped where nothing is. */
const box = [-32_000, -32_000, 32_000, 32_000]

type OutlineWriter = (mark: TextMark, face: Face) => (stroke?: Stroke) => string

/** Returns the operators that paint a text as paths: filled, or as a line, which is in the unit of the mark. */
export function outlineWriter(doc: Document): OutlineWriter {
  const forms = new Map<string, { name: string; ref: Reference } | undefined>()

  function formOf(face: Face, id: number, operator: string) {
    const key = `${operator} ${id} ${face.key}`
    if (forms.has(key)) return forms.get(key)
    const path = pathOf(face, id)
    const form = path === '' ? undefined : { name: `Glyph${forms.size + 1}`, ref: formFor(path, operator) }
    forms.set(key, form)
    return form
  }

  function formFor(path: string, operator: string): Reference {
    const ref = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: box, Resources: {} })
    ref.end(`${path} ${operator}`)
    return ref
  }

  return (mark, face) => (stroke) => {
    const unit = mark.size / em
    const operator = stroke ? 'S' : 'f'
    const paint = stroke ? stroke.paint : mark.fill
    // Programs differ in the space of a pattern that a form inherits.
    const isInline = paint !== undefined && isGradient(paint)
    const shown = (id: number): string => {
      if (isInline) return `${pathOf(face, id)} ${operator}`
      const form = formOf(face, id, operator)
      if (form) doc.page.xobjects[form.name] = form.ref
      return form ? `/${form.name} Do` : ''
    }
    const line = stroke ? `${lineText(scaled(stroke, 1 / unit))} ` : ''
    const words = mark.words.map((word) =>
      word.glyphs.map((glyph) => `q ${placeOf(word, glyph, unit)} cm ${shown(glyph.id)} Q`).join(' '),
    )
    return line + words.join(' ')
  }
}

const pathOf = (face: Face, id: number) => pathText(transformed(face.outline(id), [em, 0, 0, em, 0, 0]))

/** From the form of a glyph to the space of its mark. */
const placeOf = (word: PlacedWord, glyph: PlacedGlyph, unit: number) =>
  glyphMatrix(word, glyph, unit)
    .map((value) => plain(value, 6))
    .join(' ')

const scaled = (stroke: Stroke, by: number): Stroke => ({
  ...stroke,
  width: stroke.width * by,
  dash: stroke.dash.map((length) => length * by),
  dashOffset: stroke.dashOffset * by,
})
