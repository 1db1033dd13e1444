// Files for the press as others see them: Ghostscript's plates, MuPDF, qpdf, and the clauses of PDF/X-4 that apply.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import sharp from 'sharp'
import t from 'tap'
import type { SpotColor } from '../../src/renderer/press-colors.ts'
import { ensureCommands } from '../support/debian.ts'
import { pdf } from '../support/fixtures/make-pdf.ts'
import { withFile } from '../support/render/compare.ts'
import { output, printingBox } from '../support/render/design-parts.ts'
import { printTask, renderHere, testFonts, testSources } from '../support/render/materials.ts'
import { pdfXFaults } from '../support/render/pdf-x.ts'

await ensureCommands({ gs: 'ghostscript', mutool: 'mupdf-tools', pdfimages: 'poppler-utils', qpdf: 'qpdf' })
t.setTimeout(600_000)
const profile = '/usr/share/color/icc/ghostscript/default_cmyk.icc'
const fonts = await testFonts()
const sources = await testSources()
const run = async (command: string, ...parameters: string[]) =>
  (await promisify(execFile)(command, parameters, { maxBuffer: 2 ** 26 })).stdout

const cmykPhoto = sharp({ create: { width: 100, height: 100, channels: 3, background: '#00a0e0' } })
const all = { ...sources, 'cmyk.jpg': await cmykPhoto.toColourspace('cmyk').jpeg().toBuffer() }

const text = (words: string, parameters: object = {}) => ({
  title: words,
  source: words,
  type: 'text',
  parameters: {
    text: words,
    left: 300,
    top: 150,
    fontFamily: 'Liberation Sans',
    fontSize: 40,
    ...parameters,
  },
})
const picture = (source: string, parameters: object = {}) => ({
  title: source,
  source,
  type: 'image',
  parameters: { left: 300, top: 225, ...parameters },
})

interface Wish {
  spots?: readonly SpotColor[]
  overprintBlack?: boolean
  blackInk?: 'text' | 'all' | 'none'
  finishing?: object
  maxInk?: number
}

async function printed(
  elements: unknown[],
  { spots = [], overprintBlack = false, blackInk = 'text', finishing, maxInk = 300 }: Wish = {},
) {
  const press = { profile, condition: 'FOGRA39', overprintBlack, blackInk, maxInk, spots }
  const options = { printingBox, output: { ...output, bleed: 3, ...finishing } }
  const task = { ...printTask, cropMarks: true, press }
  const { outcome, bytes } = await renderHere(task, [{ title: 'Card & more', elements, options }], fonts, all)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  return { bytes, warnings: outcome.report.warnings }
}

/** Percent of the page that each ink covers, as Ghostscript separates it. */
async function coverage(path: string): Promise<number[]> {
  const line = await run('gs', '-q', '-o', '-', '-sDEVICE=inkcov', path)
  return line
    .trim()
    .split(/\s+/)
    .slice(0, 4)
    .map((share) => Number(share) * 100)
}

const everything = [
  picture('photo.jpg', { scaleX: 1.5, scaleY: 1.6 }),
  picture('logo.png', { top: 300, opacity: 0.6 }),
  picture('gradient.svg', { left: 180, top: 300 }),
  picture('cmyk.jpg', { left: 420, top: 300 }),
  picture('gray.jpg', { left: 450, top: 150, scaleX: 0.3, scaleY: 0.3 }),
  text('Red words', { fill: '#c0392b' }),
  text('Soft', { top: 200, shadowColor: 'rgba(0,0,0,0.6)', shadowBlur: 8, shadowOffsetX: 3 }),
  text('Faint', { top: 260, opacity: 0.5, stroke: '#0000ff', strokeWidth: 3 }),
]

t.test('a page with everything is sound, keeps the clauses of PDF/X-4, and has no RGB', async (t) => {
  const { bytes } = await printed(everything)
  await withFile(bytes, async (path) => {
    t.match(await run('qpdf', '--check', path), /No syntax or stream encoding errors/)
    const json = JSON.parse(
      await run('qpdf', '--json=2', '--json-stream-data=inline', '--decode-level=generalized', path),
    )
    t.strictSame(pdfXFaults(json), [])
    t.match(await run('mutool', 'info', path), /Fonts \(1\)/)
    t.notMatch(await run('gs', '-q', '-o', `${path}-%d.tif`, '-sDEVICE=tiffsep', path), /error|warning/i)
  })
})

t.test('black text is black ink alone, a color is what the profile makes of it', async (t) => {
  const own = async (fill: string) => {
    const { bytes } = await printed([text('Words', { fill })])
    return withFile(bytes, async (path) => {
      const content = await run('qpdf', '--qdf', '--object-streams=disable', path, '-')
      return { content, inks: await coverage(path) }
    })
  }
  const black = await own('#000000')
  t.match(black.content, /^0 0 0 1 scn/m)
  const [c = 0, , , k = 0] = black.inks
  t.ok(k > c + 0.5, `black covers ${k} %, cyan ${c} %`)
  const red = await own('#ff0000')
  // The same profile makes 2 % cyan, 100 % magenta and yellow of it.
  t.match(red.content, /^0\.02 1 1 0 scn/m)
  t.ok((red.inks[1] ?? 0) > 0.5 && (red.inks[3] ?? 9) < (red.inks[1] ?? 0))
})

/** Operators that set a fill, and a line, in the content of the page. */
async function operatorsOf(elements: unknown[], wish: Wish = {}) {
  const { bytes, warnings } = await printed(elements, wish)
  const content = await withFile(bytes, (path) => run('qpdf', '--qdf', '--object-streams=disable', path, '-'))
  const set = (operator: string) =>
    [...content.matchAll(new RegExp(`^([\\d. ]+) ${operator}$`, 'gm'))].map(([, inks = '']) =>
      inks.split(' ').map(Number),
    )
  return { fills: set('scn'), lines: set('SCN'), warnings }
}
const isBlackAlone = ([c, m, y, k = 0]: number[]) => c === 0 && m === 0 && y === 0 && k > 0
const gray = (shapes: string) => ({
  ...picture(
    `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">${shapes}</svg>`)}`,
  ),
  title: 'Gray',
})

t.test('neutral gray text is black ink alone, as light as the gray', async (t) => {
  for (const [fill, least, most] of [
    ['#222222', 100, 100],
    ['#231f20', 100, 100],
    ['#808080', 55, 65],
    ['#dddddd', 5, 20],
  ] as const) {
    const { fills } = await operatorsOf([text('Words', { fill, fontSize: 12, textDecoration: 'underline' })])
    t.ok(fills.length > 1 && fills.every(isBlackAlone), `${fill}: ${fills.join(' | ')}`)
    const percent = 100 * (fills[0]?.[3] ?? 0)
    t.ok(percent >= least && percent <= most, `${fill} has ${percent} % of black`)
  }
  const { fills } = await operatorsOf([text('Words', { fill: '#40342c' })])
  t.notOk(fills.some(isBlackAlone))
})

t.test('thin neutral lines are black ink alone, and fills where the option says so', async (t) => {
  const lines = gray(
    '<path d="M10 10h150" stroke="#333" stroke-width="1" fill="none"/><rect x="10" y="20" width="150" height="1" fill="#333"/>',
  )
  const thin = await operatorsOf([lines])
  t.ok(thin.lines.some(isBlackAlone) && thin.fills.every(isBlackAlone))
  const wide = gray('<rect x="10" y="20" width="150" height="60" fill="#333"/>')
  t.notOk((await operatorsOf([wide])).fills.some(isBlackAlone))
  t.ok((await operatorsOf([wide], { blackInk: 'all' })).fills.every(isBlackAlone))
  const none = await operatorsOf([text('Words', { fill: '#222222' })], { blackInk: 'none' })
  t.notOk(none.fills.some(isBlackAlone))
})

t.test('small text in several inks is a warning, and its gray is none', async (t) => {
  const small = { fontSize: 8, top: 200 }
  const { warnings } = await operatorsOf([
    text('Brown', { ...small, fill: '#7a3b2e' }),
    text('Gray', { ...small, fill: '#222222' }),
    text('Large', { fill: '#7a3b2e' }),
  ])
  t.match(
    warnings.filter(({ code }) => code === 'ink'),
    [{ element: 'Brown', message: /^Text of 5\.8 pt is printed in 4 inks; below 9 pt/, value: 5.8 }],
  )
})

t.test('crop marks and targets are on every plate', async (t) => {
  const { bytes } = await printed([text('Words', { fill: '#ffff00', fontSize: 10 })])
  await withFile(bytes, async (path) => {
    t.match(
      await run('qpdf', '--qdf', '--object-streams=disable', path, '-'),
      /\/Separation\s+\/All\s+\/DeviceCMYK/,
    )
    for (const share of await coverage(path)) t.ok(share > 0, `${share} %`)
  })
})

t.test('a spot color, cut line and white are plates of their own', async (t) => {
  const spots = [{ hex: '#c8102e', name: 'PANTONE 186 C', cmyk: [2, 100, 85, 6] as const }]
  const finishing = { cutLine: true, whiteUnderprint: 'White' }
  const elements = [text('Spot', { fill: '#c8102e' }), picture('logo.png', { top: 300 })]
  const { bytes } = await printed(elements, { spots, finishing })
  await withFile(bytes, async (path) => {
    await run('gs', '-q', '-o', `${path}-%d.tif`, '-sDEVICE=tiffsep', '-r72', path)
    for (const [name, least] of [
      ['PANTONE 186 C', 0.5],
      ['CutContour', 0.2],
      ['White', 5],
    ] as const) {
      const plate = sharp(`${path}-1(${name}).tif`)
      const { channels } = await plate.stats()
      const inked = 100 * (1 - (channels[0]?.mean ?? 255) / 255)
      t.ok(inked > least, `${name} covers ${inked.toFixed(2)} %`)
    }
    // The white is printed with the others, and does not take them away.
    t.ok((await coverage(path)).some((share) => share > 1))
  })
})

t.test('a CMYK JPEG keeps its bytes, and its inks are not inverted', async (t) => {
  const { bytes } = await printed([picture('cmyk.jpg', { scaleX: 3, scaleY: 3 })])
  const expected = await sharp(all['cmyk.jpg']).raw().toBuffer()
  await withFile(bytes, async (path) => {
    await run('pdfimages', '-all', path, `${path}.image`)
    t.ok((await readFile(`${path}.image-000.jpg`)).equals(all['cmyk.jpg']))
    await run('gs', '-q', '-o', `${path}.tif`, '-sDEVICE=tiff32nc', '-r72', path)
    const { data, info } = await sharp(`${path}.tif`).raw().toBuffer({ resolveWithObject: true })
    const middle = info.channels * (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2))
    for (const channel of [0, 1, 2]) {
      const [is = 0, was = 0] = [data[middle + channel], expected[channel]]
      // Its own profile and that of the press differ a little.
      t.ok(Math.abs(is - was) <= 24, `channel ${channel}: ${is}, in the file ${was}`)
    }
  })
})

t.test(
  'a CMYK JPEG with the output profile is in the inks of the press, one with another profile keeps it',
  async (t) => {
    const kindOf = async (icc: string) => {
      const jpeg = cmykPhoto.clone().withIccProfile(icc).toColourspace('cmyk').jpeg()
      Object.assign(all, { 'icc.jpg': await jpeg.toBuffer() })
      const { bytes } = await printed([picture('icc.jpg')])
      const list = await withFile(bytes, (path) => run('pdfimages', '-list', path))
      return /\b(cmyk|icc)\b/.exec(list)?.[1]
    }
    t.equal(await kindOf(profile), 'cmyk')
    t.equal(await kindOf('/usr/share/color/icc/ghostscript/ps_cmyk.icc'), 'icc')
  },
)

t.test('a page has no unit, and a straight line no fill', async (t) => {
  const line = '<path d="M10 20h150" stroke="#00f" stroke-width="4"/>'
  const { bytes } = await printed([gray(line)])
  const content = await withFile(bytes, (path) => run('qpdf', '--qdf', '--object-streams=disable', path, '-'))
  t.notMatch(content, /UserUnit/)
  t.notMatch(content, /^[\d. ]+ m [\d. ]+ l f$/m)
  t.match(content, / l S$/m)
})

t.test('black text is printed over what is below it if the shop wants so', async (t) => {
  const states = async (overprintBlack: boolean) => {
    const { bytes } = await printed([text('Words')], { overprintBlack })
    return withFile(bytes, (path) => run('qpdf', '--qdf', '--object-streams=disable', path, '-'))
  }
  t.match(await states(true), /\/OPM 1/)
  t.notMatch(await states(false), /\/OPM 1/)
})

t.test('pictures in gray stay gray: interlaced, with 16 bits, transparent, blurred', async (t) => {
  const photo = sharp(sources['photo.jpg']).grayscale().toColourspace('b-w')
  const square = Buffer.from('<svg width="90" height="90"><circle cx="45" cy="45" r="40" fill="#555"/></svg>')
  const grays = {
    'photo-gray.jpg': await photo.clone().jpeg().toBuffer(),
    'plain.png': await photo.clone().png().toBuffer(),
    'interlaced.png': await photo.clone().png({ progressive: true }).toBuffer(),
    'deep.png': await photo.clone().toColourspace('grey16').png().toBuffer(),
    'clear.png': await sharp(square).toColourspace('b-w').png().toBuffer(),
  }
  Object.assign(all, grays)
  const elements = Object.keys(grays).map((name) => picture(name, { scaleX: 0.4, scaleY: 0.4 }))
  const blurred = picture('photo-gray.jpg', { filters: [{ type: 'Blur', blur: 0.1 }] })
  const { bytes, warnings } = await printed([...elements, blurred], { maxInk: 100 })
  await withFile(bytes, async (path) => {
    const [c = 9, m, y, k = 0] = await coverage(path)
    t.ok(c < 0.5 && c === m && c === y, `crop marks cover ${c} %`)
    t.ok(k > 1, `${k} %`)
    t.notMatch(await run('pdfimages', '-list', path), /\b(rgb|cmyk|icc)\b/)
  })
  t.strictSame(
    warnings.filter(({ code }) => code === 'ink' || code === 'rgb'),
    [],
  )
})

t.test(
  'ink of pictures: pages of PDFs and drawings that become pictures, filters, and none of clear pixels',
  async (t) => {
    const clear = Buffer.from('<svg width="90" height="90"><rect width="20" height="9" fill="#fe0"/></svg>')
    const masked =
      '<mask id="m"><rect width="90" height="90" fill="#fff"/></mask><rect width="90" height="90" mask="url(#m)"/>'
    Object.assign(all, {
      'clear.png': await sharp(clear).png().toBuffer(),
      'dark.svg': Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90">${masked}</svg>`,
      ),
      'dark.pdf': pdf({ content: '0 0 0 rg 0 0 200 200 re f' }),
      'bright.jpg': await sharp({ create: { width: 90, height: 90, channels: 3, background: '#eee' } })
        .jpeg()
        .toBuffer(),
    })
    const inkOf = async (element: { title: string }) => {
      const { warnings } = await printed([element], { maxInk: 250 })
      return warnings.find(({ code }) => code === 'ink')?.value
    }
    t.equal(await inkOf(picture('clear.png')), undefined)
    t.equal(await inkOf(picture('bright.jpg')), undefined)
    t.ok(Number(await inkOf(picture('dark.svg'))) > 250)
    t.ok(Number(await inkOf(picture('dark.pdf'))) > 250)
    const darkened = { filter: { type: 'brightness', brightness: -1 } }
    t.ok(Number(await inkOf(picture('bright.jpg', darkened))) > 250)
  },
)

t.test('too much ink and pictures in RGB are told', async (t) => {
  const { warnings } = await printed([picture('photo.jpg'), text('Deep', { fill: '#000011' })], {
    maxInk: 150,
  })
  t.match(
    warnings.find(({ code }) => code === 'rgb'),
    { element: 'photo.jpg' },
  )
  t.match(
    warnings.find(({ code, element }) => code === 'ink' && element === 'Deep'),
    { element: 'Deep', value: Number },
  )
})
