// Variable fonts: the weight of the variant, the optical size of each text, and what a PDF embeds of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create } from 'fontkit'
import t from 'tap'
import { faceOf } from '../../../src/renderer/font-face.ts'
import { withAxes } from '../../support/render/changed-fonts.ts'
import { printTask, renderHere, testSources, variableFont } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const inter = await variableFont()
const sources = await testSources()
const weighted = withAxes(inter, [
  ['wght', 100, 700, 900],
  ['slnt', -10, 0, 0],
])
const optical = withAxes(inter, [
  ['wght', 100, 400, 900],
  ['opsz', 10, 40, 40],
])

t.test('faceOf: a variable font is drawn at 400, and at 700 in the file of a bold variant', async (t) => {
  const [regular, bold] = [400, 700].map((weight) => faceOf({ key: 'F1', name: 'Inter', weight }, weighted))
  const standard = faceOf({ key: 'F1', name: 'Inter' }, inter)
  const word = 'Hamburg'
  t.ok(Math.abs((regular?.width(word) ?? 0) - (bold?.width(word) ?? 0)) > 0.05)
  t.equal(bold?.embedded(), weighted, 'the default instance is the file itself')
  t.equal(standard.embedded(), inter)
  t.not(regular?.embedded(), weighted)
})

/** Pixels at a size of 400 as Chromium measures them, with the weights 400 and 700. */
const montserratWidths: [text: string, regular: number, bold: number][] = [
  ['Hamburg', 1954.9, 1989.35],
  ['AVATAR To Way', 3136.96, 3339.42],
  ['Type Ré', 1594.8, 1674.4],
  ['Wave. T.', 1598.34, 1728.32],
  ['LT fi', 782.73, 848.4],
]

t.test('faceOf: Montserrat, whose default weight is 100, is as wide as in Chromium', async (t) => {
  const thin = readFileSync(
    join(import.meta.dirname, '../../support/fixtures/montserrat/Montserrat-subset.ttf'),
  )
  for (const [word, ...widths] of montserratWidths) {
    for (const [index, weight] of [400, 700].entries()) {
      const face = faceOf({ key: 'F1', name: 'Montserrat', weight }, thin)
      const difference = face.width(word) * 400 - (widths[index] ?? 0)
      t.ok(Math.abs(difference) < 0.0005 * (widths[index] ?? 0), `${word} at ${weight}: ${difference}`)
    }
  }
})

t.test('faceOf: bold is made on a variable font of weight 400, and not at 700', async (t) => {
  const made = (weight: number) =>
    faceOf({ key: 'F1', name: 'Inter', bold: true, weight }, weighted).made.bold
  t.same([made(400), made(700)], [true, false])
})

t.test('faceOf: texts of other sizes have other outlines, and are measured at 400 pixels', async (t) => {
  const face = faceOf({ key: 'F1', name: 'Inter' }, optical)
  const [small, large] = [face.sized?.(12), face.sized?.(60)]
  const letter = small?.shape({ text: 'H', isRightToLeft: false }).glyphs[0]?.id ?? 0
  t.notSame(small?.outline(letter), large?.outline(letter))
  t.same(small?.measured?.outline(letter), large?.outline(letter))
  t.not(small?.key, large?.key)
  t.equal(face.sized?.(12), small)
})

t.test('embedded: a font without variations that has the shaped glyphs under their ids', async (t) => {
  const face = faceOf({ key: 'F1', name: 'Inter', weight: 400 }, weighted)
  const { glyphs, width } = face.shape({ text: 'Aé', isRightToLeft: false })
  const file = create(Buffer.from(face.embedded()))
  if (!('layout' in file)) throw new Error('It is no font.')
  t.same(Object.keys(file.variationAxes), [])
  const advances = glyphs.map(({ id }) => file.getGlyph(id).advanceWidth)
  t.ok(Math.abs(advances.reduce((sum, each) => sum + each, 0) / file.unitsPerEm - width) < 0.01)
  for (const { id } of glyphs) t.ok(file.getGlyph(id).path.commands.length > 5)
})

t.test('render: distances between letters that may differ are a warning', async (t) => {
  const font = { family: 'Inter', bold: false, italic: false, bytes: weighted }
  const { outcome, bytes } = await renderHere(
    printTask,
    [viewWith(text('Hello', { fontFamily: 'Inter' }))],
    [font],
    sources,
  )
  t.match(outcome, {
    kind: 'done',
    report: { warnings: [{ code: 'font', message: /^The font "Inter" is variable/ }] },
  })
  t.ok(bytes.length < 40_000, 'the subset alone is embedded')
})
