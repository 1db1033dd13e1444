// fabric.js 5.3.0 in Debian's chromium: draws stored designs with a loader of our own, as the reference for our prints.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ensureCommands } from '../debian.ts'
import type { TestDesign } from './design-parts.ts'
import { loader } from './fabric-loader.ts'

const version = '5.3.0'
const integrity = 'AVayKuzWoXM5cTn7iD3yNWBlfEa8r1tHaOe2g8NsZrmWKAHjryTxT/j6f9ncRfOWOF0I1Ci1AId3y78cC+GExQ=='

/** The library's file, fetched once from the npm registry and checked. */
function fabricFile(): string {
  const folder = join(tmpdir(), `svc-tests-fabric-${version}`)
  const file = join(folder, 'package/dist/fabric.js')
  if (existsSync(file)) return file
  const work = `${folder}.${process.pid}`
  mkdirSync(work, { recursive: true })
  execFileSync('npm', ['pack', `fabric@${version}`, '--silent'], {
    cwd: work,
    timeout: 120_000,
    stdio: 'pipe',
  })
  const archive = join(work, `fabric-${version}.tgz`)
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (found !== integrity) throw new Error(`fabric ${version} is not the package that was reviewed.`)
  execFileSync('tar', ['xf', archive], { cwd: work })
  try {
    renameSync(work, folder)
  } catch {
    // Another process came first.
    rmSync(work, { recursive: true, force: true })
  }
  return file
}

export interface ReferenceFont {
  family: string
  bold: boolean
  italic: boolean
  bytes: Uint8Array
}

export interface ReferenceJob {
  elements: unknown[]
  printingBox: { left: number; top: number; width: number; height: number }
  mask: TestDesign['mask']
  /** Boxes of print areas by their ids. */
  areas: Record<string, ReferenceJob['printingBox']>
  /** The part of the stage that is drawn, and the pixels that it becomes. */
  area: { x: number; y: number; width: number; height: number }
  width: number
  height: number
  /** `data:` URLs by the names in the design. */
  sources: Record<string, string>
  /** PNG if there is none; PDF of fabric's own SVG. */
  format?: 'png' | 'jpeg' | 'svg-pdf'
}

export interface Reference {
  draw(job: ReferenceJob): Promise<Buffer>
  close(): Promise<void>
}

export async function reference(fonts: ReferenceFont[]): Promise<Reference> {
  const path = process.env.SVC_TEST_CHROMIUM ?? (await ensureCommands({ chromium: 'chromium' })).chromium
  const browser: Browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text', '--disable-gpu'],
  })
  const page: Page = await browser.newPage()
  await page.addScriptTag({ content: readFileSync(fabricFile(), 'utf8') })
  await page.addScriptTag({ content: `window.drawDesign = ${loader.toString()}` })
  for (const { family, bold, italic, bytes } of fonts) {
    const data = Buffer.from(bytes).toString('base64')
    const load = `(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(data)}), (c) => c.charCodeAt(0))
      const face = new FontFace(${JSON.stringify(family)}, bytes, { weight: '${bold ? 'bold' : 'normal'}', style: '${italic ? 'italic' : 'normal'}' })
      document.fonts.add(await face.load())
    })()`
    await page.evaluate(load)
  }
  return {
    async draw(job) {
      const url = await page.evaluate(`window.drawDesign(${JSON.stringify(job)})`)
      if (typeof url !== 'string') throw new Error('The reference drew nothing.')
      if (job.format === 'svg-pdf') return printedPage(browser, url, job)
      return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
    },
    close: () => browser.close(),
  }
}

async function printedPage(browser: Browser, svg: string, { width, height }: ReferenceJob): Promise<Buffer> {
  const page = await browser.newPage()
  try {
    await page.setContent(svg.slice(svg.indexOf('<svg')))
    return await page.pdf({ width: `${width}px`, height: `${height}px`, printBackground: true })
  } finally {
    await page.close()
  }
}
