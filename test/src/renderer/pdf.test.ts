// What a print shop's tools say about the PDF: embedded subsets, untouched JPEG, boxes, marks, text, sound structure.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { compare, finer, pdfPixels, shrunk, withFile } from '../../support/render/compare.ts'
import { output, printingBox } from '../../support/render/design-parts.ts'
import { designs } from '../../support/render/designs.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'

await ensureCommands({ pdffonts: 'poppler-utils', qpdf: 'qpdf' })
t.setTimeout(230_000)
const fonts = await testFonts()
const sources = await testSources()
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters)).stdout

const text = (words: string, parameters: object) => ({
  title: words,
  source: words,
  type: 'text',
  parameters: {
    text: words,
    left: 300,
    top: 225,
    fontFamily: 'Liberation Sans',
    fontSize: 40,
    ...parameters,
  },
})
const view = {
  title: 'Front',
  options: { printingBox, output: { ...output, bleed: 5 } },
  elements: [
    {
      title: 'photo',
      source: 'photo.jpg',
      type: 'image',
      parameters: { left: 300, top: 225, scaleX: 1.2, scaleY: 1.2 },
    },
    text('Hamburg office', { top: 120 }),
    text('Bold words', { top: 200, fontWeight: 'bold' }),
    text('Ελληνικά', { top: 300, fontFamily: 'DejaVu Sans' }),
    text('AROUND', { curved: true, curveRadius: 90, textAlign: 'center', fontSize: 24 }),
  ],
}
const print = async (task: object = {}, views: unknown = [view]) => {
  const { outcome, bytes } = await renderHere({ ...printTask, ...task }, views, fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return bytes
}

t.test('fonts are embedded as subsets, and their text can be read', async (t) => {
  await withFile(await print(), async (path) => {
    const lines = (await run('pdffonts', path)).trim().split('\n').slice(2)
    t.equal(lines.length, 3)
    for (const line of lines) t.match(line, /^[A-Z]{6}\+\S+ +CID TrueType +Identity-H +yes yes yes/)
    const words = await run('pdftotext', path, '-')
    for (const word of ['Hamburg', 'office', 'Bold words', 'Ελληνικά']) t.match(words, word)
  })
})

t.test('a JPEG keeps its bytes', async (t) => {
  await withFile(await print(), async (path) => {
    await run('pdfimages', '-j', path, `${path}.image`)
    t.ok((await readFile(`${path}.image-000.jpg`)).equals(sources['photo.jpg'] ?? Buffer.alloc(0)))
  })
})

t.test(
  'the page has trim, bleed and media box, crop marks unless they are hidden, and is sound',
  async (t) => {
    const mm = (points: string) => (Number(points) / 72) * 25.4
    for (const [cropMarks, slug] of [
      [false, 0],
      [true, 7],
    ] as const) {
      await withFile(await print({ cropMarks }), async (path) => {
        t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
        const info = await run('pdfinfo', '-box', path)
        for (const [name, edge] of [
          ['MediaBox', 0],
          ['BleedBox', slug],
          ['TrimBox', slug + 5],
        ] as const) {
          const [, left = '', , right = ''] =
            new RegExp(`${name}: +(\\S+) +(\\S+) +(\\S+) +(\\S+)`).exec(info) ?? []
          t.ok(Math.abs(mm(left) - edge) < 0.01, `${name} begins at ${mm(left)} mm`)
          t.ok(
            Math.abs(mm(right) - (output.width + 2 * (slug + 5) - edge)) < 0.01,
            `${name} ends at ${mm(right)} mm`,
          )
        }
      })
    }
  },
)

t.test('each view is a page, and each printed name', async (t) => {
  const shirt = {
    ...view,
    elements: [text('NAME', { textPlaceholder: true }), text('0', { numberPlaceholder: [0, 99], top: 320 })],
    names_numbers: [
      { name: 'Ada', number: '7', select: 'M' },
      { name: 'Grace', number: '12', select: 'L' },
    ],
  }
  await withFile(await print({}, [view, shirt]), async (path) => {
    t.match(await run('pdfinfo', path), /Pages: +3/)
    const words = await run('pdftotext', path, '-')
    for (const word of ['Ada', '7', 'Grace', '12']) t.match(words, word)
    t.notMatch(words, 'NAME')
  })
})

t.test('the same design gives the same bytes, in every format', async (t) => {
  const all = designs.at(-1)
  const views = [{ ...view, elements: all?.elements }]
  for (const format of ['svg-pdf', 'png', 'jpeg', 'svg']) {
    const [one, two] = [await print({ format }, views), await print({ format }, views)]
    t.ok(one.length > 1000 && one.equals(two), format)
  }
})

t.test('several pages of pictures come in a ZIP that others can open', async (t) => {
  const zip = await print({ format: 'jpeg', summary: true, includePictures: true }, [view, view])
  await withFile(zip, async (path) => {
    const listing = await run('python3', '-m', 'zipfile', '-l', path)
    for (const name of ['page-1.jpg', 'page-2.jpg', 'images/1.jpg', 'summary.json']) t.match(listing, name)
    t.match(await run('python3', '-m', 'zipfile', '-t', path), /Done testing/)
  })
})

t.test('a page of the PDF looks like its PNG', async (t) => {
  const shadow = { shadowColor: 'rgba(0,0,0,.6)', shadowOffsetX: 6, shadowOffsetY: 4 }
  const at = (element: { parameters: object }, more: object) => ({
    ...element,
    parameters: { ...element.parameters, ...more },
  })
  const image = (source: string, parameters: object) => ({ title: source, source, type: 'image', parameters })
  const box = { textBox: true, width: 150, fontSize: 20 }
  for (const [name, ...elements] of [
    [
      'texts',
      text('Wide', { top: 60, left: 150, letterSpacing: 6, underline: true }),
      text('Lean', {
        top: 60,
        left: 430,
        fontStyle: 'italic',
        fontFamily: 'DejaVu Serif',
        linethrough: true,
      }),
      text('Turned', { top: 150, left: 150, angle: 30, scaleX: 1.5, stroke: 'red', strokeWidth: 2 }),
      text('Two\nlines', {
        top: 160,
        left: 430,
        textBackgroundColor: '#fd0',
        lineHeight: 1.3,
        textAlign: 'right',
      }),
      text('AROUND THE WORLD', {
        top: 330,
        left: 130,
        curved: true,
        curveRadius: 70,
        fontSize: 20,
        overline: true,
      }),
      text('words that are justified to both sides of it', {
        ...box,
        top: 330,
        left: 330,
        textAlign: 'justify',
      }),
      text('flipped', { top: 330, left: 500, flipX: true, skewX: 10, opacity: 0.5 }),
    ],
    [
      'paints',
      text('Fade', {
        top: 80,
        left: 150,
        fontSize: 80,
        fill: {
          type: 'linear',
          coords: { x1: 0, y1: 0, x2: 160, y2: 0 },
          colorStops: [
            { offset: 0, color: 'red' },
            { offset: 1, color: 'blue' },
          ],
        },
      }),
      text('Tiles', { top: 80, left: 430, fontSize: 80, pattern: 'logo.png' }),
      at(text('Cast', { top: 220, left: 150, fontSize: 60 }), { ...shadow, shadowBlur: 0 }),
      image('badge.svg', { top: 220, left: 430, scaleX: 1.2, angle: -20, ...shadow, shadowBlur: 4 }),
      image('photo.jpg', { top: 350, left: 150, scaleX: 0.4, scaleY: 0.4, flipY: true, filter: 'sepia' }),
      image('gradient.svg', { top: 350, left: 330, opacity: 0.6 }),
      image('star.svg', {
        top: 350,
        left: 480,
        fill: '#0a8',
        boundingBox: { x: 440, y: 310, width: 60, height: 90 },
        boundingBoxMode: 'clipping',
      }),
    ],
  ] as const) {
    const views = [{ ...view, options: { printingBox, output }, elements }]
    const dpi = 60
    const pdf = await pdfPixels(await print({ cropMarks: false }, views), dpi)
    const png = await shrunk(await print({ format: 'png', dpi: dpi * finer }, views))
    const { share, square } = await compare(pdf, png)
    t.ok(share < 0.015 && square < 3, `${name}: ${share}, ${square}`)
  }
})
