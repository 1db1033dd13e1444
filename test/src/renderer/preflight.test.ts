// What a preflight finds in a design, measured in the units of the press.
import t from 'tap'
import { output, printingBox } from '../../support/render/design-parts.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'

const fonts = await testFonts()
const sources = await testSources()

const text = (words: string, parameters: object = {}) => ({
  title: 'words',
  source: words,
  type: 'text',
  parameters: {
    text: words,
    left: 300,
    top: 225,
    fontFamily: 'Liberation Sans',
    fontSize: 30,
    ...parameters,
  },
})
const photo = (parameters: object) => ({
  title: 'photo',
  source: 'photo.jpg',
  type: 'image',
  parameters: { left: 300, top: 225, ...parameters },
})

async function findingsOf(elements: unknown[], view: object = {}) {
  const views = [
    { title: 'Front', elements, options: { printingBox, output: { ...output, bleed: 3 } }, ...view },
  ]
  const task = { ...printTask, kind: 'preflight' as const, minDpi: 150 }
  const { outcome } = await renderHere(task, views, fonts, sources)
  if (outcome.kind !== 'checked') throw new Error(JSON.stringify(outcome))
  return { refusals: outcome.refusals, warnings: outcome.report.warnings, fonts: outcome.report.fonts }
}

t.test('a sound design has no finding', async (t) => {
  const { refusals, warnings } = await findingsOf([text('Ada'), photo({ scaleX: 0.5, scaleY: 0.5 })])
  t.strictSame([refusals, warnings], [[], []])
})

t.test('a thin line is measured in points', async (t) => {
  const { warnings } = await findingsOf([text('Ada', { stroke: '#f00', strokeWidth: 0.25 })])
  // A pixel of the stage is 0.254 mm, which is 0.72 pt.
  t.match(warnings, [{ code: 'line', element: 'words', view: 'Front', value: 0.18 }])
})

t.test('text near the edge is told with its distance, and text across it as cut', async (t) => {
  // The stems of the letters begin at the left of the text.
  const at = (left: number) => text('HH', { left, originX: 'left' })
  const [near] = (await findingsOf([at(104)])).warnings
  t.match(near, { code: 'margin', message: / 3 mm are safe/ })
  t.ok(Number(near?.value) > 1 && Number(near?.value) < 2.5, `${near?.value} mm`)
  const [cut] = (await findingsOf([at(95)])).warnings
  t.match(cut, { code: 'margin', message: /is cut by [\d.]+ mm at the edge/ })
  t.ok(Number(cut?.value) < 0)
})

t.test('a picture that ends within the bleed is told, one that fills it is not', async (t) => {
  const wide = (width: number) => photo({ scaleX: width / 300, scaleY: 2.5 })
  const bleed = async (width: number) =>
    (await findingsOf([wide(width)])).warnings.filter(({ code }) => code === 'bleed')
  t.match(await bleed(410), [{ value: 1.27 }])
  t.strictSame(await bleed(440), [])
  t.strictSame(await bleed(300), [], 'it does not reach the edge')
})

t.test('a name that its bounding box cuts off is told with the name, the others are not', async (t) => {
  const element = text('NAME', {
    textPlaceholder: true,
    boundingBox: { x: 200, y: 180, width: 200, height: 90 },
  })
  const names_numbers = ['Ada', 'Wolfeschlegelsteinhausen'].map((name) => ({ name, number: '1' }))
  const { warnings } = await findingsOf([element], { names_numbers })
  t.match(warnings, [{ code: 'overflow', message: /"Wolfeschlegelsteinhausen"/ }])
  t.equal(warnings.length, 1)
  t.ok(Number(warnings[0]?.value) > 10)
})

t.test('coarse pictures carry their resolution, fonts whether they are there', async (t) => {
  const found = await findingsOf([
    photo({ scaleX: 0.9, scaleY: 0.9 }),
    text('Ada', { fontFamily: 'Arial' }),
    { ...text('Gone', { fontFamily: 'Gone' }), title: 'gone' },
  ])
  t.match(found.warnings, [{ code: 'font' }, { code: 'resolution', value: 111 }])
  t.match(found.refusals, [{ code: 'font', element: 'gone' }])
  t.strictSame(
    found.fonts.map(({ family, substitute, missing }) => [family, substitute, missing]),
    [
      ['Arial', 'Arimo', false],
      ['Gone', null, true],
    ],
  )
})

t.test(
  'preflight: text that is white on white paper is a warning, on a picture or in a PNG it is not',
  async (t) => {
    const white = text('Ada', { fill: '#ffffff' })
    const messages = async (elements: unknown[], task: object = {}, finishing: object = {}) => {
      const options = { printingBox, output: { ...output, ...finishing } }
      const whole = { ...printTask, kind: 'preflight' as const, ...task }
      const { outcome } = await renderHere(whole, [{ title: 'Front', elements, options }], fonts, sources)
      if (outcome.kind !== 'checked') throw new Error(JSON.stringify(outcome))
      return outcome.report.warnings.map(({ message }) => message)
    }
    const found = ['The text is white and lies on the paper; only colored material shows it.']
    t.strictSame(await messages([white]), found)
    t.strictSame(await messages([white, photo({})]), found, 'what lies above it does not help')
    t.strictSame(await messages([photo({}), white]), [])
    t.strictSame(await messages([white], { format: 'png' }), [])
    t.strictSame(await messages([white], {}, { whiteUnderprint: true }), [])
    t.strictSame(await messages([text('Ada', { fill: '#ffffff', stroke: '#000', strokeWidth: 3 })]), [])
  },
)

t.test('several causes of refusals are told at once', async (t) => {
  const { refusals } = await findingsOf([
    { ...photo({}), title: 'missing', source: 'none.png' },
    { ...text('Ada', { globalCompositeOperation: 'xor' }), title: 'odd' },
  ])
  t.strictSame(
    refusals.map(({ element }) => element),
    ['odd', 'missing'],
  )
})
