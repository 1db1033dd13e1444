// Prints by @napi-rs/canvas, with what these designs need of a canvas written by hand: a lower bound for fabric on it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { type JobName, type PrintJob, printFonts, printJob, printSources } from './print-jobs.ts'
import type { DrawPrint } from './print-worker.ts'

/** What is used of the package, which is fetched for the benchmark alone. */
// biome-ignore lint/suspicious/noExplicitAny: it is no dependency, and its types are not there
type Any = any

const version = '1.0.11'

function canvasPackage(): Any {
  const folder = resolve(import.meta.dirname, '../node_modules/.cache/svc-bench/napi')
  if (!existsSync(join(folder, 'node_modules/@napi-rs/canvas'))) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const how = ['install', `@napi-rs/canvas@${version}`, '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', how, { cwd: folder, stdio: 'ignore', timeout: 120_000 })
  }
  return createRequire(join(folder, 'package.json'))('@napi-rs/canvas')
}

const kit = canvasPackage()
for (const { family, bold, bytes } of await printFonts())
  kit.GlobalFonts.register(Buffer.from(bytes), bold ? `${family} Bold` : family)
const sources = new Map<JobName, Record<string, Buffer>>()

async function paint(
  context: Any,
  { elements, area, width, height }: PrintJob,
  files: Record<string, Buffer>,
) {
  context.setTransform(width / area.width, 0, 0, height / area.height, 0, 0)
  context.translate(-area.x, -area.y)
  for (const { type, source, parameters: p } of elements) {
    context.save()
    context.translate(p.left, p.top)
    context.scale(p.scaleX ?? 1, p.scaleY ?? 1)
    if (type === 'image') {
      const image = await kit.loadImage(files[source])
      context.drawImage(image, -image.width / 2, -image.height / 2)
    } else words(context, source, p, width / area.width)
    context.restore()
  }
}

function words(context: Any, text: string, p: Any, zoom: number) {
  context.font = `${p.fontSize}px "Liberation Sans${p.fontWeight === 'bold' ? ' Bold' : ''}"`
  context.fillStyle = p.fill
  context.textBaseline = 'alphabetic'
  if (p.shadowColor) {
    context.shadowColor = p.shadowColor
    context.shadowBlur = p.shadowBlur * zoom
    context.shadowOffsetX = p.shadowOffsetX * zoom
    context.shadowOffsetY = p.shadowOffsetY * zoom
  }
  const width = context.measureText(text).width
  if (!p.curved) return context.fillText(text, -width / 2, p.fontSize * 0.32)
  let turn = -width / 2 / p.curveRadius
  for (const character of text) {
    const own = context.measureText(character).width
    turn += own / 2 / p.curveRadius
    context.save()
    context.rotate(turn)
    context.fillText(character, -own / 2, -p.curveRadius)
    context.restore()
    turn += own / 2 / p.curveRadius
  }
}

export const draw: DrawPrint = async ({ job, format }) => {
  const files = sources.get(job) ?? (await printSources(job))
  sources.set(job, files)
  const print = printJob(job)
  if (format === 'svg-pdf') {
    const document = new kit.PDFDocument()
    const points = (length: number) => ((length + 2 * print.output.bleed) / 25.4) * 72
    const [width, height] = [points(print.output.width), points(print.output.height)]
    await paint(document.beginPage(width, height), { ...print, width, height }, files)
    document.endPage()
    return document.close()
  }
  const canvas = kit.createCanvas(print.width, print.height)
  await paint(canvas.getContext('2d'), print, files)
  return format === 'png' ? canvas.encode('png') : canvas.encode('jpeg', 95)
}
