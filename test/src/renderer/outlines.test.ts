// Text as paths: no font is in the file, and the page looks the same.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { compare, pdfPixels, withFile } from '../../support/render/compare.ts'
import { dejavu, output, printingBox, text } from '../../support/render/design-parts.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'

await ensureCommands({ pdffonts: 'poppler-utils', qpdf: 'qpdf' })
t.setTimeout(230_000)
const fonts = await testFonts()
const sources = await testSources()
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters)).stdout

const viewOf = (...elements: unknown[]) => ({
  title: 'Front',
  options: { printingBox, output: { ...output, bleed: 3 } },
  elements,
})

async function printed(view: unknown, task: object) {
  const { outcome, bytes } = await renderHere({ ...printTask, ...task }, [view], fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return bytes
}

/** Lines of pdffonts below its head. */
const fontsIn = (pdf: Buffer) =>
  withFile(pdf, async (path) => {
    t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
    return (await run('pdffonts', path)).trim().split('\n').slice(2)
  })

const serif = { fontFamily: 'DejaVu Serif', fontSize: 44 }
const texts = {
  'plain and underlined': text('office Hamburg', { underline: true, top: 150 }),
  'bold and italic that the font lacks': text('Both', { ...serif, fontWeight: 'bold', fontStyle: 'italic' }),
  'bold, half transparent': text('AVA', { ...serif, fontWeight: 'bold', opacity: 0.4, letterSpacing: -1.5 }),
  'curved with a dashed stroke': text('AROUND', {
    curved: true,
    curveRadius: 90,
    textAlign: 'center',
    fontSize: 30,
    stroke: '#c0392b',
    strokeWidth: 2,
    strokeDashArray: [4, 2],
  }),
  'from right to left': text('שלום Ada', { ...dejavu, direction: 'rtl' }),
  'with a shadow': text('Shadow', { shadowColor: '#888', shadowOffsetX: 5, shadowOffsetY: 5 }),
  'with styles of its characters': text('Styles', {
    styles: { 0: { 1: { fill: '#00a', fontSize: 60 }, 2: { underline: true } } },
  }),
}

for (const [name, element] of Object.entries(texts))
  t.test(`render › outlines: text ${name} has no font and looks the same`, async (t) => {
    const view = viewOf(element)
    const [lettered, outlined] = await Promise.all([printed(view, {}), printed(view, { outlines: true })])
    t.not((await fontsIn(lettered)).length, 0)
    t.strictSame(await fontsIn(outlined), [])
    const { dpi } = printTask
    const { share, square } = await compare(await pdfPixels(outlined, dpi), await pdfPixels(lettered, dpi))
    t.ok(share < 0.002 && square <= 2, `${share}, ${square}`)
  })

t.test('render › outlines: a long text needs few bytes for each character', async (t) => {
  const words = Array.from({ length: 1500 }, (_, i) => `word${i % 97}`).join(' ')
  const long = text(words, { textBox: true, width: 380, fontSize: 5, top: 225 })
  const outlined = await printed(viewOf(long), { outlines: true })
  t.strictSame(await fontsIn(outlined), [])
  t.ok(outlined.length < 40 * words.length, `${outlined.length} bytes for ${words.length} characters`)
})

t.test('render › outlines: an SVG has neither text nor fonts', async (t) => {
  const svg = String(await printed(viewOf(...Object.values(texts)), { format: 'svg', outlines: true }))
  t.notMatch(svg, /<text|font-family|@font-face/)
})
