// Views whose size on paper is not known: pictures in the pixels of the stage.
import sharp from 'sharp'
import t from 'tap'
import { pagesOf } from '../../../src/renderer/page.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { pictureElement } from '../../support/render/render-shop.ts'

const square = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="#f00"/></svg>',
)
const viewOf = (options: object) => ({
  title: 'Front',
  elements: [pictureElement('square.svg', { left: 200, top: 150 })],
  options: { stageWidth: 400, stageHeight: 300, ...options },
})
const drawn = (options: object, task: object = {}) =>
  renderHere({ ...printTask, format: 'png', ...task }, [viewOf(options)], [], { 'square.svg': square })

t.test(
  'export: a view without an output is a PNG or JPEG in the pixels of the stage, with a warning',
  async (t) => {
    const box = { left: 150, top: 120, width: 100, height: 60 }
    for (const [options, width, height] of [
      [{ printingBox: {} }, 400, 300],
      [{ printingBox: [], output: [] }, 400, 300],
      [{ printingBox: box, output: { width: '', height: null } }, 100, 60],
      [{ printingBox: box, output: { width: '0', height: 0 } }, 100, 60],
      [{ printAreas: [{ id: 'front', ...box }] }, 100, 60],
    ] as const) {
      for (const [format, dpi] of [
        ['png', 300],
        ['jpeg', 72],
      ] as const) {
        const { outcome, bytes } = await drawn(options, { format, dpi })
        t.match(outcome, {
          kind: 'done',
          report: { warnings: [{ code: 'page', message: /pixels of the stage/ }] },
        })
        const { info, data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
        t.match(info, { width, height })
        const middle = 3 * (Math.floor(height / 2) * width + Math.floor(width / 2))
        t.ok((data[middle] ?? 0) > 250 && (data[middle + 1] ?? 255) < 5, 'the element is in the middle')
      }
    }
  },
)

t.test('export: the same view is refused as PDF and SVG, and by a preflight of these', async (t) => {
  for (const task of [{ format: 'svg-pdf' }, { format: 'svg' }, { format: 'svg-pdf', kind: 'preflight' }]) {
    const { outcome } = await drawn({ printingBox: {} }, task)
    t.match(outcome, { refusals: [{ code: 'page', message: /can be exported as PNG or JPEG/ }] })
  }
  const { outcome } = await drawn({ printingBox: {} }, { kind: 'preflight', dpi: 72 })
  t.match(outcome, { kind: 'checked', refusals: [], report: { pages: [{ width: (400 * 25.4) / 72 }] } })
})

t.test('pagesOf: an output with one side is refused', (t) => {
  const form = { format: 'png', dpi: 300 } as const
  t.throws(() => pagesOf({ ...viewOf({ output: { width: 50 } }).options }, form), /no output size/)
  t.end()
})
