// A shop whose orders are drawn by the built-in renderer: fonts and pictures in its uploads folder, one order.
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import type { Test } from 'tap'
import type { RendererOptions } from '../../../src/renderer/renderer-options.ts'
import { createShop, shopOrder } from '../fixtures/shop.ts'
import { type BuildOptions, build, type Engine } from '../hosts/build.ts'

const liberation = resolve(import.meta.dirname, '../../../node_modules/pdfjs-dist/standard_fonts')

export const uploadsUrl = 'https://shop.example/wp-content/uploads'

export const textElement = (text: string, parameters: object = {}) => ({
  title: text,
  source: text,
  type: 'text',
  parameters: { text, left: 200, top: 150, fontFamily: 'Liberation Sans', fontSize: 30, ...parameters },
})

export const pictureElement = (source: string, parameters: object = {}) => ({
  title: 'Photo',
  source,
  type: 'image',
  parameters: { left: 200, top: 150, ...parameters },
})

export const photoUrl = `${uploadsUrl}/svc/uploads/2026/11/photo.jpg`

export const viewWith = (...elements: unknown[]) => ({
  title: 'Front',
  elements,
  options: {
    stageWidth: 400,
    stageHeight: 300,
    printingBox: { left: 50, top: 50, width: 300, height: 200 },
    output: { width: 75, height: 50, bleed: 3 },
  },
})

/** @param dir an uploads folder */
export async function fillUploads(dir: string): Promise<void> {
  await mkdir(join(dir, 'svc/fonts'), { recursive: true })
  await mkdir(join(dir, 'svc/uploads/2026/11'), { recursive: true })
  await copyFile(join(liberation, 'LiberationSans-Regular.ttf'), join(dir, 'svc/fonts/Liberation_Sans.ttf'))
  await copyFile(
    join(liberation, 'LiberationSans-Bold.ttf'),
    join(dir, 'svc/fonts/Liberation_Sans__bold.ttf'),
  )
  const noise = sharp({ create: { width: 240, height: 160, channels: 3, background: '#4488cc' } })
  await writeFile(join(dir, 'svc/uploads/2026/11/photo.jpg'), await noise.jpeg().toBuffer())
}

interface ShopOptions extends Omit<BuildOptions, 'engine' | 'renderer'> {
  renderer?: RendererOptions
}

/** `files` are the print files in the storage; `temporary` what lies in the folder of temporary files. */
export async function renderShop(
  t: Test,
  engine: Engine,
  design: unknown,
  { renderer = {}, ...options }: ShopOptions = {},
) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-render-shop-'))
  const tempDir = await mkdtemp(join(tmpdir(), 'svc-render-temp-'))
  t.teardown(() => Promise.all([dir, tempDir].map((each) => rm(each, { recursive: true, force: true }))))
  await fillUploads(dir)
  const changes: string[] = []
  const host = await build(t, {
    engine,
    uploads: { dir, url: uploadsUrl },
    renderer,
    onPrintJobChanged: ({ status }) => void changes.push(status),
    ...options,
    printReady: { tempDir, ...options.printReady },
  })
  await createShop(host)
  const text = typeof design === 'string' ? design : JSON.stringify(design)
  const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', text]] }] })
  const order = (body: object = {}, headers: Record<string, string> = {}) =>
    host.call('POST', `/orders/${id}/export`, { item_id: items[0], ...body }, headers)
  const files = async () => {
    const names = await readdir(join(dir, 'svc/print_files'), { recursive: true }).catch(() => [])
    return names.filter((name) => name.includes('/')).map((name) => join(dir, 'svc/print_files', name))
  }
  return {
    host,
    id,
    item: items[0] ?? 0,
    dir,
    tempDir,
    order,
    changes,
    files,
    temporary: () => readdir(tempDir),
    only: async () => readFile((await files())[0] ?? ''),
  }
}
