// PDFs of customers beside other programs: what Chromium and PDFKit wrote looks the same in the print, in pixels and as vectors, and the
// files keep the rules of PDF and PDF/X-4.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import PdfKit from 'pdfkit'
import sharp from 'sharp'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { startChromium } from '../support/peers/chromium.ts'
import { compare, pdfPixels, withFile } from '../support/render/compare.ts'
import { drawnPdf, pressProfile } from '../support/render/pdf-designs.ts'
import { pdfXFaults } from '../support/render/pdf-x.ts'

await ensureCommands({
  gs: 'ghostscript',
  pdftoppm: 'poppler-utils',
  pdffonts: 'poppler-utils',
  qpdf: 'qpdf',
})
t.setTimeout(300_000)
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters, { maxBuffer: 2 ** 26 })).stdout
const font = await readFile(
  resolve(import.meta.dirname, '../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf'),
)
/** 400 × 400 points, which fill the page of the design. */
const side = 400

const markup = `<style>@page { size: ${side}pt ${side}pt; margin: 0 } body { margin: 24px; font: 30px serif }</style>
  <h1 style="color: #c00">Grüße</h1><p style="opacity: .5; background: linear-gradient(90deg, red, blue)">faded words</p>
  <svg width="300" height="150"><circle cx="75" cy="75" r="60" fill="green" stroke="black" stroke-width="8"/>
  <rect x="90" y="40" width="180" height="90" fill="gold" style="mix-blend-mode: multiply"/></svg>`

async function ofBrowser(): Promise<Buffer> {
  const browser = await startChromium(t)
  const page = await browser.newPage()
  await page.setContent(markup)
  const bytes = await page.pdf({ preferCSSPageSize: true, printBackground: true })
  return Buffer.from(bytes)
}

/** Text and shapes in CMYK and a spot color. */
async function ofPress(): Promise<Buffer> {
  const doc = new PdfKit({ size: [side, side], margin: 0 })
  const whole = buffer(doc as unknown as NodeJS.ReadableStream)
  const colors = doc as unknown as { addSpotColor(name: string, ...inks: number[]): void }
  colors.addSpotColor('PANTONE 186 C', 2, 100, 85, 6)
  doc.rect(40, 200, 150, 150).fill('PANTONE 186 C')
  doc
    .rect(150, 250, 200, 60)
    .fillOpacity(0.5)
    .fill([100, 0, 0, 0] as never)
  doc
    .fillOpacity(1)
    .font(font as never)
    .fontSize(60)
    .fillColor([0, 0, 0, 100] as never)
    .text('Logo', 40, 60)
  doc.end()
  return whole
}

const files = { browser: await ofBrowser(), press: await ofPress() }

async function assertSound(bytes: Buffer) {
  await withFile(bytes, async (path) => {
    t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
    t.equal(await run('gs', '-q', '-o', '/dev/null', '-sDEVICE=nullpage', path), '')
    const fonts = (await run('pdffonts', path)).trim().split('\n').slice(2)
    t.ok(
      fonts.every((line) => /yes (?:yes|no) +(?:yes|no) +\d+ +0$/.test(line)),
      fonts.join('\n'),
    )
  })
}

t.test('a PDF looks the same in a PNG, as vectors and by itself', async (t) => {
  for (const [name, file] of Object.entries(files)) {
    const itself = await sharp(await pdfPixels(file, 101.6 * (283.46 / side)))
      .resize(side, side)
      .png()
      .toBuffer()
    const { bytes: png, messages } = await drawnPdf(file, {}, { format: 'png' })
    t.strictSame(messages, [], name)
    const { bytes: vectors } = await drawnPdf(file)
    await assertSound(vectors)
    const shown = await pdfPixels(vectors, 101.6)
    t.ok((await compare(shown, itself)).square <= 3, `${name}: vectors`)
    t.ok(
      (await compare(await sharp(png).resize(side, side).png().toBuffer(), itself)).square <= 3,
      `${name}: pixels`,
    )
  }
})

/** Share of the plate that is inked, by its name. */
async function plates(bytes: Buffer): Promise<Record<string, number>> {
  return withFile(bytes, async (path) => {
    const log = await run('gs', '-q', '-o', `${path}.tif`, '-sDEVICE=tiffsep', '-r72', path)
    t.notMatch(log, /error|warning/i)
    const all: Record<string, number> = {}
    for (const name of ['Cyan', 'Magenta', 'Yellow', 'Black', 'PANTONE 186 C', 'White']) {
      const plate = await sharp(join(path, '..', `file(${name}).tif`))
        .greyscale()
        .stats()
        .catch(() => undefined)
      if (plate) all[name] = 255 - (plate.channels[0]?.mean ?? 255)
    }
    return all
  })
}

t.test('in PDF/X-4 inks and spot colors stay, and RGB is converted as a picture', async (t) => {
  const press = {
    profile: await pressProfile(),
    condition: 'FOGRA39',
    overprintBlack: false,
    blackInk: 'text',
    maxInk: 400,
    spots: [],
  } as const
  for (const [name, file] of Object.entries(files)) {
    const { bytes, warnings } = await drawnPdf(file, {}, { press })
    t.strictSame(
      warnings.map(({ code }) => code),
      name === 'press' ? [] : ['rgb'],
    )
    await assertSound(bytes)
    const json = await withFile(bytes, (path) =>
      run('qpdf', '--json=2', '--json-stream-data=inline', '--decode-level=generalized', path),
    )
    t.strictSame(pdfXFaults(JSON.parse(json)), [], name)
    const inked = await plates(bytes)
    t.ok((inked.Black ?? 0) > 1, name)
    t.equal('PANTONE 186 C' in inked, name === 'press')
  }
})

t.test('white lies below what a PDF paints, and nowhere else', async (t) => {
  const press = {
    profile: await pressProfile(),
    condition: 'FOGRA39',
    overprintBlack: false,
    blackInk: 'text',
    maxInk: 400,
    spots: [],
  } as const
  const options = { output: { width: 100, height: 100, whiteUnderprint: 'White' } }
  const { bytes } = await drawnPdf(files.press, {}, { press }, options)
  const inked = await plates(bytes)
  // The square and the half transparent bar beside it.
  const share = (150 * 150 + 0.5 * (200 * 60 - 40 * 60)) / side ** 2
  const white = (inked.White ?? 0) / 255
  t.ok(white > share && white < share + 0.06, `${white}, at least ${share}`)
})
