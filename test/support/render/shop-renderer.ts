// The renderer over an uploads folder of its own, with pictures of one server downloaded as in an installation.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { downloader } from '../../../src/print/download.ts'
import { createRenderer } from '../../../src/renderer/renderer.ts'
import type { RendererOptions } from '../../../src/renderer/renderer-options.ts'
import { localStorage } from '../../../src/storage/local.ts'
import { fillUploads, uploadsUrl } from './render-shop.ts'

/** @param server `host:port` that pictures may come from */
export async function shopRenderer(t: Test, server: string, options: RendererOptions = {}) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-renderer-'))
  const tempDir = await mkdtemp(join(tmpdir(), 'svc-renderer-temp-'))
  await fillUploads(dir)
  const pictures = downloader({
    policy: { trusted: new Set([server]), allowedHosts: undefined, ports: [443] },
    limits: { bytes: 64 * 2 ** 20, seconds: 30 },
    tempDir,
  })
  const renderer = createRenderer({
    options,
    storage: localStorage(dir, uploadsUrl),
    uploadsUrl,
    siteUrl: 'https://shop.example',
    tempDir,
    warn: () => {},
    openStored: async () => undefined,
    download: async (url, signal, budget) => {
      const file = await pictures.fetch(pictures.checkUrl(url), signal, budget)
      return { path: file.path, discard: () => pictures.discard(file) }
    },
  })
  t.teardown(async () => {
    renderer.stop()
    await Promise.all([dir, tempDir].map((each) => rm(each, { recursive: true, force: true })))
  })
  const { signal } = new AbortController()
  const wish = { dpi: 72, cropMarks: true, includeFonts: false, includePictures: false, summary: false }
  const settings = { ...wish, format: 'svg-pdf' as const, minDpi: undefined }
  let count = 0
  return {
    tempDir,
    print: (client: string, view: object) =>
      renderer.print(JSON.stringify([view]), { ...settings, client }, signal),
    preflight: (client: string, view: object) =>
      renderer.preflight(JSON.stringify([view]), { minDpi: undefined, client }, signal),
    /** A new one each time. */
    preview: (client: string, view: object, width = 600) =>
      renderer.preview(JSON.stringify([view]), { key: `${++count}`, client, view: 0, width }, signal),
  }
}
