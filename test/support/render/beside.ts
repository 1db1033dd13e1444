// One design drawn by the renderer, in each format, beside the same design drawn by fabric.js in a browser.
import { compare, type Difference, finer, pdfPixels, shrunk } from './compare.ts'
import { output, printingBox, type TestDesign } from './design-parts.ts'
import { type ReferenceFont, reference } from './fabric.ts'
import { presetReferences, printTask, renderHere, testFonts, testSources } from './materials.ts'

const dpi = 150

export interface Beside extends Difference {
  format: 'png' | 'svg-pdf'
  ours: Buffer
  theirs: Buffer
}

export type Outcome = { beside: Beside[] } | { refused: string }

/** @throws Error if the reference cannot draw the design */
export type Draw = (design: TestDesign, drawings?: Record<string, Buffer>) => Promise<Outcome>

/** @param more fonts of the test itself */
export async function besideFabric(
  more: readonly ReferenceFont[] = [],
): Promise<{ draw: Draw; close(): Promise<void> }> {
  const fonts = [...(await testFonts()), ...more]
  const sources = await testSources()
  const browser = await reference([...fonts, ...presetReferences()])
  return {
    draw: async (design, drawings = {}) => {
      const all = { ...sources, ...drawings }
      const ours = await oursOf(design, fonts, all)
      if ('refused' in ours) return ours
      const theirs = await shrunk(await browser.draw(jobOf(design, all)))
      const beside: Beside[] = []
      for (const each of ours.drawn) beside.push({ ...each, theirs, ...(await compare(each.ours, theirs)) })
      return { beside }
    },
    close: () => browser.close(),
  }
}

type Ours = { drawn: Pick<Beside, 'format' | 'ours'>[] } | { refused: string }

async function oursOf(
  design: TestDesign,
  fonts: ReferenceFont[],
  sources: Record<string, Buffer>,
): Promise<Ours> {
  const { name, elements, bleed = 0, printAreas, mask } = design
  const boxes = printAreas ? { printAreas } : { printingBox }
  const options = { stageWidth: 600, stageHeight: 450, mask, ...boxes, output: { ...output, bleed } }
  const drawn: Pick<Beside, 'format' | 'ours'>[] = []
  for (const format of ['png', 'svg-pdf'] as const) {
    const views = [{ title: name, elements, options }]
    const { outcome, bytes } = await renderHere({ ...printTask, format, dpi }, views, fonts, sources)
    if (outcome.kind === 'refused')
      return { refused: outcome.refusals.map(({ message }) => message).join(' ') }
    drawn.push({ format, ours: format === 'png' ? bytes : await pdfPixels(bytes, dpi) })
  }
  return { drawn }
}

function jobOf({ elements, bleed = 0, printAreas = [], mask }: TestDesign, sources: Record<string, Buffer>) {
  const [x, y] = [(bleed / output.width) * printingBox.width, (bleed / output.height) * printingBox.height]
  const { left, top, width, height } = printingBox
  const pixels = (length: number) => Math.round(((length + 2 * bleed) / 25.4) * dpi) * finer
  const urls = Object.entries(sources).map(([name, bytes]) => [name, urlOf(name, bytes)] as const)
  return {
    elements,
    printingBox,
    mask,
    areas: Object.fromEntries(printAreas.map((area) => [area.id, area.printingBox])),
    area: { x: left - x, y: top - y, width: width + 2 * x, height: height + 2 * y },
    width: pixels(output.width),
    height: pixels(output.height),
    sources: Object.fromEntries(urls),
  }
}

function urlOf(name: string, bytes: Buffer): string {
  if (name.endsWith('.svg')) return `data:image/svg+xml,${encodeURIComponent(bytes.toString())}`
  return `data:image/${name.endsWith('.png') ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`
}
