// Where elements are drawn whose place or size the design leaves open.
import sharp from 'sharp'
import t from 'tap'
import { output, printingBox } from '../../support/render/design-parts.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'

const svg = (attributes: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><path d="M10 10h60v40h-60z" fill="#f00"/></svg>`,
  )
const sources = {
  'box.svg': svg('width="100" height="60"'),
  'points.svg': svg('width="75pt" height="45pt" viewBox="0 0 100 60"'),
}
const picture = (parameters: object, source = 'box.svg') => ({
  title: 'box',
  source,
  type: 'image',
  parameters,
})

/** The red area in pixels of the stage, and the warnings. */
async function red(parameters: object, source?: string) {
  const options = { stageWidth: 600, stageHeight: 450, printingBox, output }
  const views = [{ title: 'Front', elements: [picture(parameters, source)], options }]
  const { outcome, bytes } = await renderHere({ ...printTask, format: 'png', dpi: 100 }, views, [], sources)
  if (outcome.kind !== 'done') return { refused: outcome.kind === 'refused' ? outcome.refusals : [] }
  const { data, info } = await sharp(bytes).extractChannel(3).raw().toBuffer({ resolveWithObject: true })
  const rows = [...data.keys()].filter((index) => (data[index] ?? 0) > 128)
  const xs = rows.map((index) => index % info.width)
  const ys = rows.map((index) => Math.floor(index / info.width))
  const scale = printingBox.width / info.width
  const [left, top] = [Math.min(...xs) * scale + printingBox.left, Math.min(...ys) * scale + printingBox.top]
  const [width, height] = [
    (Math.max(...xs) + 1) * scale + printingBox.left - left,
    (Math.max(...ys) + 1) * scale + printingBox.top - top,
  ]
  return { area: [left, top, width, height].map(Math.round), warnings: outcome.report.warnings }
}

t.test(
  'an element that is centered by itself lies in the middle of its bounding box, else of the stage',
  async (t) => {
    t.strictSame((await red({ autoCenter: true })).area, [270, 205, 60, 40])
    const boundingBox = { x: 120, y: 100, width: 100, height: 100 }
    t.strictSame((await red({ autoCenter: true, boundingBox })).area, [140, 130, 60, 40])
    t.strictSame(
      (await red({ autoCenter: true, left: 200, top: 200 })).area,
      [170, 180, 60, 40],
      'a stored place wins',
    )
  },
)

t.test(
  'a single shape has the size of the design if only its unit differs, with a warning that names both',
  async (t) => {
    const place = { left: 300, top: 225 }
    t.strictSame(await red({ ...place, width: 60, height: 40 }), { area: [270, 205, 60, 40], warnings: [] })
    const { area, warnings } = await red({ ...place, width: 120, height: 80 })
    t.strictSame(area, [240, 185, 120, 80])
    t.match(warnings, [{ code: 'drawing', message: /shape measures 60 × 40.*made with 120 × 80/ }])
  },
)

t.test('a size of another ratio is refused with both', async (t) => {
  const { refused } = await red({ left: 300, top: 225, width: 120, height: 50 })
  t.match(refused, [{ code: 'picture', message: /120 × 50/ }])
})
