// Every eighth test design (with SVC_SOAK=1 all) as a PDF that is mirrored and has text as paths: it looks as the flipped page with fonts.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { compare, pdfPixels, withFile } from '../support/render/compare.ts'
import { output, printingBox, type TestDesign } from '../support/render/design-parts.ts'
import { designs } from '../support/render/designs.ts'
import { printTask, renderHere, testFonts, testSources } from '../support/render/materials.ts'

await ensureCommands({ pdffonts: 'poppler-utils', qpdf: 'qpdf' })
t.setTimeout(900_000)
const fonts = await testFonts()
const sources = await testSources()

async function pdfOf({ elements, bleed, mask, printAreas }: TestDesign, task: object) {
  const boxes = printAreas ? { printAreas } : { printingBox }
  const options = { stageWidth: 600, stageHeight: 450, mask, ...boxes, output: { ...output, bleed } }
  const view = { title: 'view', elements, options }
  const { outcome, bytes } = await renderHere({ ...printTask, ...task }, [view], fonts, sources)
  return outcome.kind === 'done' ? bytes : undefined
}

const sample = process.env.SVC_SOAK ? designs : designs.filter((_, at) => at % 8 === 0)
for (const design of sample)
  t.test(`render › mirror and outlines: ${design.name}`, async (t) => {
    const plain = await pdfOf(design, {})
    const changed = await pdfOf(design, { mirror: true, outlines: true })
    if (!plain || !changed) {
      t.equal(plain, changed, 'both are refused')
      return
    }
    await withFile(changed, async (path) => {
      await promisify(execFile)('qpdf', ['--check', path])
      const { stdout } = await promisify(execFile)('pdffonts', [path])
      t.equal(stdout.trim().split('\n').length, 2, stdout)
    })
    const flipped = await sharp(await pdfPixels(plain, printTask.dpi))
      .flop()
      .png()
      .toBuffer()
    const { share, square } = await compare(await pdfPixels(changed, printTask.dpi), flipped)
    // Poppler moves glyphs of fonts to parts of pixels, and paths not: edges differ, areas do not.
    t.ok(share < 0.02 && square <= 3, `${share}, ${square}`)
  })
