// Mirrored print files: every format shows the flipped page, and says so beside it and in the report.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import { bundleOf } from '../../../src/renderer/design.ts'
import { sheetOf } from '../../../src/renderer/sheet.ts'
import { ensureCommands } from '../../support/debian.ts'
import { compare, pdfPixels, withFile } from '../../support/render/compare.ts'
import { output, picture, printingBox, text } from '../../support/render/design-parts.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'

await ensureCommands({ pdftoppm: 'poppler-utils', qpdf: 'qpdf' })
t.setTimeout(230_000)
const fonts = await testFonts()
const sources = await testSources()
const run = promisify(execFile)

const view = {
  title: 'Front',
  options: { printingBox, output: { ...output, bleed: 5, cutLine: true } },
  elements: [
    picture('photo.jpg', { left: 180, top: 150, angle: 20 }),
    picture('gradient.svg', { left: 420, top: 300 }),
    text('Hamburg', { left: 220, top: 260, shadowColor: '#00000099', shadowBlur: 6, shadowOffsetX: 9 }),
    text('Half', { left: 400, top: 130, opacity: 0.5, fontWeight: 'bold', stroke: '#c00', strokeWidth: 2 }),
  ],
}

async function printed(task: object, design: unknown = [view]) {
  const { outcome, bytes } = await renderHere({ ...printTask, ...task }, design, fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, warnings: outcome.report.warnings }
}

const flopped = (picture: Buffer) => sharp(picture).flop().png().toBuffer()

for (const format of ['svg-pdf', 'svg', 'png', 'jpeg'] as const) {
  t.test(`render › ${format} with mirror shows the flipped page, with its bleed, and warns`, async (t) => {
    const [upright, mirrored] = await Promise.all([printed({ format }), printed({ format, mirror: true })])
    const seen = (bytes: Buffer) =>
      format === 'svg-pdf' ? pdfPixels(bytes, printTask.dpi) : sharp(bytes).png().toBuffer()
    const [plain, turned] = await Promise.all([upright, mirrored].map(({ bytes }) => seen(bytes)))
    if (!plain || !turned) throw new Error('A page is missing.')
    const { share, square } = await compare(turned, await flopped(plain))
    t.ok(share < 0.002 && square <= 2, `${share}, ${square}`)
    t.ok((await compare(turned, plain)).share > 0.05, 'the design is not symmetric')
    t.match(
      mirrored.warnings.map(({ code }) => code),
      ['mirror'],
    )
    t.strictSame(upright.warnings, [])
  })
}

/** The part of a page of a PDF, 8 pixels for each millimetre. */
async function part(pdf: Buffer, [left, top, width, height]: readonly [number, number, number, number]) {
  const page = await withFile(pdf, async (path) => {
    await run('qpdf', ['--check', path])
    await run('pdftoppm', ['-r', '203.2', '-png', '-singlefile', path, path])
    return sharp(`${path}.png`).png().toBuffer()
  })
  const area = { left: 8 * left, top: 8 * top, width: 8 * width, height: 8 * height }
  return sharp(page).extract(area).greyscale().raw().toBuffer({ resolveWithObject: true })
}

/** How many dark pixels are in each of six parts beside each other. */
async function lettersIn(pdf: Buffer, area: readonly [number, number, number, number]) {
  const { data, info } = await part(pdf, area)
  const dark = [0, 0, 0, 0, 0, 0]
  for (const [at, level] of data.entries())
    if (level < 128) {
      const index = Math.floor(((at % info.width) * 6) / info.width)
      dark[index] = (dark[index] ?? 0) + 1
    }
  return dark
}

t.test('render › the word MIRROR is beside the page where it has crop marks', async (t) => {
  // From the lower left corner of the trim 3 mm to the right, in the middle of the 7 mm around the bleed.
  const [wide, below] = [18, 5 + 7 + output.height + 5 + 1.5]
  const area = [15, Math.round(below), wide, 4] as const
  const [marked, plain, hidden] = await Promise.all([
    printed({ mirror: true, cropMarks: true }),
    printed({ cropMarks: true }),
    printed({ mirror: true, cropMarks: false }),
  ])
  const letters = await lettersIn(marked.bytes, area)
  t.ok(
    letters.every((count) => count > 20),
    `${letters}`,
  )
  // An I has fewer lines than its neighbors, and follows the first letter: the word itself is not mirrored.
  t.ok((letters[1] ?? 0) < (letters[0] ?? 0) && (letters[1] ?? 0) < (letters[4] ?? 0), `${letters}`)
  t.strictSame(await lettersIn(plain.bytes, area), [0, 0, 0, 0, 0, 0])
  const sizeOf = (pdf: Buffer) => part(pdf, [0, 0, 1, 1]).then(({ info }) => info.width)
  t.equal(await sizeOf(hidden.bytes), 8)
})

t.test('render › on sheets each piece is mirrored where it lies, and the sheet says so', async (t) => {
  const card = {
    title: 'Card',
    elements: [text('Left', { left: 80, top: 100, fontSize: 60 })],
    options: {
      printingBox: { left: 0, top: 0, width: 300, height: 200 },
      output: { width: 75, height: 50, bleed: 3 },
    },
  }
  const sheet = sheetOf({ width: 200, height: 150, margin: 10, gap: 6, rotate: false })
  const design = JSON.parse(bundleOf([{ title: 'Two', copies: 2, design: JSON.stringify([card]) }]))
  const task = { sheet, isBundle: true, cropMarks: true }
  const [upright, mirrored] = await Promise.all([
    printed(task, design),
    printed({ ...task, mirror: true }, design),
  ])
  for (const left of [10, 10 + 81 + 6]) {
    const area = [left, 10, 81, 56] as const
    const [plain, turned] = await Promise.all(
      [upright, mirrored].map(async ({ bytes }) => {
        const { data, info } = await part(bytes, area)
        return sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } })
          .png()
          .toBuffer()
      }),
    )
    if (!plain || !turned) throw new Error('A sheet is missing.')
    t.ok((await compare(turned, await flopped(plain))).square <= 3)
    t.ok((await compare(turned, plain)).square > 3)
  }
  const word = [16, 3, 18, 4] as const
  t.ok((await lettersIn(mirrored.bytes, word)).every((count) => count > 20))
  t.strictSame(await lettersIn(upright.bytes, word), [0, 0, 0, 0, 0, 0])
})
