// A process that draws one design after another: what it drew before changes nothing of what follows.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { createRenderer, type PrintSettings } from '../../../src/renderer/renderer.ts'
import { localStorage } from '../../../src/storage/local.ts'
import {
  fillUploads,
  pictureElement,
  textElement,
  uploadsUrl,
  viewWith,
} from '../../support/render/render-shop.ts'

async function printer(t: Test) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-reused-'))
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
  const printText = async (format: PrintSettings['format'], design: string) => {
    const { path } = await renderer.print(
      design,
      { ...wish, format, minDpi: undefined },
      new AbortController().signal,
    )
    return readFile(path)
  }
  const print = (format: PrintSettings['format'], ...elements: unknown[]) =>
    printText(format, JSON.stringify([viewWith(...elements)]))
  return Object.assign(print, { text: printText })
}

// The same glyphs from other characters, words of another script, and pairs that are kerned.
const texts = [
  'AVA To \u00b5 \u2126 \u2206',
  'AVA To \u03bc \u03a9 \u0394',
  '\u05e9\u05dc\u05d5\u05dd AVA To',
]

t.test('a design is drawn with the same bytes, whichever fonts and texts were drawn before it', async (t) => {
  const alone = await Promise.all(texts.map(async (text) => (await printer(t))('svg-pdf', textElement(text))))
  const print = await printer(t)
  for (const round of [texts, texts.toReversed()]) {
    for (const text of round) {
      t.ok(
        (await print('svg-pdf', textElement(text))).equals(alone[texts.indexOf(text)] ?? Buffer.of()),
        text,
      )
    }
  }
})

t.test('names are read as they are meant, whatever names were in the designs before', async (t) => {
  const print = await printer(t)
  const design = (name: string) =>
    JSON.stringify([viewWith(textElement('red', { marked: 1 }))]).replace('"marked":1', `"${name}":"#ff0000"`)
  const plain = await print.text('png', design('fill'))
  // What V8 would take for the first characters of the next one.
  await print.text('png', design('\\\\u00'))
  t.ok((await print.text('png', design('\\u0066ill'))).equals(plain))
  t.notOk((await print.text('png', design('color'))).equals(plain))
})

t.test('a picture that is not changed keeps its bytes in an SVG', async (t) => {
  const print = await printer(t)
  const image = sharp({ create: { width: 40, height: 30, channels: 4, background: '#4488cc80' } })
  const url = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
  const plain = url(await image.png().toBuffer())
  t.match((await print('svg', pictureElement(plain))).toString(), plain)
  const profiled = url(await image.png().withIccProfile('p3').toBuffer())
  t.notMatch((await print('svg', pictureElement(profiled))).toString(), profiled, 'its colors are converted')
})
