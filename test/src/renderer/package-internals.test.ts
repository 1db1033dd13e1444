// Private members of fontkit and pdfkit that the renderer uses: a release that moves them must fail here first.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import PdfKit from 'pdfkit'
import t from 'tap'
import { internalsOf, tablesOf } from '../../../src/renderer/font-tables.ts'
import type { Document } from '../../../src/renderer/pdf-document.ts'

const montserrat = readFileSync(
  join(import.meta.dirname, '../../support/fixtures/montserrat/Montserrat-subset.ttf'),
)

t.test('fontkit: directory, glyph cache, layout rules and tables of a font', async (t) => {
  const font = create(montserrat) as Font
  const internals = internalsOf(font)
  t.match(tablesOf(font), { head: Object, glyf: Object })
  t.same(internals._glyphs, {})
  t.ok(font.layout('Ada').glyphs.length === 3)
  t.not(Object.keys(internals._glyphs).length, 0, 'the cache of glyphs')
  for (const processor of [
    internals._layoutEngine?.engine?.GSUBProcessor,
    internals._layoutEngine?.engine?.GPOSProcessor,
  ])
    t.type(Object.getPrototypeOf(processor).applyLookup, 'function')
  t.match(internals, { 'OS/2': { usWeightClass: Number, fsSelection: Object }, head: { macStyle: Object } })
})

t.test('pdfkit: matrix, catalog, identifier and selected font of a document', async (t) => {
  const doc = new PdfKit({ autoFirstPage: false }) as unknown as Document
  doc.addPage({ size: [100, 100], margin: 0 })
  t.same(doc._ctm, [1, 0, 0, -1, 0, 100])
  doc.transform(2, 0, 0, 2, 0, 0)
  t.same(doc._ctm.slice(0, 4), [2, 0, 0, -2])
  t.match(doc._root.data, { Type: 'Catalog' })
  t.ok(doc._id)
  doc.registerFont('Montserrat', montserrat)
  doc.font('Montserrat')
  t.match(doc._font, { id: String, subset: { includeGlyph: Function }, widths: Array, unicode: Array })
  t.type(doc._font.font.getGlyph(1).advanceWidth, 'number')
  doc.resume()
  doc.end()
})
