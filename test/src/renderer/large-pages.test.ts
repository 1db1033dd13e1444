// Pages that are longer or have more pixels than libraries and formats take at once.
import sharp from 'sharp'
import t from 'tap'
import { pixelSize, userUnit } from '../../../src/renderer/output-limits.ts'
import type { PageBox } from '../../../src/renderer/page.ts'
import { marginWithMarks } from '../../../src/renderer/pdf-finishing.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { pictureElement } from '../../support/render/render-shop.ts'

const square = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#f00"/></svg>',
)
/** A drawing that can only be a picture. */
const masked = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><mask id="m"><rect width="40" height="30" fill="#fff"/></mask><g mask="url(#m)"><rect width="40" height="30" fill="#00f"/></g></svg>',
)
const sources = { 'square.svg': square, 'masked.svg': masked }

/** Elements are `[source, left, scale, more]` on a stage of 1,000 pixels along the longer side. */
function viewOf(width: number, height: number, ...elements: [string, number, number, object?][]) {
  const stage = 1000 / Math.max(width, height)
  const [w, h] = [width * stage, height * stage]
  return {
    title: 'Banner',
    elements: elements.map(([source, left, scale, more]) =>
      pictureElement(source, { left, top: h / 2, scaleX: scale, scaleY: scale, ...more }),
    ),
    options: {
      stageWidth: w,
      stageHeight: h,
      printingBox: { left: 0, top: 0, width: w, height: h },
      output: { width, height },
    },
  }
}

const run = (view: unknown, task: object) => renderHere({ ...printTask, ...task }, [view], [], sources)

t.test('export: a page of more than 32,767 pixels is drawn in strips without a seam', async (t) => {
  const view = viewOf(2800, 20, ['square.svg', 484, 1], ['square.svg', 980, 0.2])
  const { outcome, bytes } = await run(view, { format: 'png', dpi: 300 })
  t.equal(outcome.kind, 'done')
  const image = sharp(bytes, { limitInputPixels: false })
  t.match(await image.metadata(), { width: 33_071, height: 236 })
  const row = async (left: number, width: number) =>
    sharp(bytes, { limitInputPixels: false }).extract({ left, top: 110, width, height: 1 }).raw().toBuffer()
  // The strips meet in the middle, within the first drawing.
  const middle = await row(16_500, 80)
  t.ok([...middle.keys()].every((i) => i % 4 === 1 || i % 4 === 2 || middle[i] === 255))
  t.equal((await row(32_410, 1))[3], 255, 'and the second drawing is where it belongs')
  t.equal((await row(33_000, 1))[3], 0)
})

t.test('export: a film of 560 by 1000 mm at 300 dpi is a PNG', async (t) => {
  const { outcome, bytes } = await run(viewOf(560, 1000, ['square.svg', 280, 5]), {
    format: 'png',
    dpi: 300,
    maxPixels: 200e6,
  })
  t.equal(outcome.kind, 'done')
  t.match(await sharp(bytes, { limitInputPixels: false }).metadata(), { width: 6614, height: 11_811 })
  t.ok(bytes.length < 1e6, `${bytes.length} bytes`)
})

t.test('pixelSize: a JPEG has at most 65,500 pixels on each side, a PNG any number', async (t) => {
  const size = (width: number, format: 'jpeg' | 'png') =>
    pixelSize({ width, height: 10, bleed: 0 } as PageBox, { format, dpi: 254, maxPixels: 200e6 })
  t.same(size(6550, 'jpeg'), { width: 65_500, height: 100 })
  t.throws(() => size(6550.1, 'jpeg'), { message: /a JPEG has at most 65500 pixels on each side/ })
  t.same(size(6550.1, 'png'), { width: 65_501, height: 100 })
})

t.test('userUnit: a point up to 14,400 points (5080 mm) with bleed and crop marks', async (t) => {
  const around = 2 * (3 + marginWithMarks)
  const unit = (width: number, height: number) => userUnit({ width, height, bleed: 3 } as PageBox)
  t.same([unit(5080 - around, 10), unit(10, 5080.1 - around), unit(10_160.1 - around, 10)], [1, 2, 3])
})

t.test('export: a banner of more than 5 m is a PDF with a larger unit, and a warning', async (t) => {
  const { outcome, bytes } = await run(viewOf(12_000, 600, ['square.svg', 500, 1]), { cropMarks: false })
  t.match(outcome, { kind: 'done', report: { warnings: [{ code: 'page', message: /12 m long.*UserUnit/ }] } })
  const text = bytes.toString('latin1')
  const [, width = '', unit = ''] = /MediaBox \[0 0 ([\d.]+) [\d.]+\][\s\S]*?UserUnit (\d)/.exec(text) ?? []
  t.ok(Number(width) <= 14_400)
  t.ok(Math.abs((Number(width) * Number(unit) * 25.4) / 72 - 12_000) < 1, `${width} × ${unit}`)
  const small = await run(viewOf(4000, 600, ['square.svg', 500, 1]), { cropMarks: false })
  t.notMatch(small.bytes.toString('latin1'), /UserUnit [2-9]/)
})

t.test('export: crop marks count for the unit of a long banner, drawn or not', async (t) => {
  const { outcome, bytes } = await run(viewOf(5070, 600, ['square.svg', 500, 1]), { cropMarks: false })
  t.match(bytes.toString('latin1'), /UserUnit 2/)
  t.match(outcome, { kind: 'done', report: { warnings: [{ message: /2 times as large .*UserUnit/ }] } })
})

t.test(
  'export: a drawing on a small and a large page of a PDF has the pixels of the large one',
  async (t) => {
    const views = [viewOf(40, 30, ['masked.svg', 500, 1]), viewOf(1000, 750, ['masked.svg', 500, 1])]
    const { bytes } = await renderHere(printTask, views, [], sources)
    const widths = Array.from(bytes.toString('latin1').matchAll(/\/Width (\d+)/g), ([, width]) =>
      Number(width),
    )
    // 40 mm at 300 dpi.
    t.ok(Math.max(...widths) >= 472, widths.join())
  },
)

t.test('export: a shadow whose blur is wider than many pages', async (t) => {
  const shadow = { shadowColor: '#000', shadowBlur: 900 }
  const view = viewOf(6000, 20, ['square.svg', 266, 200, shadow])
  t.equal((await run(view, { format: 'svg-pdf', dpi: 2400, maxPixels: 2e6 })).outcome.kind, 'done')
})

t.test('export: a page of more than 40 megapixels with a photo has no seam between its bands', async (t) => {
  const photo = await sharp(square, { density: 600 }).flatten({ background: '#269' }).jpeg().toBuffer()
  const shadow = { shadowColor: '#000', shadowBlur: 40, shadowOffsetX: 20, shadowOffsetY: 10 }
  const view = viewOf(400, 40, ['photo.jpg', 500, 1.5, shadow], ['square.svg', 200, 2, { angle: 30 }])
  // What is blended makes the SVG library draw the page as a whole.
  const blended = { ...pictureElement('square.svg', { left: -900 }) }
  Object.assign(blended.parameters, { globalCompositeOperation: 'multiply' })
  const whole = { ...view, elements: [...view.elements, blended] }
  const [bands, once] = await Promise.all(
    [view, whole].map(async (each) => {
      const task = { ...printTask, format: 'png' as const, dpi: 1300, maxPixels: 64e6 }
      const { outcome, bytes } = await renderHere(task, [each], [], { ...sources, 'photo.jpg': photo })
      t.equal(outcome.kind, 'done')
      const { height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata()
      const middle = { left: 0, top: Math.round(height / 2) - 30, width: 20_000, height: 60 }
      return sharp(bytes, { limitInputPixels: false })
        .extract(middle)
        .flatten({ background: '#fff' })
        .raw()
        .toBuffer()
    }),
  )
  const off = [...(bands?.keys() ?? [])].filter((i) => Math.abs((bands?.[i] ?? 0) - (once?.[i] ?? 0)) > 12)
  t.ok(off.length < 0.001 * (bands?.length ?? 0), `${off.length} of ${bands?.length} values differ`)
})
