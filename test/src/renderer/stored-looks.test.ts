// What stored properties say about the look: nothing visible is left out without a word.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import { isKernUsed } from '../../../src/renderer/kern-table.ts'
import { currentNames, unknownNames } from '../../../src/renderer/stored-names.ts'
import { ensureCommands } from '../../support/debian.ts'
import { withFile } from '../../support/render/compare.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()

async function printed(view: unknown, task: object = {}, more: Record<string, Buffer> = {}) {
  const { outcome, bytes } = await renderHere({ ...printTask, ...task }, [view], fonts, {
    ...sources,
    ...more,
  })
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, warnings: outcome.report.warnings }
}

t.test('names of the older format mean the same as the current ones, which win', (t) => {
  const older = {
    x: 1,
    y: 2,
    degree: 3,
    scale: 4,
    textSize: 5,
    font: 'F',
    currentColor: 'red',
    radius: 6,
    reverse: true,
  }
  t.match(currentNames(older), {
    left: 1,
    top: 2,
    angle: 3,
    scaleX: 4,
    scaleY: 4,
    fontSize: 5,
    fontFamily: 'F',
    fill: 'red',
    curveRadius: 6,
    curveReverse: true,
  })
  t.match(currentNames({ x: 1, left: 9, textSize: 5, fontSize: 0 }), { left: 9, fontSize: 0 })
  t.match(currentNames({ charSpacing: 250 }), { letterSpacing: 2.5 })
  t.match(currentNames({ boundingBoxClipping: false }), { boundingBoxMode: 'inside' })
  t.end()
})

t.test('an unknown property with a value is a warning that names it; others are silent', async (t) => {
  const given = {
    glow: 5,
    sparkle: { a: 1 },
    evented: true,
    price: 3,
    colors: ['#fff'],
    _state: 1,
    wobble: 0,
    drift: '',
  }
  t.same(unknownNames(given), ['glow', 'sparkle'])
  const { warnings } = await printed(viewWith(text('Hello', given)))
  t.same(warnings, [
    {
      code: 'feature',
      view: 'Front',
      viewPosition: 0,
      element: 'Hello',
      message: 'Unknown properties have no effect on the print: "glow", "sparkle".',
    },
  ])
})

t.test(
  'a drawing that becomes a picture keeps its place and size in any unit, with and without a view box',
  async (t) => {
    const masked = (size: string) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" ${size}><mask id="m"><rect width="9999" height="9999" fill="#fff"/></mask>
       <g mask="url(#m)"><rect x="10" y="10" width="40" height="20" fill="#c00"/></g></svg>`,
      )
    const drawn = async (size: string) => {
      const view = viewWith(picture('masked.svg', { scaleX: 1.5, scaleY: 1.5 }))
      const { bytes, warnings } = await printed(view, { format: 'png' }, { 'masked.svg': masked(size) })
      t.same(
        warnings.map(({ code }) => code),
        ['drawing', 'drawing'],
      )
      return sharp(bytes).raw().toBuffer()
    }
    const expected = await drawn('width="120" height="80" viewBox="0 0 120 80"')
    for (const size of [
      'width="120" height="80"',
      'width="90pt" height="60pt"',
      'width="31.75mm" height="21.166666mm"',
    ]) {
      const found = await drawn(size)
      const differing = found.filter((value, index) => Math.abs(value - (expected[index] ?? 0)) > 40).length
      t.ok(differing / found.length < 0.0005, `${size}: ${differing} of ${found.length}`)
    }
  },
)

t.test('shadows in a PDF have at least 150 ppi and are smoothed by the printer', async (t) => {
  await ensureCommands({ pdfimages: 'poppler-utils' })
  const shadow = { shadowColor: 'rgba(0,0,0,.6)', shadowOffsetX: 4, shadowOffsetY: 4 }
  for (const shadowBlur of [2, 30, 90]) {
    const { bytes } = await printed(viewWith(text('Soft', { ...shadow, shadowBlur })), { dpi: 72 })
    await withFile(bytes, async (path) => {
      const { stdout } = await promisify(execFile)('pdfimages', ['-list', path])
      const rows = stdout
        .trim()
        .split('\n')
        .slice(2)
        .map((row) => row.trim().split(/\s+/))
      t.ok(rows.length >= 2)
      for (const row of rows) {
        t.equal(row[9], 'yes', 'interpolated')
        t.ok(Number(row[12]) >= 150, `${row[12]} ppi`)
      }
    })
  }
})

t.test('a ratio that was rounded distorts and moves nothing', async (t) => {
  const of = async (width: number, height: number) => {
    const view = viewWith(
      text('Corner', { left: 60, top: 60, originX: 'left', originY: 'top', fontSize: 60 }),
    )
    const options = {
      ...view.options,
      printingBox: { left: 50, top: 50, width, height },
      output: { width: 75, height: 50 },
    }
    return sharp((await printed({ ...view, options }, { format: 'png', dpi: 101.6 })).bytes)
      .raw()
      .toBuffer()
  }
  const exact = await of(300, 200)
  for (const [width, height] of [
    [302, 200],
    [300, 201.8],
  ] as const) {
    const found = await of(width, height)
    t.ok(found.equals(exact), `${width} × ${height}`)
  }
})

t.test('kern tables that browsers drop are not used', async (t) => {
  const bytes = (family: string) => fonts.find((font) => font.family === family)?.bytes ?? new Uint8Array()
  t.equal(isKernUsed(bytes('DejaVu Sans')), true)
  t.equal(isKernUsed(bytes('Open Sans')), false, 'more pairs than the format can hold')
  const broken = (change: (table: Buffer) => void) => {
    const font = Buffer.from(bytes('DejaVu Sans'))
    const entry = font.indexOf('kern', 12, 'latin1')
    change(font.subarray(font.readUInt32BE(entry + 8)))
    return isKernUsed(font)
  }
  t.equal(
    broken((table) => table.writeUInt16BE(1, 0)),
    false,
    'another version',
  )
  t.equal(
    broken((table) => table.writeUInt16BE(0, 2)),
    false,
    'no subtables',
  )
  t.equal(
    broken((table) => table.writeUInt16BE(3, 14)),
    false,
    'another entry selector',
  )
  t.equal(
    broken((table) => table.writeUInt32BE(0xffffffff, 18)),
    false,
    'pairs that are not sorted',
  )
  t.equal(
    broken((table) => table.writeUInt16BE(7, 12)),
    true,
    'another search range',
  )
  t.equal(isKernUsed(Buffer.alloc(0)), true)
})

t.test('a CMYK picture is printed in RGB by its profile, with a warning', async (t) => {
  const plain = sharp({ create: { width: 300, height: 200, channels: 3, background: '#2a8cd8' } })
  const jpeg = await plain.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 95 }).toBuffer()
  t.equal((await sharp(jpeg).metadata()).space, 'cmyk')
  for (const format of ['png', 'svg-pdf'] as const) {
    const view = viewWith(picture('press.jpg', { scaleX: 2, scaleY: 2 }))
    const { bytes, warnings } = await printed(view, { format }, { 'press.jpg': jpeg })
    t.match(warnings, [
      { code: 'picture', message: 'The picture has CMYK colors, which are printed as RGB.' },
    ])
    if (format !== 'png') continue
    const [r = 0, g = 0, b = 0] = await sharp(bytes)
      .extract({ left: 40, top: 40, width: 1, height: 1 })
      .raw()
      .toBuffer()
    t.ok(b > g && g > r && b > 150, `${r} ${g} ${b}`)
  }
})

t.test('a blur is as wide as that of fabric', async (t) => {
  const half = sharp({ create: { width: 300, height: 200, channels: 3, background: '#000' } })
  const white = { create: { width: 150, height: 200, channels: 3 as const, background: '#fff' } }
  const edge = await half
    .composite([{ input: await sharp(white).png().toBuffer(), left: 150, top: 0 }])
    .png()
    .toBuffer()
  const view = viewWith(picture('edge.png', { filter: { type: 'Blur', blur: 0.5 } }))
  const { bytes } = await printed(view, { format: 'png', dpi: 101.6 }, { 'edge.png': edge })
  const row = await sharp(bytes)
    .flatten({ background: '#fff' })
    .toColourspace('b-w')
    .extract({ left: 12, top: 100, width: 300, height: 1 })
    .raw()
    .toBuffer()
  const [from, to] = [row.findIndex((value) => value > 25), row.findIndex((value) => value > 230)]
  // Between a tenth and nine tenths lie 2.56 standard deviations of 4.9 pixels.
  t.ok(to - from >= 10 && to - from <= 16, `${to - from} pixels`)
})

t.test('engraved text is printed with its stored looks, and a warning', async (t) => {
  const engraved = text('Open', { fill: '#ff00ff', opacity: 0.5 })
  for (const element of [
    { ...engraved, type: 'engraved-text' },
    { ...engraved, parameters: { ...engraved.parameters, engravedText: true } },
  ]) {
    const { outcome } = await renderHere(printTask, [viewWith(element)], fonts, sources)
    t.match(outcome, { kind: 'done', report: { warnings: [{ code: 'feature', message: /^The effect "/ }] } })
  }
})

/** Its bytes, which lie in the bleed. */
const cornerOf = (png: Buffer) =>
  sharp(png)
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .extract({ left: 0, top: 0, width: 12, height: 12 })
    .raw()
    .toBuffer()
const white = 12 * 12 * 3 * 255

t.test('a bounding box that is not there cuts nothing off, as in the designer, with a warning', async (t) => {
  const away = picture('photo.jpg', { boundingBox: 'Gone', scaleX: 2, scaleY: 2 })
  const { bytes, warnings } = await printed(viewWith(away), { format: 'png' })
  t.match(warnings, [{ code: 'box', element: 'Photo', message: /"Gone".*nothing is cut off/ }])
  t.not(
    (await cornerOf(bytes)).reduce((sum, value) => sum + value),
    white,
  )
})

t.test('the name of the main print area stands for the printing box where there are no areas', async (t) => {
  const view = viewWith(picture('photo.jpg', { boundingBox: 'boundingBox', scaleX: 2, scaleY: 2 }))
  const { bytes, warnings } = await printed(view, { format: 'png' })
  t.notOk(warnings.some(({ code }) => code === 'box'))
  // The bleed is outside of the box.
  t.equal(
    (await cornerOf(bytes)).reduce((sum, value) => sum + value),
    white,
  )
})

t.test('text beside what has to be a picture is in that picture', async (t) => {
  const words =
    '<text x="10" y="80" font-family="Liberation Sans" font-size="80" font-weight="bold" fill="#00f">III</text>'
  const soft = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect width="9" height="9" filter="url(#f)"/>${words}</svg>`,
  )
  const view = viewWith(picture('soft.svg', { scaleX: 2, scaleY: 2 }))
  const { bytes, warnings } = await printed(view, { format: 'png', dpi: 150 }, { 'soft.svg': soft })
  t.match(warnings, [{ code: 'drawing', message: /as a picture/ }])
  const flat = await sharp(bytes).flatten({ background: '#fff' }).png().toBuffer()
  const { channels } = await sharp(flat).stats()
  t.ok((channels[2]?.mean ?? 0) - (channels[0]?.mean ?? 0) > 5, 'blue letters')
})

t.test(
  'text in a drawing whose size is a name is not printed, as the designer does not show it',
  async (t) => {
    const words = '<text x="10" y="40" font-family="Liberation Sans" style="font-size:medium">Ada</text>'
    for (const beside of ['', '<filter id="f"/><g filter="url(#f)"/>']) {
      const drawing = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">${words}${beside}<rect width="9" height="9" fill="none"/></svg>`,
      )
      const { bytes } = await printed(
        viewWith(picture('named.svg'), text('Corner', { left: 80, top: 70, fontSize: 9 })),
        { format: 'png' },
        { 'named.svg': drawing },
      )
      const middle = await sharp(bytes).extract({ left: 180, top: 110, width: 118, height: 110 }).toBuffer()
      t.equal((await sharp(middle).stats()).channels[3]?.max, 0)
    }
  },
)

t.test('a soft hyphen is not printed, and hides no hyphen', async (t) => {
  const inkOf = async (words: string) => {
    const { bytes } = await printed(viewWith(text(words, { originX: 'left' })), { format: 'png' })
    return (await sharp(bytes).stats()).channels[3]?.sum
  }
  t.equal(await inkOf('co\u00ad-op'), await inkOf('co-op'))
  t.equal(await inkOf('-co\u00adop'), await inkOf('-coop'))
})

t.test('an opacity beyond its bounds has no effect, and dashes may be numbers in text', async (t) => {
  const inkOf = async (parameters: object) => {
    const { bytes } = await printed(viewWith(text('Ada', parameters)), { format: 'png' })
    return (await sharp(bytes).stats()).channels[3]?.sum
  }
  t.equal(await inkOf({ opacity: 100 }), await inkOf({}))
  const dashed = { stroke: '#00f', strokeWidth: 2, fill: 'transparent' }
  t.equal(
    await inkOf({ ...dashed, strokeDashArray: ['4', '2'] }),
    await inkOf({ ...dashed, strokeDashArray: [4, 2] }),
  )
})

t.test('of very many parts the soft shadows are one, with a warning', async (t) => {
  const dots = Array.from({ length: 301 }, (_, i) => `<circle cx="${i % 20}" cy="${i / 20}" r="1"/>`).join('')
  const drawing = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">${dots}</svg>`)
  const view = viewWith(picture('dots.svg', { scaleX: 5, scaleY: 5, shadowColor: '#000', shadowBlur: 4 }))
  const { warnings } = await printed(view, {}, { 'dots.svg': drawing })
  t.match(warnings, [{ code: 'feature', message: /all of them together/ }])
})

t.test('a text that nothing paints is a warning; without a choice of a fill it is black', async (t) => {
  const unseen = await printed(viewWith(text('Ada', { fill: 'transparent' }), text('Seen')))
  t.match(unseen.warnings, [{ code: 'feature', message: /neither a fill nor a stroke/ }])
  const black = await printed(viewWith(text('Ada', { fill: false })), { format: 'png' })
  t.same(black.warnings, [])
  t.ok(((await sharp(black.bytes).stats()).channels[3]?.mean ?? 0) > 1)
})

t.test('a drawing that is stored as text is drawn', async (t) => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>'
  const { bytes } = await printed(viewWith(picture(svg)), { format: 'png' })
  t.ok(((await sharp(bytes).stats()).channels[3]?.mean ?? 0) > 10)
})

t.test('a pattern in letters that are not as bold as they should be is a warning', async (t) => {
  const thin = { pattern: 'photo.jpg', fontFamily: 'DejaVu Serif', fontWeight: 'bold' }
  const { warnings } = await printed(viewWith(text('Ada', thin)))
  t.match(
    warnings.filter(({ code }) => code === 'feature'),
    [{ element: 'Ada', message: /not bold/ }],
  )
})
