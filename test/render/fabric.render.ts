// Every design as the renderer prints it, beside the same design drawn by fabric.js in a browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { compare, finer, pdfPixels, shrunk } from '../support/render/compare.ts'
import { designs, output, printingBox, type TestDesign } from '../support/render/designs.ts'
import { reference } from '../support/render/fabric.ts'
import { printTask, renderHere, testFonts, testSources } from '../support/render/materials.ts'

const dpi = 150
await ensureCommands({ pdftoppm: 'poppler-utils' })
const fonts = await testFonts()
const sources = await testSources()
const browser = await reference(fonts)
t.teardown(() => browser.close())
t.setTimeout(230_000)

const urls = Object.fromEntries(
  Object.entries(sources).map(([name, bytes]) => {
    if (name.endsWith('.svg')) return [name, `data:image/svg+xml,${encodeURIComponent(bytes.toString())}`]
    return [name, `data:image/${name.endsWith('.png') ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`]
  }),
)

const wanted = process.env.SVC_TEST_DESIGN
const chosen = designs.filter(({ name }) => wanted === undefined || name === wanted)

function viewOf({ name, elements, bleed }: TestDesign) {
  const options = { stageWidth: 600, stageHeight: 450, printingBox, output: { ...output, bleed: bleed ?? 0 } }
  return { title: name, elements, options }
}

async function referenceOf({ elements, bleed = 0 }: TestDesign) {
  const [x, y] = [(bleed / output.width) * printingBox.width, (bleed / output.height) * printingBox.height]
  const { left, top, width, height } = printingBox
  const pixels = (length: number) => Math.round(((length + 2 * bleed) / 25.4) * dpi)
  const drawn = await browser.draw({
    elements,
    printingBox,
    area: { x: left - x, y: top - y, width: width + 2 * x, height: height + 2 * y },
    width: pixels(output.width) * finer,
    height: pixels(output.height) * finer,
    sources: urls,
  })
  return shrunk(drawn)
}

for (const design of chosen) {
  t.test(`${design.name} looks as in the browser`, async (t) => {
    const expected = await referenceOf(design)
    for (const format of ['png', 'svg-pdf'] as const) {
      const { outcome, bytes } = await renderHere(
        { ...printTask, format, dpi },
        [viewOf(design)],
        fonts,
        sources,
      )
      if (outcome.kind !== 'done') {
        t.fail(`${format}: ${JSON.stringify(outcome)}`)
        continue
      }
      const picture = format === 'png' ? bytes : await pdfPixels(bytes, dpi)
      const { share, square } = await compare(picture, expected)
      keep(design.name, format, picture, expected)
      t.ok(share <= (design.share ?? 0.005), `${format}: ${(100 * share).toFixed(3)} % of the pixels differ`)
      t.ok(square <= 3, `${format}: no area of ${square} by ${square} pixels differs`)
    }
  })
}

/** For whoever looks into a difference. */
function keep(name: string, format: string, ours: Buffer, theirs: Buffer): void {
  const folder = process.env.SVC_TEST_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const stem = join(folder, name.replaceAll(/\W+/g, '-'))
  writeFileSync(`${stem}.${format}.png`, ours)
  writeFileSync(`${stem}.fabric.png`, theirs)
}
