// How much of a file is drawn, told while it is.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createRenderer } from '../../../src/renderer/renderer.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { fillUploads, textElement, uploadsUrl, viewWith } from '../../support/render/render-shop.ts'

t.test('the progress of a file rises with its pages, and never passes the whole', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-progress-'))
  await fillUploads(dir)
  const renderer = createRenderer({
    options: { jobs: 1 },
    storage: localStorage(dir, uploadsUrl),
    uploadsUrl,
    siteUrl: 'https://shop.example',
    tempDir: dir,
    warn: () => {},
    openStored: async () => undefined,
    download: () => Promise.reject(new Error('Nothing is fetched here.')),
  })
  t.teardown(async () => {
    renderer.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const wish = {
    client: 'order 1',
    dpi: 72,
    cropMarks: true,
    includeFonts: false,
    includePictures: false,
    summary: false,
  }
  const pages = Array.from({ length: 10 }, (_, n) => viewWith(textElement(`Page ${n}`)))
  for (const format of ['svg-pdf', 'png'] as const) {
    const told: number[] = []
    const progress = (done: number) => void told.push(done)
    const signal = new AbortController().signal
    await renderer.print(JSON.stringify(pages), { ...wish, format, minDpi: undefined, progress }, signal)
    t.ok(told.length >= 10 && told.length <= 20, `${told.length} messages`)
    t.strictSame(
      told,
      told.toSorted((a, b) => a - b),
    )
    t.ok((told[0] ?? 0) >= 0.2 && (told.at(-1) ?? 1) < 1)
  }
})
