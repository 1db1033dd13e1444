// Pages on sheets: where they lie, and what print tools say about the PDF.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import { bundleOf } from '../../../src/renderer/design.ts'
import { imposed, sheetOf } from '../../../src/renderer/sheet.ts'
import { ensureCommands } from '../../support/debian.ts'
import { compare, withFile } from '../../support/render/compare.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'

await ensureCommands({ pdftoppm: 'poppler-utils', qpdf: 'qpdf', mutool: 'mupdf-tools' })
t.setTimeout(230_000)
const fonts = await testFonts()
const sources = await testSources()
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters, { maxBuffer: 2 ** 26 })).stdout

const text = (words: string, parameters: object = {}) => ({
  title: words,
  source: words,
  type: 'text',
  parameters: {
    text: words,
    left: 150,
    top: 100,
    fontFamily: 'Liberation Sans',
    fontSize: 40,
    ...parameters,
  },
})
/** A card of 75 by 50 mm with 3 mm of bleed. */
const card = (...elements: unknown[]) => ({
  title: 'Card',
  elements,
  options: {
    printingBox: { left: 0, top: 0, width: 300, height: 200 },
    output: { width: 75, height: 50, bleed: 3 },
  },
})
const small = sheetOf({ width: 200, height: 150, margin: 10, gap: 6 })

async function printed(design: unknown, sheet: object = {}, task: object = {}) {
  const wish = { ...printTask, cropMarks: true, sheet: { ...small, ...sheet }, ...task }
  const { outcome, bytes } = await renderHere(wish, design, fonts, sources)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, report: outcome.report }
}

/** A page of a PDF as PNG, 4 pixels for each millimetre. */
async function seen(path: string, page: number): Promise<Buffer> {
  await run(
    'pdftoppm',
    '-r',
    '101.6',
    '-png',
    '-f',
    `${page}`,
    '-l',
    `${page}`,
    '-singlefile',
    path,
    `${path}-${page}`,
  )
  return sharp(`${path}-${page}.png`).png().toBuffer()
}

const part = (png: Buffer, x: number, y: number, width: number, height: number) =>
  sharp(png)
    .extract({ left: 4 * x, top: 4 * y, width: 4 * width, height: 4 * height })
    .png()
    .toBuffer()

t.test('pages fill rows, then sheets, in their order', async (t) => {
  const size = { width: 81, height: 56 }
  const sheets = imposed([size, size, size], [1, 2, 2], small)
  t.strictSame(
    sheets.map((places) => places.map(({ page, x, y }) => [page, x, y])),
    [
      [
        [0, 10, 10],
        [1, 97, 10],
        [1, 10, 72],
        [2, 97, 72],
      ],
      [[2, 10, 10]],
    ],
  )
})

t.test('pages are turned where more of them fit, if they may be', async (t) => {
  const tall = { width: 40, height: 120 }
  const [[first] = []] = imposed([tall], [1], sheetOf({ width: 300, height: 100, margin: 5 }))
  t.match(first, { isTurned: true, width: 120, height: 40 })
  t.throws(() => imposed([tall], [1], sheetOf({ width: 300, height: 100, margin: 5, rotate: false })), {
    message:
      'A page of 40 × 120 mm with its bleed does not fit onto a sheet with room for 290 × 90 mm. Leave it out, or make the sheets larger.',
  })
})

t.test('no two pages overlap, and none leaves the room, whatever their sizes', async (t) => {
  const sizes = Array.from({ length: 60 }, (_, i) => ({
    width: 20 + ((i * 37) % 90),
    height: 15 + ((i * 53) % 80),
  }))
  const sheets = imposed(
    sizes,
    sizes.map((_, i) => 1 + (i % 3)),
    small,
  )
  t.equal(sheets.flat().length, 120)
  for (const places of sheets) {
    for (const [index, a] of places.entries()) {
      t.ok(a.x >= 10 && a.y >= 10 && a.x + a.width <= 190.001 && a.y + a.height <= 140.001)
      const isApart = (b: typeof a) =>
        a.x + a.width + 5.99 < b.x ||
        b.x + b.width + 5.99 < a.x ||
        a.y + a.height + 5.99 < b.y ||
        b.y + b.height + 5.99 < a.y
      t.ok(places.slice(index + 1).every(isApart))
    }
  }
})

t.test('margins must leave room, and thousands of copies are refused', async (t) => {
  t.throws(() => sheetOf({ width: 100, height: 20 }), { message: /^renderer\.sheet: the margins/ })
  t.throws(() => imposed([{ width: 5, height: 5 }], [2001], small), { message: /at most 2000/ })
})

t.test('names lie side by side as they would on pages of their own', async (t) => {
  const names = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Alan'].map((name) => ({ name, number: '1' }))
  const faint = text('NAME', { textPlaceholder: true, opacity: 0.5, stroke: '#0000ff', strokeWidth: 2 })
  const gradient = {
    type: 'linear',
    gradientUnits: 'percentage',
    coords: { x1: 0, y1: 0, x2: 1, y2: 0 },
    colorStops: [
      { offset: 0, color: 'rgba(255,0,0,0.2)' },
      { offset: 1, color: '#0000ff' },
    ],
  }
  const view = {
    ...card(
      { title: 'photo', source: 'photo.jpg', type: 'image', parameters: { left: 150, top: 100 } },
      text('Colors', { top: 40, fill: gradient }),
      faint,
      text('Soft', { top: 160, shadowColor: '#000', shadowBlur: 6 }),
    ),
    names_numbers: names,
  }
  const { bytes, report } = await printed([view], { marks: false })
  t.same(
    report.sheets?.map(({ length }) => length),
    [4, 1],
  )
  const single = await printed([view], {}, { sheet: undefined, cropMarks: false })
  await withFile(bytes, async (path) => {
    t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
    t.match(await run('mutool', 'info', path), /Pages: 2/)
    const words = await run('pdftotext', path, '-')
    for (const { name } of names) t.match(words, name)
    await withFile(single.bytes, async (pages) => {
      const sheet = await seen(path, 1)
      for (const [index, x, y] of [
        [1, 10, 10],
        [2, 97, 10],
        [3, 10, 72],
        [4, 97, 72],
      ] as const) {
        const own = await part(await seen(pages, index), 0, 0, 81, 56)
        const { share, square } = await compare(await part(sheet, x, y, 81, 56), own)
        t.ok(share < 0.01 && square <= 3, `${share} and ${square} of the pixels of page ${index} differ`)
      }
    })
  })
})

t.test('a turned page looks as the upright one, even with transparency', async (t) => {
  const stops = [
    { offset: 0, color: 'rgba(255,0,0,0)' },
    { offset: 1, color: '#00f' },
  ]
  const fill = {
    type: 'linear',
    gradientUnits: 'percentage',
    coords: { x1: 0, y1: 0, x2: 1, y2: 0 },
    colorStops: stops,
  }
  const view = card(
    text('Turned', { fill }),
    text('Faint', { top: 160, opacity: 0.4, stroke: 'red', strokeWidth: 3 }),
  )
  const narrow = { width: 80, height: 100, margin: 5, marks: false }
  const [upright, turned] = [await printed([view], { marks: false }), await printed([view], narrow)]
  t.match(turned.report.sheets, [[{ isTurned: true }]])
  await withFile(upright.bytes, (one) =>
    withFile(turned.bytes, async (other) => {
      const [a, b] = [await seen(one, 1), await seen(other, 1)]
      const back = await sharp(await part(b, 5, 5, 56, 81))
        .rotate(-90)
        .png()
        .toBuffer()
      const { share, square } = await compare(await part(a, 10, 10, 81, 56), back)
      t.ok(share < 0.005 && square <= 3, `${share} of the pixels differ`)
    }),
  )
})

t.test('crop marks are between the pages, never on them', async (t) => {
  const { bytes } = await printed(
    bundleOf([
      { title: 'Order 1', copies: 4, design: JSON.stringify([card(text('White', { fill: '#ffffff' }))]) },
    ]),
    {},
    { isBundle: true },
  )
  await withFile(bytes, async (path) => {
    const sheet = await seen(path, 1)
    const inked = async (png: Buffer) => 255 - ((await sharp(png).stats()).channels[0]?.min ?? 255)
    // The trim of the first page begins at 13 mm: its mark is between 1 and 6 mm beyond the bleed.
    t.ok((await inked(await part(sheet, 12, 4, 2, 5))) > 50)
    t.ok((await inked(await part(sheet, 92, 12, 4, 2))) > 50)
    for (const [x, y] of [
      [10, 10],
      [97, 10],
      [10, 72],
      [97, 72],
    ] as const)
      t.equal(await inked(await part(sheet, x, y, 81, 56)), 0)
    t.match(await run('qpdf', '--json', path), /"\/MediaBox": \[\s*0,\s*0,\s*566\.92/)
  })
})

t.test('each page is written once, however many copies there are', async (t) => {
  const of = async (copies: number) =>
    (
      await printed(
        bundleOf([{ title: 'Order 1', copies, design: JSON.stringify([card(text('Once'))]) }]),
        {},
        { isBundle: true },
      )
    ).bytes.length
  const [once, often] = [await of(1), await of(40)]
  t.ok(often < once + 10 * 1500, `${once} and ${often} bytes`)
})

t.test('a stored design that says how often it is printed is printed once', async (t) => {
  const design = bundleOf([{ title: 'Order 1', copies: 500, design: JSON.stringify([card(text('Once'))]) }])
  const counts = async (task: object) => (await printed(design, {}, task)).report.sheets?.flat().length
  t.same([await counts({}), await counts({ isBundle: true })], [1, 500])
})

t.test(
  'each entry of names and numbers lies on the sheets once, other pages once for each piece',
  async (t) => {
    const name = text('NAME', { textPlaceholder: true })
    const names_numbers = ['Kim', 'Okoye', 'Lindqvist'].map((each) => ({ name: each, number: '7' }))
    const views = [
      { ...card(text('Front')), title: 'Front' },
      { ...card(name), title: 'Back', names_numbers },
    ]
    const onSheets = async (copies: number) => {
      const design = bundleOf([{ title: 'Order 1, item 2', copies, design: JSON.stringify(views) }])
      const { report } = await printed(design, {}, { isBundle: true })
      const pages = (report.sheets ?? []).flat().map(({ page }) => page)
      const counts = [0, 1, 2, 3].map((page) => pages.filter((each) => each === page).length)
      return { counts, warnings: report.warnings.map(({ view, message }) => `${view}: ${message}`) }
    }
    t.same(await onSheets(3), { counts: [3, 1, 1, 1], warnings: [] })
    t.same(await onSheets(5), {
      counts: [5, 1, 1, 1],
      warnings: [
        'Order 1, item 2: Back: There are 3 entries of names and numbers for 5 pieces; each entry is printed once.',
      ],
    })
  },
)

t.test('a page that fits onto no sheet is refused', async (t) => {
  const wish = { ...printTask, sheet: sheetOf({ width: 60, height: 60 }) }
  const { outcome } = await renderHere(wish, [card(text('Large'))], fonts, sources)
  t.match(outcome, {
    kind: 'refused',
    refusals: [
      {
        code: 'page',
        view: 'Card',
        message:
          'A page of 81 × 56 mm with its bleed does not fit onto a sheet with room for 40 × 40 mm. Leave it out, or make the sheets larger.',
      },
    ],
  })
})

t.test('all pages that do not fit onto a sheet are named with their order and view', async (t) => {
  const banner = { ...card(text('Large')), title: 'Vinyl Banner' }
  const design = bundleOf(
    [3, 4].map((item) => ({
      title: `Order 1041, item ${item}`,
      copies: 2,
      design: JSON.stringify([banner]),
    })),
  )
  const wish = { ...printTask, isBundle: true, sheet: sheetOf({ width: 60, height: 60 }) }
  const { outcome } = await renderHere(wish, design, fonts, sources)
  t.match(outcome, {
    kind: 'refused',
    refusals: [{ view: 'Order 1041, item 3: Vinyl Banner' }, { view: 'Order 1041, item 4: Vinyl Banner' }],
  })
})
