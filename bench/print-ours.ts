// Prints by the renderer of this package.
import sharp from 'sharp'
import { printTask, renderHere } from '../test/support/render/materials.ts'
import { type JobName, printFonts, printJob, printSources } from './print-jobs.ts'
import type { DrawPrint } from './print-worker.ts'

// As in its own processes.
sharp.cache(false)
sharp.concurrency(1)
const fonts = await printFonts()
const sources = new Map<JobName, Record<string, Buffer>>()

export const draw: DrawPrint = async ({ job, format }) => {
  const known = sources.get(job) ?? (await printSources(job))
  sources.set(job, known)
  const { elements, printingBox, output, dpi } = printJob(job)
  const views = [{ title: job, elements, options: { printingBox, output } }]
  const { outcome, bytes } = await renderHere({ ...printTask, format, dpi }, views, fonts, known)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return bytes
}
