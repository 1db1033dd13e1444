// Symbol fonts, whose glyphs browsers show at the characters U+0020 to U+00FF, and letters of formulas.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create } from 'fontkit'
import t from 'tap'
import { checkTrueType } from '../../../src/files/font/check.ts'
import { withSymbolCharacters } from '../../../src/files/font/symbols.ts'
import { faceOf } from '../../../src/renderer/font-face.ts'
import { symbolic } from '../../support/render/changed-fonts.ts'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = join(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts')
const plain = readFileSync(join(fonts, 'LiberationSans-Regular.ttf'))
const [symbols, withMac] = [symbolic(plain, false), symbolic(plain, true)]

t.test('withSymbolCharacters: a font with characters is returned unchanged', async (t) => {
  t.equal(withSymbolCharacters(plain), plain)
})

t.test(
  'faceOf: a symbol font shows its glyphs at characters up to U+00FF, and at their own codes',
  async (t) => {
    const standard = faceOf({ key: 'F1', name: 'Plain' }, plain)
    for (const bytes of [symbols, withMac]) {
      const face = faceOf({ key: 'F1', name: 'Symbols' }, bytes)
      const glyphsOf = (word: string) =>
        face.shape({ text: word, isRightToLeft: false }).glyphs.map(({ id }) => id)
      const expected = standard.shape({ text: 'Haé', isRightToLeft: false }).glyphs.map(({ id }) => id)
      t.same(glyphsOf('Haé'), expected)
      t.same(glyphsOf('\uf048\uf061\uf0e9'), expected)
      t.notOk(face.covers('Ω'))
    }
  },
)

t.test('checkTrueType: a symbol font is taken', async (t) => {
  t.doesNotThrow(() => checkTrueType(symbols))
  t.doesNotThrow(() => checkTrueType(withMac))
  const broken = Buffer.from(symbols)
  broken.fill(0xff, broken.indexOf('cmap') + 8, broken.indexOf('cmap') + 12)
  t.throws(() => checkTrueType(broken), { code: 'svc_upload_rejected' })
})

t.test('render: a PDF embeds the glyphs of a symbol font', async (t) => {
  const font = { family: 'Symbols', bold: false, italic: false, bytes: symbols }
  const design = [viewWith(text('Ha', { fontFamily: 'Symbols' }))]
  const { outcome, bytes } = await renderHere(printTask, design, [font], {})
  t.match(outcome, { kind: 'done', report: { warnings: [] } })
  t.ok(bytes.length > 3000)
})

t.test('render: letters of formulas are printed in a font that has them, with a warning', async (t) => {
  const design = [viewWith(text('𝓐𝓷𝓷𝓪'))]
  const { outcome } = await renderHere(printTask, design, await testFonts(), {})
  t.match(outcome, { kind: 'done' })
  const { warnings } = outcome.kind === 'done' ? outcome.report : { warnings: [] }
  t.match(warnings, [{ code: 'glyph', message: /lacks 𝓐 𝓷 𝓪, which is printed in "DejaVu Math TeX Gyre"/ }])
})

t.test('embedded: the file of a symbol font has its glyphs at characters', async (t) => {
  const file = create(Buffer.from(faceOf({ key: 'F1', name: 'Symbols' }, symbols).embedded()))
  t.ok('hasGlyphForCodePoint' in file && file.hasGlyphForCodePoint(0x41))
})
