// What drawing costs, what hostile designs cost the host, and processes that are killed at any moment while they draw.
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { createRenderer, type PrintSettings } from '../../src/renderer/renderer.ts'
import type { RendererOptions } from '../../src/renderer/renderer-options.ts'
import { localStorage } from '../../src/storage/local.ts'
import { onEachEngine } from '../support/hosts/build.ts'
import { renderKills } from '../support/render/render-kills.ts'
import { fillUploads, pictureElement, textElement, uploadsUrl } from '../support/render/render-shop.ts'

const wish: PrintSettings = {
  client: 'order 1',
  format: 'svg-pdf',
  dpi: 300,
  cropMarks: true,
  includeFonts: false,
  includePictures: false,
  summary: false,
  minDpi: undefined,
}

async function rendererFor(t: Test, options: RendererOptions = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-render-soak-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await fillUploads(dir)
  return createRenderer({
    options,
    storage: localStorage(dir, uploadsUrl),
    uploadsUrl,
    siteUrl: 'https://shop.example',
    tempDir: dir,
    warn: () => {},
    openStored: async () => undefined,
    download: () => Promise.reject(new Error('Nothing is fetched here.')),
  })
}

/** Most megabytes of any child while `work` runs, and its milliseconds. */
async function measured<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; mb: number }> {
  let most = 0
  const look = setInterval(() => {
    for (const file of globSync('/proc/[0-9]*/stat')) {
      try {
        const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
        if (Number(fields[1]) === process.pid) most = Math.max(most, (Number(fields[21]) * 4096) / 2 ** 20)
      } catch {
        // It has ended meanwhile.
      }
    }
  }, 30)
  const from = performance.now()
  const result = await work()
  clearInterval(look)
  return { result, ms: Math.round(performance.now() - from), mb: Math.round(most) }
}

/** Data of a picture of noise, as cameras make them. */
async function photo(width: number, height: number): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  const image = sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  return `data:image/jpeg;base64,${(await image.jpeg({ quality: 85 }).toBuffer()).toString('base64')}`
}

/** A page of so many millimetres with a picture all over it, and texts. */
async function page(width: number, height: number, pixels: number) {
  const across = Math.round(Math.sqrt((pixels * width) / height))
  const source = await photo(across, Math.round((across * height) / width))
  const scale = width / across
  const texts = Array.from({ length: 12 }, (_, i) =>
    textElement(`Line ${i} of the order`, {
      left: width / 2,
      top: 20 + i * (height / 14),
      fontSize: height / 30,
    }),
  )
  const photoElement = pictureElement(source, {
    left: width / 2,
    top: height / 2,
    scaleX: scale,
    scaleY: scale,
  })
  const title = textElement('Shadow', {
    left: width / 2,
    top: height / 2,
    fontSize: height / 10,
    shadowColor: '#000',
    shadowBlur: 4,
  })
  return {
    title: 'Page',
    elements: [photoElement, ...texts, title],
    options: { printingBox: { left: 0, top: 0, width, height }, output: { width, height, bleed: 3 } },
  }
}

t.test('figures for each page', async (t) => {
  // A busy machine may take longer than a host would wait.
  const renderer = await rendererFor(t, { seconds: 600 })
  t.comment(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`)
  const signal = new AbortController().signal
  const typical = await page(90, 55, 1_000_000)
  for (const [name, view] of [
    ['typical (90 × 55 mm, 1 MP)', typical],
    ['A4 (8 MP)', await page(210, 297, 8_000_000)],
    ['A2 (24 MP)', await page(420, 594, 24_000_000)],
  ] as const) {
    for (const format of ['svg-pdf', 'png', 'jpeg', 'svg'] as const) {
      const design = JSON.stringify([view])
      const { ms, mb, result } = await measured(() => renderer.print(design, { ...wish, format }, signal))
      t.comment(`${name}, ${format} at 300 dpi: ${ms} ms, ${mb} MB`)
      t.ok(result.path)
      await rm(result.path)
    }
  }
  const design = JSON.stringify([await page(210, 297, 8_000_000)])
  const both = () => Promise.all([1, 2].map(() => renderer.print(design, wish, signal)))
  const { ms, mb, result } = await measured(both)
  t.comment(`two of A4 at once, svg-pdf: ${ms} ms, ${mb} MB each`)
  await Promise.all(result.map(({ path }) => rm(path)))
})

t.test('hostile designs do not hold up the host', async (t) => {
  const renderer = await rendererFor(t)
  const signal = new AbortController().signal
  const blurred = Array.from({ length: 300 }, (_, i) =>
    textElement(`B${i}`, { shadowColor: '#000', shadowBlur: 900, fontSize: 900, letterSpacing: 1 }),
  )
  const many = Array.from({ length: 10_000 }, () => textElement('x'.repeat(500)))
  const options = {
    printingBox: { left: 0, top: 0, width: 400, height: 300 },
    output: { width: 400, height: 300 },
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const outcomes = await Promise.allSettled(
    [blurred, many, blurred, many].map((elements) =>
      renderer.print(
        JSON.stringify([{ title: 'Hostile', elements, options }]),
        { ...wish, format: 'png' },
        signal,
      ),
    ),
  )
  delay.disable()
  t.comment(outcomes.map(({ status }) => status).join(', '))
  const p99 = delay.percentile(99) / 1e6
  t.comment(`event loop delay of the host: p99 ${p99.toFixed(1)} ms, most ${(delay.max / 1e6).toFixed(1)} ms`)
  t.ok(p99 < 200)
})

t.test('killed at forty moments, each job is completed once and has one file', (t) =>
  onEachEngine(t, async (t, engine) => {
    const moments = Array.from({ length: 20 }, (_, i) => i * 90)
    for (const moment of moments) {
      const { jobs, files, status, finished } = await renderKills(t, engine, [moment])
      const made = finished + 1
      t.same(
        { status, jobs: jobs.map((job) => job.status), files: files.length },
        { status: 'completed', jobs: Array(made).fill('completed'), files: made },
        `${moment} ms`,
      )
    }
  }),
)
