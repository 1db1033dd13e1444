// Designs that show a customer's PDF, drawn with and without a press, and what came out of it.
import { existsSync } from 'node:fs'
import sharp from 'sharp'
import { installPackages } from '../debian.ts'
import { printTask, renderHere } from './materials.ts'

/** A view of 400 × 400 pixels on 100 × 100 mm, with the PDF in its middle. */
const viewOfPdf = (parameters: object = {}, options: object = {}) => ({
  title: 'Front',
  elements: [
    {
      title: 'logo',
      source: 'logo.pdf',
      type: 'image',
      parameters: { left: 200, top: 200, originX: 'center', originY: 'center', ...parameters },
    },
  ],
  options: {
    stageWidth: 400,
    stageHeight: 400,
    printingBox: { left: 0, top: 0, width: 400, height: 400 },
    output: { width: 100, height: 100 },
    ...options,
  },
})

/** A CMYK profile of Debian's Ghostscript. */
export async function pressProfile(): Promise<string> {
  const path = '/usr/share/color/icc/ghostscript/default_cmyk.icc'
  if (!existsSync(path)) await installPackages('libgs-common')
  return path
}

type PdfTask = Partial<Parameters<typeof renderHere>[0]>

/** The outcome, as text for refusals. */
export async function drawnPdf(
  pdf: Buffer,
  parameters: object = {},
  task: PdfTask = {},
  options: object = {},
) {
  const views = [viewOfPdf(parameters, options)]
  const whole = { ...printTask, dpi: 101.6, ...task } as Parameters<typeof renderHere>[0]
  const { outcome, bytes } = await renderHere(whole, views, [], { 'logo.pdf': pdf })
  const refusals = outcome.kind === 'done' ? [] : outcome.refusals.map(({ message }) => message)
  const warnings = outcome.kind === 'refused' ? [] : outcome.report.warnings
  return { bytes, refusals, warnings, messages: warnings.map(({ message }) => message) }
}

/** Left, top, width and height of what is dark, in pixels of the stage. */
export async function inkedArea(picture: Buffer): Promise<number[]> {
  const opaque = sharp(picture)
    .resize(400, 400, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .greyscale()
    .raw()
  const { data, info } = await opaque.toBuffer({ resolveWithObject: true })
  const dark = [...data.keys()].filter((index) => (data[index] ?? 255) < 128)
  const xs = dark.map((index) => index % info.width)
  const ys = dark.map((index) => Math.floor(index / info.width))
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return [left, top, Math.max(...xs) + 1 - left, Math.max(...ys) + 1 - top]
}
