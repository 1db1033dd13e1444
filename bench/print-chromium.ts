// Prints by fabric.js in Chromium, whose page stays open; PDFs of what fabric writes as SVG.
import { reference } from '../test/support/render/fabric.ts'
import { type JobName, printFonts, printJob, printSources } from './print-jobs.ts'
import type { DrawPrint } from './print-worker.ts'

const browser = await reference(await printFonts())
const sources = new Map<JobName, Record<string, string>>()

async function urlsOf(job: JobName): Promise<Record<string, string>> {
  const files = Object.entries(await printSources(job))
  return Object.fromEntries(
    files.map(([name, bytes]) => {
      if (name.endsWith('.svg')) return [name, `data:image/svg+xml,${encodeURIComponent(bytes.toString())}`]
      return [name, `data:image/${name.endsWith('.png') ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`]
    }),
  )
}

export const draw: DrawPrint = async ({ job, format }) => {
  const known = sources.get(job) ?? (await urlsOf(job))
  sources.set(job, known)
  const { elements, printingBox, area, width, height } = printJob(job)
  const whole = { elements, printingBox, mask: undefined, areas: {}, area, width, height, sources: known }
  return browser.draw({ ...whole, format })
}
