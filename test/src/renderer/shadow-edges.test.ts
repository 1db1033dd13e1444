// A soft shadow looks the same at the edges of pages and of the bands in which large pages are painted as elsewhere.
import sharp from 'sharp'
import t from 'tap'
import { layeredPage } from '../../../src/renderer/layered-page.ts'
import type { ShadowMark } from '../../../src/renderer/marks.ts'
import { rectangle } from '../../../src/renderer/outline.ts'
import { bandOf } from '../../../src/renderer/raster-file.ts'
import { pdfPixels } from '../../support/render/compare.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement, textElement, viewWith } from '../../support/render/render-shop.ts'

const sources = await testSources()

/** The largest difference between two pictures of equal size. */
const difference = (one: Uint8Array, other: Uint8Array): number =>
  one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] ?? 0))), 0)

/** A page of 400 × 400 pixels whose bleed makes its stage begin left of and above zero. */
const painting = {
  page: {
    name: undefined,
    box: { x: 0, y: 0, width: 360, height: 360 },
    width: 90,
    height: 90,
    bleed: 5,
    masks: [],
    finishing: {},
  },
  loaded: { pictures: new Map() } as never,
  grid: {
    area: { x: -20, y: -20, width: 400, height: 400 },
    width: 400,
    height: 400,
    face: () => {
      throw new Error('The page has no text.')
    },
  },
  maxPixels: 160_000,
}

for (const sigma of [5, 40, 63])
  t.test(`layeredPage: a shadow of ${sigma} pixels in bands is that of the whole page`, async (t) => {
    const color = { r: 0, g: 0, b: 0, a: 1 }
    const outline = rectangle({ x: 80, y: 80, width: 200, height: 100 })
    const marks = [{ kind: 'shape' as const, outline, rule: 'nonzero' as const, fill: color }]
    const mark: ShadowMark = { kind: 'shadow', color, dx: 10, dy: 0, sigma, marks }
    const layers = [{ kind: 'shadow' as const, mark }]
    const whole = await layeredPage(layers, painting, { isOpaque: true })
    const tops = [0, 97, 200, 301]
    const bands = await Promise.all(
      tops.map(async (top, i) => {
        const band = bandOf(painting, top, (tops[i + 1] ?? 400) - top)
        return (await layeredPage(layers, band, { isOpaque: true })).data
      }),
    )
    const most = difference(Buffer.concat(bands), whole.data)
    t.ok(most <= 1, `differs by up to ${most}`)
    t.ok(whole.data.some((value) => value < 140))
  })

/** A print of a part of the stage, one pixel of paper for each of the stage. */
async function printed(format: 'png' | 'svg-pdf', shadowBlur: number, [left, top, width, height]: number[]) {
  const shadow = { shadowColor: '#000', shadowBlur, shadowOffsetX: -10, shadowOffsetY: 15 }
  const inches = { width: (width ?? 0) / 100, height: (height ?? 0) / 100 }
  const view = {
    title: 'Front',
    elements: [pictureElement('windows.svg', { left: 200, top: 150, scaleX: 2.4, scaleY: 2, ...shadow })],
    options: {
      stageWidth: 400,
      stageHeight: 300,
      printingBox: { left, top, width, height },
      output: { width: inches.width * 25.4, height: inches.height * 25.4 },
    },
  }
  const { bytes } = await renderHere({ ...printTask, format, dpi: 100 }, [view], [], sources)
  return sharp(format === 'png' ? bytes : await pdfPixels(bytes, 100)).flatten({ background: '#fff' })
}

for (const format of ['png', 'svg-pdf'] as const)
  for (const blur of [12, 60])
    t.test(`export: a blur of ${blur} at the edges of a ${format} is that of a larger page`, async (t) => {
      const larger = await printed(format, blur, [0, 0, 400, 300])
      const page = await printed(format, blur, [75, 61, 250, 190])
      const [part, whole] = await Promise.all([
        larger.extract({ left: 75, top: 61, width: 250, height: 190 }).raw().toBuffer(),
        page.raw().toBuffer(),
      ])
      t.equal(part.length, whole.length)
      const most = difference(part, whole)
      t.ok(most <= 4, `differs by up to ${most}`)
    })

t.test(
  'compose: a warning of more than 300 blurred shadows is given only if the parts cast them',
  async (t) => {
    const task = { ...printTask, format: 'png', dpi: 36 } as const
    const fonts = await testFonts()
    const shadow = { shadowColor: '#000', shadowBlur: 2, letterSpacing: 1, fontSize: 1 }
    const warningsOf = async (parameters: object): Promise<string[]> => {
      const view = viewWith(textElement('m'.repeat(301), { ...shadow, ...parameters }))
      const { outcome } = await renderHere(task, [view], fonts, {})
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
      return outcome.report.warnings.map(({ message }) => message)
    }
    t.match((await warningsOf({})).join(), /parts cast a blurred shadow/)
    const onBackground = await warningsOf({ backgroundColor: '#fff' })
    t.notMatch(onBackground.join(), /parts cast/, 'the background casts a single shadow')
  },
)
