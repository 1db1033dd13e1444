// Emoji in color, from a folder of drawings.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { pdfPixels } from '../../support/render/compare.ts'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { pictureElement, textElement as text, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdftoppm: 'poppler-utils' })
const fonts = await testFonts()

/** A folder with squares in the colors of the emoji. */
async function collection(t: Test, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-emoji-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  for (const [name, inner] of Object.entries(files))
    await writeFile(
      join(folder, `${name}.svg`),
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">${inner}</svg>`,
    )
  return folder
}
const square = (fill: string) => `<path fill="${fill}" d="M0 0h36v36H0z"/>`

async function printed(words: string, emoji: string | undefined, parameters: object = {}, format = 'png') {
  const view = viewWith(text(words, { fontSize: 60, ...parameters }))
  const wish = { ...printTask, cropMarks: false, format: format as 'png' }
  const { outcome, bytes } = await renderHere(wish, [view], fonts, {}, false, emoji)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, warnings: outcome.report.warnings }
}

/** Pixels of a color. */
async function count(png: Buffer, red: number, green: number, blue: number): Promise<number> {
  const { data } = await sharp(png)
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  let sum = 0
  for (let i = 0; i < data.length; i += 3)
    if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) sum++
  return sum
}

t.test('emoji are printed in their colors, with a warning, and no larger than a line', async (t) => {
  const folder = await collection(t, { '1f600': square('#fc0'), '2764': square('#f00') })
  const { bytes, warnings } = await printed('Hi 😀❤️', folder, { fill: '#0000ff' })
  t.match(warnings, [{ code: 'glyph', message: /lacks 😀 ❤️, which is printed in "emoji in color"/ }])
  const [yellow, red] = [await count(bytes, 255, 204, 0), await count(bytes, 255, 0, 0)]
  t.ok(yellow > 1000 && Math.abs(yellow - red) < yellow / 20, `${yellow} and ${red} pixels`)
  t.ok((await count(bytes, 0, 0, 255)) > 100)
})

t.test(
  'files are found under the names of other collections, and joined emoji by all their characters',
  async (t) => {
    const names = {
      emoji_u1f600: square('#fc0'),
      '1F44B-1F3FD': square('#a64'),
      '1f469-200d-1f680': square('#0af'),
    }
    const folder = await collection(t, names)
    t.ok(await count((await printed('😀', folder)).bytes, 255, 204, 0))
    t.ok(await count((await printed('👋🏽', folder)).bytes, 170, 102, 68))
    t.ok(await count((await printed('👩‍🚀', folder)).bytes, 0, 170, 255))
  },
)

t.test('a transparent emoji fades as a whole, in pixels and in a PDF alike', async (t) => {
  const folder = await collection(t, { '1f600': square('#fc0') + square('#00f') })
  const { bytes } = await printed('😀', folder, { opacity: 0.5 })
  t.ok(await count(bytes, 127, 127, 255))
  const pdf = await printed('😀', folder, { opacity: 0.5 }, 'svg-pdf')
  t.ok(await count(await pdfPixels(pdf.bytes, printTask.dpi), 127, 127, 255))
})

t.test(
  'curved, turned, stroked and shadowed emoji are drawn, and so are those without a drawing',
  async (t) => {
    const folder = await collection(t, { '1f600': square('#fc0') })
    const looks = { stroke: '#0f0', strokeWidth: 2, shadowColor: '#000', shadowBlur: 4 }
    t.ok(await count((await printed('A😀', folder, { ...looks, angle: 90 })).bytes, 255, 204, 0))
    t.ok(
      await count(
        (await printed('😀😀', folder, { curved: true, curveRadius: 60, fontSize: 30 })).bytes,
        255,
        204,
        0,
      ),
    )
    const { warnings } = await printed('😎', folder)
    t.match(warnings, [{ message: /"DejaVu Sans"|"Noto Emoji"/ }])
    t.match((await printed('😀', undefined)).warnings, [{ message: /"DejaVu Sans"|"Noto Emoji"/ }])
  },
)

t.test('a drawing of an emoji that cannot be drawn as vectors leaves it in one color', async (t) => {
  const folder = await collection(t, {
    '1f600': '<filter id="f"/><path filter="url(#f)" d="M0 0h9v9z"/>',
    '1f601': '<oops',
  })
  for (const emoji of ['😀', '😁'])
    t.match((await printed(emoji, folder)).warnings, [{ message: /"DejaVu Sans"|"Noto Emoji"/ }])
})

t.test(
  'outlinedText: an emoji in the text of a drawing is refused, since it has no outline in one color',
  async (t) => {
    const folder = await collection(t, { '1f600': square('#fc0') })
    const url = 'https://shop.example/hello.svg'
    const filter = '<filter id="f"><feOffset/></filter><path filter="url(#f)" d="M0 0h9v9z"/>'
    for (const feature of ['', filter]) {
      const inner = `${feature}<text x="9" y="50" font-family="Liberation Sans">Hi 😀</text>`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${inner}</svg>`
      const view = viewWith(pictureElement(url))
      const task = { ...printTask, format: 'png' } as const
      const { outcome } = await renderHere(task, [view], fonts, { [url]: Buffer.from(svg) }, false, folder)
      t.match(outcome, { kind: 'refused', refusals: [{ code: 'drawing', message: /text with an emoji/ }] })
    }
  },
)
