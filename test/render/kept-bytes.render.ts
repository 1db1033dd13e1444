// Bytes of pictures that a PDF takes as they are: turned JPEGs, plain PNGs; and the profile of CMYK pictures without one.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { compare, pdfPixels, withFile } from '../support/render/compare.ts'
import { printTask, renderHere, testFonts, testSources } from '../support/render/materials.ts'
import { pictureElement as picture, viewWith } from '../support/render/render-shop.ts'

await ensureCommands({ pdfimages: 'poppler-utils', qpdf: 'qpdf', gs: 'ghostscript' })
t.setTimeout(230_000)
const fonts = await testFonts()
const sources = await testSources()
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters, { maxBuffer: 2 ** 26 })).stdout
const base = sharp(sources['photo.jpg'])

async function printed(name: string, bytes: Buffer, task: object = {}) {
  const view = viewWith(picture(name, { left: 200, top: 150, scaleX: 0.7, scaleY: 0.7 }))
  const wish = { ...printTask, cropMarks: false, ...task }
  const { outcome, bytes: file } = await renderHere(wish, [view], fonts, { [name]: bytes })
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return file
}

/** The same page without the bytes of the picture: drawn from its pixels. */
const pixelsOf = async (name: string, bytes: Buffer) => {
  const upright = await sharp(bytes).rotate().toColourspace('srgb').ensureAlpha().png().toBuffer()
  return pdfPixels(await printed(name, upright), printTask.dpi)
}

for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
  t.test(`a JPEG with the Exif orientation ${orientation} keeps its bytes, and is upright`, async (t) => {
    const bytes = await base.clone().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
    const file = await printed('turned.jpg', bytes)
    await withFile(file, async (path) => {
      await run('pdfimages', '-all', path, `${path}.image`)
      t.ok((await readFile(`${path}.image-000.jpg`)).equals(bytes))
      t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
    })
    const { share, square } = await compare(
      await pdfPixels(file, printTask.dpi),
      await pixelsOf('turned.png', bytes),
    )
    t.ok(share < 0.005 && square <= 3, `${share}, ${square}`)
  })
}

for (const [kind, make] of [
  ['RGB', () => base.clone().png()],
  ['gray', () => base.clone().grayscale().png()],
  ['a palette', () => base.clone().png({ palette: true, colours: 64 })],
] as const) {
  t.test(`the deflated rows of a PNG in ${kind} are those in the PDF`, async (t) => {
    const bytes = await make().toBuffer()
    const file = await printed('plain.png', bytes)
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IDAT') + 100)
    t.ok(file.includes(data))
    const { share, square } = await compare(
      await pdfPixels(file, printTask.dpi),
      await pixelsOf('other.png', bytes),
    )
    t.ok(share < 0.005 && square <= 3, `${share}, ${square}`)
    await withFile(file, async (path) =>
      t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/),
    )
  })
}

t.test('transparent, interlaced and calibrated PNGs are drawn from their pixels', async (t) => {
  for (const bytes of [
    await sharp(sources['logo.png']).png().toBuffer(),
    await base.clone().png({ progressive: true }).toBuffer(),
    await base.clone().withIccProfile('p3').png().toBuffer(),
  ]) {
    const data = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IDAT') + 100)
    t.notOk((await printed('odd.png', bytes)).includes(data))
  }
})

t.test('a CMYK picture without a profile is converted by that of the shop', async (t) => {
  const profile = '/usr/share/color/icc/ghostscript/default_cmyk.icc'
  const { data, info } = await base.clone().toColourspace('cmyk').raw().toBuffer({ resolveWithObject: true })
  const plain = await sharp(data, { raw: info }).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
  t.match(await sharp(plain).metadata(), { space: 'cmyk', hasProfile: false })
  const [own, common] = [
    await printed('press.jpg', plain, { cmykProfile: profile, format: 'png' }),
    await printed('press.jpg', plain, { format: 'png' }),
  ]
  const [a, b] = await Promise.all([own, common].map((png) => sharp(png).removeAlpha().raw().toBuffer()))
  const sum = a?.reduce((all, value, index) => all + Math.abs(value - (b?.[index] ?? 0)), 0) ?? 0
  t.ok(sum / (a?.length ?? 1) > 1, `a mean difference of ${sum / (a?.length ?? 1)}`)
})
