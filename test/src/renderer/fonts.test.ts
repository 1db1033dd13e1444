// Which font a text is printed in: the uploaded one, a substitute, a style made from another, a fallback for single characters.
import t from 'tap'
import { fontChooser } from '../../../src/renderer/font-choice.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()
const plain = { bold: false, italic: false }
const lax = { substitutes: { Brand: 'Roboto' }, strict: false }
const families = [
  { name: 'Roboto', file: 'Roboto.ttf', variants: { italic: 'Roboto__italic.ttf' } },
  { name: 'Open Sans', file: 'Open_Sans.ttf', variants: { bold: 'Open_Sans__bold.ttf' } },
]
const chosen = (family: string, style: object = {}, settings = lax) =>
  fontChooser(families, settings)({ family, ...plain, ...style })

t.test('the first family of a list that can be drawn is taken', (t) => {
  for (const list of ['Roboto', 'roboto, sans-serif', '"Roboto", Arial', 'Roboto, Open Sans']) {
    t.match(chosen(list), { source: { file: 'Roboto.ttf' }, notes: [], synthetic: plain }, list)
  }
  t.match(chosen('Gone, Open_Sans'), { source: { file: 'Open_Sans.ttf' }, substitute: 'Open Sans' })
  t.match(chosen('Brand'), { source: { file: 'Roboto.ttf' }, substitute: 'Roboto' })
  t.match(chosen('Gone, Lost'), { cause: 'The font "Gone, Lost" is not uploaded.' })
  t.end()
})

t.test('common fonts have substitutes of the same widths, which are named', (t) => {
  for (const [name, family] of [
    ['Arial', 'Arimo'],
    ['helvetica', 'Arimo'],
    ['Times New Roman', 'Tinos'],
    ['Courier', 'Cousine'],
    ['Georgia', 'Gelasio'],
    ['Verdana', 'DejaVu Sans'],
    ['Geneva', 'DejaVu Sans'],
    ['Gone, serif', 'Tinos'],
    ['Calibri', 'Carlito'],
    ['Cambria', 'Caladea'],
    ['Comic Sans MS', 'Comic Relief'],
    ['Impact', 'Anton'],
    ['Palatino Linotype', 'Gelasio'],
    ['Trebuchet MS', 'Arimo'],
  ] as const) {
    t.match(chosen(name, { bold: true, italic: true }), {
      source: { path: /\.ttf$/ },
      substitute: family,
      notes: [new RegExp(`"${family}"(?:, of (?:the same|similar) widths,)? is printed in its place`)],
    })
  }
  t.match(chosen('Calibri'), { notes: [/of the same widths/] })
  t.match(chosen('Tahoma'), { notes: [/of similar widths/] })
  t.match(chosen('Comic Sans MS', { bold: true, italic: true }), { synthetic: { bold: false, italic: true } })
  t.match(chosen('Impact', { bold: true }), { synthetic: { bold: true, italic: false } })
  t.same(chosen('Arial', {}, { ...lax, strict: true }), { cause: 'The font "Arial" is not uploaded.' })
  t.end()
})

t.test(
  'fontChooser: fonts of systems without a free twin are printed in the nearest one, with a warning',
  (t) => {
    t.match(chosen('Arial Black'), {
      source: { path: /Arimo_700Bold/ },
      substitute: 'Arimo',
      notes: [/"Arial Black" is not uploaded; "Arimo", of other widths, is printed/],
    })
    t.match(chosen('Brush Script MT'), { source: { path: /ComicRelief/ }, notes: [/of other widths/] })
    t.match(chosen('Century Gothic'), { source: { path: /Arimo_400Regular/ }, notes: [/of other widths/] })
    t.match(chosen('Meiryo', { bold: true }), {
      source: { path: /NotoSansJP_700Bold/ },
      substitute: 'Noto Sans JP',
    })
    t.end()
  },
)

t.test(
  'fontChooser: a family of an installed package is printed under its own name, without a warning',
  (t) => {
    const found = chosen('Noto Sans JP')
    t.match(found, { source: { path: /NotoSansJP_400Regular/ }, notes: [] })
    t.notOk('substitute' in found)
    t.strictSame(chosen('Arimo', { bold: true }), { ...chosen('Arimo', { bold: true }), notes: [] })
    t.end()
  },
)

t.test('a style that lacks is made from the nearest one', (t) => {
  const made = (bold: boolean, italic: boolean) => ({ synthetic: { bold, italic } })
  t.match(chosen('Roboto', { bold: true }), { source: { file: 'Roboto.ttf' }, ...made(true, false) })
  t.match(chosen('Roboto', { bold: true, italic: true }), {
    source: { file: 'Roboto__italic.ttf' },
    ...made(true, false),
  })
  t.match(chosen('Open Sans', { bold: true, italic: true }), {
    source: { file: 'Open_Sans__bold.ttf' },
    ...made(false, true),
  })
  t.match(chosen('Open Sans', { italic: true }), {
    notes: [],
    lacking: 'The font "Open Sans" has no variant italic',
    ...made(false, true),
  })
  t.end()
})

t.test('substitutes, made styles and single characters of other fonts are warnings', async (t) => {
  const view = viewWith(
    text('Hello', { fontFamily: 'Arial' }),
    text('Bold', { fontFamily: 'DejaVu Serif', fontWeight: 'bold' }),
    text('Party 🦄 ★'),
  )
  const { outcome } = await renderHere(printTask, [view], fonts, sources)
  t.match(outcome, {
    kind: 'done',
    report: {
      warnings: [
        { code: 'font', message: /^The font "Arial" is not uploaded; "Arimo"/ },
        { code: 'font', message: /^The font "DejaVu Serif" has no variant bold/ },
        { code: 'glyph', message: 'The font "Liberation Sans" lacks ★, which is printed in "DejaVu Sans".' },
        { code: 'glyph', message: 'The font "Liberation Sans" lacks 🦄, which is printed in "Noto Emoji".' },
      ],
    },
  })
})

t.test('foreign writing that a font lacks is printed in a font of that writing', async (t) => {
  const lines = { สวัสดี: 'Thai', नमस्ते: 'Devanagari', こんにちは世界: 'JP', 世界: 'JP' }
  for (const [line, font] of Object.entries(lines)) {
    const { outcome } = await renderHere(printTask, [viewWith(text(line))], fonts, sources)
    const message = new RegExp(`lacks .+, which (?:is|are) printed in "Noto Sans ${font}"`)
    t.match(outcome, { kind: 'done', report: { warnings: [{ code: 'glyph', message }] } }, line)
  }
  const strict = await renderHere(printTask, [viewWith(text('สวัสดี'))], fonts, sources, true)
  t.equal(strict.outcome.kind, 'refused')
})

const drawn = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">${inner}</svg>`)
const printDrawing = (inner: string, strict = false) => {
  const element = { title: 'clip', source: 'clip.svg', type: 'image', parameters: { left: 200, top: 150 } }
  return renderHere(printTask, [viewWith(element)], fonts, { 'clip.svg': drawn(inner) }, strict)
}

t.test('text in a drawing is printed in its font, or in what browsers show in its place', async (t) => {
  const own = await printDrawing('<text x="5" y="30" font-family="Liberation Sans">Words</text>')
  t.match(own.outcome, {
    kind: 'done',
    report: { warnings: [], fonts: [{ substitute: null, missing: false }] },
  })
  const other = await printDrawing('<text x="5" y="30" font-family="MyriadPro-Regular">Words</text>')
  t.match(other.outcome, {
    kind: 'done',
    report: {
      warnings: [{ code: 'font', message: /"MyriadPro-Regular" is not uploaded; "Tinos" is printed/ }],
    },
  })
  const strict = await printDrawing('<text x="5" y="30" font-family="MyriadPro-Regular">Words</text>', true)
  t.match(strict.outcome, {
    kind: 'refused',
    refusals: [{ code: 'font', element: 'clip', message: /text in the drawing: .*"MyriadPro-Regular/ }],
  })
})

t.test(
  'text in a drawing that can only be a picture is printed in its font, and refused without it if fonts are strict',
  async (t) => {
    const blurred = (family: string) =>
      `<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><text x="5" y="30" font-family="${family}" filter="url(#f)">Soft</text>`
    t.match((await printDrawing(blurred('Liberation Sans'))).outcome, {
      kind: 'done',
      report: { fonts: [{ substitute: null, missing: false }] },
    })
    t.match((await printDrawing(blurred('MyriadPro-Regular'), true)).outcome, {
      kind: 'refused',
      refusals: [{ code: 'font', element: 'clip', message: /"MyriadPro-Regular/ }],
    })
  },
)
