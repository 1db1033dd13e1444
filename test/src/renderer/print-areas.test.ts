// Print areas in both forms of the designer: what is a page, in which size, and what an area's id clips.
import sharp from 'sharp'
import t from 'tap'
import { pagesOf as pagesOfView } from '../../../src/renderer/page.ts'
import type { Report } from '../../../src/renderer/task.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()

const left = { left: 0, top: 0, width: 200, height: 150 }
const right = { left: 200, top: 150, width: 200, height: 150 }
const output = { width: 100, height: 75, bleed: 2 }
const nested = (id: string, printingBox: unknown, more: object = {}) => ({ id, printingBox, ...more })
const flat = (id: string, box: object, more: object = {}) => ({ id, ...box, ...more })

const viewOf = (options: object, ...elements: unknown[]) => ({
  title: 'Front',
  elements: elements.length > 0 ? elements : [text('Hello', { left: 100, top: 75 })],
  options: { stageWidth: 400, stageHeight: 300, ...options },
})

async function reportOf(view: unknown): Promise<Report> {
  const { outcome } = await renderHere(printTask, [view], fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return outcome.report
}

async function refusalOf(view: unknown) {
  const { outcome } = await renderHere(printTask, [view], fonts, sources)
  return outcome.kind === 'refused'
    ? outcome.refusals.map(({ code, message }) => [code, message])
    : outcome.kind
}

const pagesOf = async (options: object) =>
  (await reportOf(viewOf(options))).pages.map(({ area, width, height, bleed }) => [
    area,
    width,
    height,
    bleed,
  ])

t.test('areas of both forms, and mixed, are pages of the same size', async (t) => {
  const pages = [
    ['front', 100, 75, 2],
    ['back', 100, 75, 2],
  ]
  for (const printAreas of [
    [nested('front', left, { output }), nested('back', right, { output })],
    [flat('front', left, { output }), flat('back', right, { output })],
    [nested('front', left, { output }), flat('back', right, { output })],
    { 0: nested('front', left, { output }), 2: flat('back', right, { output }) },
    JSON.stringify([nested('front', left, { output }), nested('back', right, { output })]),
  ]) {
    t.same(await pagesOf({ printAreas }), pages)
  }
})

t.test('a single area is the page of its view, without a name', async (t) => {
  t.same(await pagesOf({ printAreas: [nested('boundingBox', left, { output })] }), [[null, 100, 75, 2]])
})

t.test('areas without an output of their own take that of the view', async (t) => {
  for (const own of [{}, { output: {} }, { output: null }, { output: { width: '', height: '' } }]) {
    const printAreas = [nested('front', left, own), flat('back', right, own)]
    t.same(await pagesOf({ output, printAreas }), [
      ['front', 100, 75, 2],
      ['back', 100, 75, 2],
    ])
  }
  const other = { width: 200, height: 150, bleed: 5 }
  const printAreas = [nested('front', left), nested('back', right, { output: other })]
  t.same(await pagesOf({ output, printAreas }), [
    ['front', 100, 75, 2],
    ['back', 200, 150, 5],
  ])
})

t.test('excludeFromExport takes an area from the print, exportOnly does not', async (t) => {
  const areas = (more: object) => [
    nested('front', left, { output }),
    nested('back', right, { output, ...more }),
  ]
  t.same(await pagesOf({ printAreas: areas({ excludeFromExport: true }) }), [[null, 100, 75, 2]])
  t.same(await pagesOf({ printAreas: areas({ exportOnly: true }) }), [
    ['front', 100, 75, 2],
    ['back', 100, 75, 2],
  ])
  const none = areas({}).map((area) => ({ ...area, excludeFromExport: true }))
  t.same(await refusalOf(viewOf({ printAreas: none })), [['design', 'The design holds nothing to print.']])
})

t.test('the printing box of a view stands in for that of its only area', async (t) => {
  t.same(await pagesOf({ printingBox: left, printAreas: [{ id: 'boundingBox', output }] }), [
    [null, 100, 75, 2],
  ])
})

t.test('areas that cannot be printed are refused by name', async (t) => {
  const cases = [
    [
      [nested('front', left)],
      'The view has no output size in millimetres. It can be exported as PNG or JPEG, in the pixels of the stage.',
    ],
    [[nested('front', { left: 1, top: 1 }, { output })], 'The print area "front" has no width and height.'],
    [[{ id: 'front', output }], 'The print area "front" has no width and height.'],
    ['front', 'The property printAreas is not readable.'],
    [[nested('front', 'left', { output })], 'The property printingBox is not readable.'],
  ] as const
  for (const [printAreas, message] of cases) {
    t.same(await refusalOf(viewOf({ printAreas })), [['page', message]])
  }
})

/** The colors of the middles of the stage's quarters, row by row. */
async function quarters(view: unknown, task: object = {}): Promise<boolean[]> {
  const preview = { kind: 'preview' as const, view: 0, width: 400, maxPixels: 1e6, ...task }
  const { outcome, bytes } = await renderHere(preview, [view], fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const points = [75, 225].flatMap((y) => [100, 300].map((x) => [x, y] as const))
  return points.map(([x, y]) => (data[4 * (y * info.width + x) + 3] ?? 0) > 0)
}

const whole = (parameters: object) => picture('photo.jpg', { scaleX: 2, scaleY: 2, ...parameters })

t.test('an element may be clipped by any area of its view, named by id', async (t) => {
  const printAreas = [
    nested('front', left, { output }),
    flat('back', right, { output }),
    nested('boundingBox', { ...right, top: 0 }, { output, excludeFromExport: true }),
  ]
  const drawn = (parameters: object) => quarters(viewOf({ printAreas }, whole(parameters)))
  t.same(await drawn({}), [true, true, true, true])
  t.same(await drawn({ boundingBox: 'front' }), [true, false, false, false])
  t.same(await drawn({ boundingBox: 'back' }), [false, false, false, true])
  t.same(await drawn({ boundingBox: 'boundingBox' }), [false, true, false, false])
  // The name of nothing: the designer shows the whole element.
  t.same(await drawn({ boundingBox: 'side' }), [true, true, true, true])
})

t.test('the printing box is the area of that id, else the first that the designer shows', async (t) => {
  const drawn = (printAreas: unknown[]) =>
    quarters(viewOf({ printAreas }, whole({ usePrintingBoxAsBounding: true })))
  const hidden = nested('sleeve', left, { output, exportOnly: true })
  t.same(await drawn([nested('front', left, { output })]), [true, false, false, false])
  t.same(await drawn([hidden, flat('back', right, { output })]), [false, false, false, true])
  t.same(await drawn([nested('front', left), flat('boundingBox', right)]), [false, false, false, true])
})

t.test('a stage of unknown size is shown as far as its areas reach', async (t) => {
  const printAreas = [nested('front', left, { output }), flat('back', right, { output })]
  const view = viewOf({ stageWidth: undefined, stageHeight: undefined, printAreas }, whole({}))
  t.same(await quarters(view), [true, true, true, true])
})

t.test('only what lies on no page at all is outside of the print', async (t) => {
  const printAreas = [nested('front', left), flat('back', right)]
  const elements = [
    text('One', { left: 100, top: 75 }),
    text('Two', { left: 300, top: 225 }),
    text('Nowhere', { left: 300, top: 40 }),
  ]
  const { pages, warnings } = await reportOf(viewOf({ printAreas, output }, ...elements))
  t.same(
    pages.map((page) => page.elements.map(({ title }) => title)),
    [['One', 'Nowhere'], ['Two']],
  )
  t.same(
    warnings.map(({ code, element }) => [code, element]),
    [['box', 'Nowhere']],
  )
})

t.test('a box of another ratio is refused, or fitted as the option says, with a warning', async (t) => {
  const printingBox = { left: 100, top: 100, width: 200, height: 100 }
  const view = viewOf({ printingBox, output: { width: 100, height: 100 } }, whole({}))
  const sizes = 'The printing box (200 × 100 px) and the output (100 × 100 mm) differ in their ratio'
  t.same(await refusalOf(view), [['page', `${sizes}, so that the print would be distorted.`]])
  for (const fit of ['contain', 'cover', 'center'] as const) {
    const { outcome } = await renderHere({ ...printTask, fit, format: 'png' }, [view], fonts, sources)
    t.match(outcome, { kind: 'done', report: { warnings: [{ code: 'page', message: /^The printing box/ }] } })
  }
  const box = (fit: 'contain' | 'cover' | 'center', options: object) =>
    pagesOfView({ ...view.options, ...options }, { ...printTask, fit })[0]?.box
  t.same(box('contain', {}), { x: 100, y: 50, width: 200, height: 200 })
  t.same(box('cover', {}), { x: 150, y: 100, width: 100, height: 100 })
  t.same(box('center', {}), { x: 100, y: 50, width: 200, height: 200 })
  const upright = { output: { width: 300, height: 100 } }
  t.same(box('contain', upright), { x: 50, y: 100, width: 300, height: 100 })
  t.same(box('center', upright)?.width, 200)
})

t.test('masks of views and of areas in both forms cut the print', async (t) => {
  const mask = { url: 'square.svg', left: 0, top: 0, scaleX: 1, scaleY: 1 }
  const square = {
    'square.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="150"><rect width="200" height="150"/></svg>',
    ),
  }
  const drawn = async (options: object, task: object = {}) => {
    const preview = { kind: 'preview' as const, view: 0, width: 400, maxPixels: 1e6 }
    const { outcome, bytes } = await renderHere(
      { ...preview, ...task },
      [viewOf(options, whole({}))],
      fonts,
      { ...sources, ...square },
    )
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
    const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) =>
      (data[4 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) + 3] ?? 0) > 0
    return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
  }
  t.same(await drawn({ mask }), [true, false, false, false])
  t.same(await drawn({ mask: { ...mask, left: 200 } }), [false, true, false, false])
  const all = { left: 0, top: 0, width: 400, height: 300 }
  for (const area of [nested('front', all, { output, mask }), flat('front', all, { output, mask })]) {
    t.same(await drawn({ printAreas: [area] }, { ...printTask, format: 'png' }), [true, false, false, false])
  }
})
