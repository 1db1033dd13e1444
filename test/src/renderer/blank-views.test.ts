// Views that show nothing, and boxes that are turned: no blank or wrong page is printed in silence.
import t from 'tap'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()
const front = viewWith(text('Hello'))
const back = (...elements: unknown[]) => ({ ...viewWith(...elements), title: 'Back' })
const print = async (views: unknown[], task: object = {}) =>
  (await renderHere({ ...printTask, ...task }, views, fonts, sources)).outcome

const leftOut = {
  code: 'page',
  view: 'Back',
  message: 'The view shows nothing that is printed, and is left out.',
}

t.test('render: a view with nothing to print is left out, with a finding', async (t) => {
  const hidden = text('Hidden', { excludeFromExport: true })
  const outside = text('Outside', { left: 1000 })
  const clear = text('Clear', { fill: 'transparent' })
  const spaces = text(' \u00a0 ')
  for (const empty of [back(), back(hidden), back(outside), back(clear), back(spaces)]) {
    const outcome = await print([front, empty])
    t.match(outcome, { kind: 'done', type: 'pdf' })
    const report = 'report' in outcome ? outcome.report : undefined
    t.same(
      report?.pages.map(({ view }) => view),
      ['Front'],
    )
    t.match(report?.warnings.at(-1), leftOut)
  }
})

t.test('render: a design of which no view shows anything is refused, in a preflight as well', async (t) => {
  const refusals = [{ code: 'design', message: 'The design holds nothing to print.' }]
  t.match(await print([back()]), { kind: 'refused', refusals })
  t.match(await print([back()], { kind: 'preflight' }), { kind: 'checked', refusals })
})

t.test('render: a view whose elements are refused is not called empty', async (t) => {
  const outcome = await print([front, back(text('Words', { fontFamily: 'Gone' }))], { kind: 'preflight' })
  t.match(outcome, { kind: 'checked', refusals: [{ code: 'font', view: 'Back' }] })
  t.notOk('report' in outcome && outcome.report?.warnings.some(({ message }) => message === leftOut.message))
})

t.test('render: a print area that shows nothing keeps its page, with a finding', async (t) => {
  const output = { width: 100, height: 75 }
  const area = (id: string, left: number) => ({
    id,
    printingBox: { left, top: 0, width: 200, height: 150 },
    output,
  })
  const view = {
    title: 'Shirt',
    elements: [text('Hello', { left: 100, top: 75 })],
    options: { stageWidth: 400, stageHeight: 300, printAreas: [area('chest', 0), area('sleeve', 200)] },
  }
  const outcome = await print([view])
  t.match(outcome, {
    report: {
      pages: [{ area: 'chest' }, { area: 'sleeve' }],
      warnings: [
        {
          code: 'page',
          message: 'The print area "sleeve" shows nothing that is printed; its page is blank.',
        },
      ],
    },
  })
})

t.test('render: a turned printing box or print area is refused', async (t) => {
  const box = { left: 50, top: 50, width: 300, height: 200 }
  const withOptions = (options: object) => ({ ...front, options: { ...front.options, ...options } })
  t.match(await print([withOptions({ printingBox: { ...box, angle: 15 } })]), {
    kind: 'refused',
    refusals: [
      { code: 'page', message: 'The printing box is turned by 15°; only upright boxes can be printed.' },
    ],
  })
  const areas = [{ id: 'chest', ...box, angle: '90' }]
  t.match(await print([withOptions({ printAreas: areas })]), {
    kind: 'refused',
    refusals: [{ code: 'page', message: /^The print area "chest" is turned by 90°/ }],
  })
  t.match(await print([withOptions({ printingBox: { ...box, angle: 360 } })]), { kind: 'done' })
})
