// What is reported of a design has limits, whatever a customer made the design contain.
import { serialize } from 'node:v8'
import t from 'tap'
import { Findings, reportedTitle } from '../../../src/renderer/refusal.ts'
import { answerOf } from '../../../src/renderer/report.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()
const maxBytes = 2 ** 20

const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `N${n}`, number: n }))
const titled = (count: number, title: string) =>
  Array.from({ length: count }, (_, n) => ({ ...textElement('A'), title: `${n} ${title}` }))

async function reported(kind: 'print' | 'preflight', view: object) {
  const { outcome } = await renderHere({ ...printTask, kind }, [view], fonts, sources)
  const answer = answerOf(outcome)
  return { answer, bytes: serialize(answer).length }
}

t.test('renderer: long titles of elements and views on many pages are reported cut', async (t) => {
  const title = '漢'.repeat(30_000)
  const view = { ...viewWith(...titled(20, title)), title, names_numbers: names(50) }
  const { answer, bytes } = await reported('preflight', view)
  t.ok(bytes < maxBytes, `${bytes} bytes`)
  if (answer.kind !== 'checked') throw new Error(answer.kind)
  const [page] = answer.report.pages
  t.equal(page?.view, `${'漢'.repeat(100)}…`)
  t.equal(page?.elements[0]?.title.length, 101)
  t.equal(answer.report.pages.length, 50)
})

t.test(
  'renderer: at most 2,000 elements are listed on all pages, and a warning names the numbers',
  async (t) => {
    const view = { ...viewWith(...titled(150, 'A')), names_numbers: names(20) }
    const { answer, bytes } = await reported('preflight', view)
    t.ok(bytes < maxBytes, `${bytes} bytes`)
    if (answer.kind !== 'checked') throw new Error(answer.kind)
    const { pages, warnings } = answer.report
    t.equal(pages.length, 20)
    t.equal(pages.flatMap(({ elements }) => elements).length, 2000)
    t.match(warnings.at(-1), { code: 'limit', message: /first .* 2000 elements .* has 20, 3000 and 1\.$/ })
  },
)

t.test('renderer: a print answers with its warnings alone', async (t) => {
  const elements = titled(40, 'x'.repeat(30_000))
  const { answer, bytes } = await reported('print', { ...viewWith(...elements), names_numbers: names(50) })
  t.ok(bytes < maxBytes / 4, `${bytes} bytes`)
  t.strictSame(Object.keys(answer).sort(), ['kind', 'path', 'pieces', 'sheets', 'type', 'warnings'])
})

t.test('Findings: each is reported once, at most 100 of a kind, with texts of limited length', (t) => {
  const findings = new Findings()
  const long = 'x'.repeat(100_000)
  for (let n = 0; n < 300; n++)
    findings.warn({ code: 'box', view: long, element: `${n >> 1} ${long}`, message: long, value: long })
  t.equal(findings.warnings.length, 100)
  t.equal(new Set(findings.warnings.map(({ element }) => element)).size, 100)
  t.ok(serialize(findings.warnings).length < maxBytes / 2)
  t.end()
})

t.test('reportedTitle: a cut never leaves half of a surrogate pair, which PHP cannot read', (t) => {
  t.equal(reportedTitle(`${'x'.repeat(99)}😀😀`), `${'x'.repeat(99)}…`)
  t.equal(reportedTitle('😀'.repeat(50)), '😀'.repeat(50))
  t.end()
})

t.test(
  'renderer: a design with more than 50,000 elements on its pages is refused before it is drawn',
  async (t) => {
    const view = { ...viewWith(...titled(600, 'A')), names_numbers: names(100) }
    const { answer } = await reported('print', view)
    t.match(answer, { kind: 'refused', refusals: [{ code: 'limit', message: /50000 elements together/ }] })
  },
)

t.test('Findings.hasRefused: finds the refusal of a view whose long title is reported cut', async (t) => {
  const findings = new Findings()
  const view = 'V'.repeat(150)
  findings.refuse({ code: 'value', view, element: null, message: 'No.' })
  t.same(
    [view, 'other'].map((title) => findings.hasRefused(title)),
    [true, false],
  )
})
