// What means the same is drawn the same, pixel by pixel, and not like what means something else.
import sharp from 'sharp'
import t from 'tap'
import { drawings, printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()

async function drawn(element: unknown, sources: Record<string, Buffer> = {}): Promise<string> {
  const task = { ...printTask, format: 'png', dpi: 72 } as const
  const { outcome, bytes } = await renderHere(task, [viewWith(element)], fonts, sources)
  // A drawing that cannot be drawn as vectors becomes a picture, with a warning.
  const isExpected = ({ code, message }: { code: string; message: string }) =>
    code === 'overflow' || message.includes('the designer does not show')
  if (outcome.kind !== 'done' || !outcome.report.warnings.every(isExpected))
    throw new Error(JSON.stringify(outcome))
  return bytes.toString('base64')
}

t.test('both ways to write a property of a text mean the same', async (t) => {
  const plain = await drawn(text('Hello'))
  for (const [given, same] of [
    [{ textTransform: 'lowercase' }, text('hello')],
    [{ textTransform: 'uppercase' }, text('HELLO')],
    [{ underline: true }, text('Hello', { textDecoration: 'underline' })],
    [{ linethrough: true }, text('Hello', { textDecoration: 'line-through' })],
    [{ overline: true }, text('Hello', { textDecoration: 'overline' })],
    [{ fontWeight: '600' }, text('Hello', { fontWeight: 'bold' })],
    [{ fontStyle: 'oblique' }, text('Hello', { fontStyle: 'italic' })],
    [
      { curved: true, curveRadius: 60 },
      { ...text('Hello', { curveRadius: 60 }), type: 'curvedText' },
    ],
    [
      { textBox: true, width: 40, splitByGrapheme: true },
      { ...text('Hello', { width: 40, splitByGrapheme: true }), type: 'textbox' },
    ],
  ] as const) {
    const found = await drawn(text('Hello', given))
    t.ok(found === (await drawn(same)), JSON.stringify(given))
    t.ok(found !== plain, `${JSON.stringify(given)} has an effect`)
  }
  const boundingBox = { x: 190, y: 140, width: 20, height: 20 }
  t.ok((await drawn(text('Hello', { boundingBox }))) !== plain, 'a bounding box clips')
  for (const boundingBoxMode of ['inside', 'limitModify', 'none'])
    t.ok((await drawn(text('Hello', { boundingBox, boundingBoxMode }))) === plain, boundingBoxMode)
  const around = { curved: true, curveRadius: 60 }
  const behind = { textBackgroundColor: '#ffee00' }
  t.ok((await drawn(text('Hello', behind))) !== plain, 'a background behind the letters')
  for (const lined of [{ underline: true }, { linethrough: true }, { overline: true }, behind])
    t.ok(
      (await drawn(text('Hello', { ...around, ...lined }))) !== (await drawn(text('Hello', around))),
      JSON.stringify(lined),
    )
  const shadow = { shadowColor: 'rgba(0,0,0,.5)', shadowBlur: 4, shadowOffsetX: 5, shadowOffsetY: -3 }
  const cast = await drawn(text('Hello', shadow))
  t.ok(cast !== plain)
  for (const same of [
    'rgba(0,0,0,.5) 5px -3px 4px',
    '5 -3 4 rgba(0,0,0,.5)',
    { color: 'rgba(0,0,0,.5)', blur: 4, offsetX: 5, offsetY: -3 },
  ])
    t.ok((await drawn(text('Hello', { shadow: same }))) === cast, JSON.stringify(same))
  for (const given of [{ fontWeight: '500' }, { fontWeight: 'lighter' }, { textTransform: 'none' }])
    t.ok((await drawn(text('Hello', given))) === plain, JSON.stringify(given))
})

t.test('a clip means the same however it is written', async (t) => {
  const look = (given: object) => drawn(text('Hello', given))
  const on = (clip: object) => ({
    clipPath: { strokeWidth: 0, absolutePositioned: true, left: 185, top: 140, ...clip },
  })
  const box = { boundingBox: { x: 185, y: 140, width: 40, height: 25 } }
  const rectangle = { type: 'rect', width: 40, height: 25 }
  const corners = [185, 225].flatMap((x) => [140, 165].map((y) => ({ x, y })))
  const [a, b, c, d] = corners
  const plain = await look({})
  for (const [one, same] of [
    [on(rectangle), box],
    [on({ ...rectangle, width: 20, scaleX: 2 }), box],
    [on({ ...rectangle, left: 205, top: 152.5, originX: 'center', originY: 'center' }), box],
    [on({ type: 'polygon', points: [a, b, d, c] }), box],
    [on({ type: 'path', path: 'M185 140h40v25h-40z' }), box],
    [on({ type: 'path', path: [['M', 0, 0], ['H', 40], ['V', 25], ['H', 0], ['z']] }), box],
    [on({ ...rectangle, rx: 9 }), on({ ...rectangle, ry: 9 })],
    [on({ ...rectangle, rx: 9 }), { boundingBox: { ...box.boundingBox, borderRadius: 9 } }],
    [on({ type: 'circle', radius: 15 }), on({ type: 'ellipse', rx: 15, ry: 15 })],
    [on({ type: 'circle', radius: 15 }), on({ type: 'circle', radius: 30, scaleX: 0.5, scaleY: 0.5 })],
    [
      on({ type: 'triangle', width: 40, height: 25 }),
      on({ type: 'polygon', points: [{ x: 205, y: 140 }, d, b] }),
    ],
  ] as const) {
    const found = await look(one)
    t.ok(found === (await look(same)), JSON.stringify(one))
    // A text that is cut off entirely would be refused as an empty page.
    t.ok(found !== plain, `${JSON.stringify(one)} cuts something off`)
  }
})

t.test('text that is longer than its circle goes on along it', async (t) => {
  const [size, advance, around] = [30, 1233 / 2048, 12]
  const curve = {
    curved: true,
    curveRadius: (around * size * advance) / (2 * Math.PI),
    fontFamily: 'DejaVu Sans Mono',
    fontSize: size,
  }
  const once = ' '.repeat(around)
  for (const [textAlign, long] of [
    ['left', `${once}ab`],
    ['right', `ab${once}`],
    ['center', `${once}ab${once}`],
  ] as const)
    for (const curveReverse of [false, true]) {
      const given = { ...curve, textAlign, curveReverse }
      t.ok(
        (await drawn(text(long, given))) === (await drawn(text('ab', given))),
        `${textAlign} ${curveReverse}`,
      )
    }
})

t.test('a drawing means the same however it is written', async (t) => {
  const look = (inner: string) =>
    drawn(picture('a.svg'), {
      'a.svg': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="100">${inner}</svg>`),
    })
  const shape = '<path d="M10 50 A20 20 0 0 1 50 50 L90 90 Z"'
  // The size of a drawing of one turned shape is not known.
  const dot = '<rect width="9" height="9"/>'
  const group = (paint: string, own = '') => `<g ${paint}>${shape} ${own}/></g>${dot}`
  const plain = await look(group(''))
  for (const [one, same] of [
    ['<path d="M10 50A20 20 0 0150 50L90 90Z"/>', `${shape}/>`],
    ['<path d="M10 50a20 20 0 0 140 0l40 40z"/>', `${shape}/>`],
    ['<path d="M10,50a20,20,0,01,40,0 40 40"/>', '<path d="M10 50A20 20 0 0 1 50 50A40 40 0 0 0 50 50"/>'],
    ['<path d="M10 50A20 20 0 1150 50z"/>', '<path d="M10 50A20 20 0 1 1 50 50z"/>'],
    ['<path d="M10 50A20 30 20 1050 50z"/>', '<path d="M10 50A20 30 20 1 0 50 50z"/>'],
    ['<path d="M9 9H80V70H9z"/>', '<path d="M9 9h71v61h-71z"/>'],
    ['<path d="M9 9 80 9 80 70"/>', '<path d="m9 9 71 0 0 61"/>'],
    ['<path d="M9 9C9 50 40 50 40 9S70 -32 70 9z"/>', '<path d="M9 9c0 41 31 41 31 0s30-41 30 0z"/>'],
    ['<path d="M9 40Q30 9 50 40T91 40z"/>', '<path d="M9 40q21-31 41 0t41 0z"/>'],
    ['<path d="M9 40Q30 9 50 40T90 40z"/>', '<path d="M9 40Q30 9 50 40Q70 71 90 40z"/>'],
    ['<path d="M9 9H80V70H9z M20 20 x L99 99"/>', '<path d="M9 9H80V70H9z"/>'],
    [
      '<rect x="9" y="9" width="70" height="50" rx="8"/>',
      '<rect x="9" y="9" width="70" height="50" rx="8" ry="8"/>',
    ],
    ['<circle cx="50" cy="50" r="30"/>', '<ellipse cx="50" cy="50" rx="30" ry="30"/>'],
    ['<polygon points="9 9 80 9 80 70"/>', '<polyline points="9,9,80,9,80,70"/>'],
    [group('fill="#c00"', 'fill="inherit"'), group('', 'fill="#c00"')],
    [group('fill="#c00"', 'style="fill:inherit"'), group('', 'fill="#c00"')],
    [
      group('stroke="#00c" stroke-width="6"', 'stroke="inherit" stroke-width="inherit"'),
      group('', 'stroke="#00c" stroke-width="6"'),
    ],
    [group('fill-opacity="50%"', 'fill-opacity="inherit"'), group('', 'fill-opacity=".5"')],
    [group('opacity=".5"', 'opacity=".5"'), group('', 'fill-opacity=".25"')],
    [group('transform="translate(9 3) scale(2)"'), group('transform="matrix(2 0 0 2 9 3)"')],
    [group('transform="rotate(30 50 50)"'), group('transform="translate(50,50)rotate(30)translate(-50-50)"')],
    [group('transform="skewX(45)"'), group('transform="matrix(1 0 1 1 0 0)"')],
    [group('transform="skewY(45)"'), group('transform="matrix(1 1 0 1 0 0)"')],
    [
      '<defs><rect id="r" width="9" height="9" fill="red" y="7"/></defs><use href="#r" x="20" fill="#00c" id="u"/>',
      '<rect x="20" y="7" width="9" height="9" fill="#00c"/>',
    ],
    [
      '<g fill="#00c"><use href="#r" transform="scale(2)"/></g><rect id="r" x="20" width="9" height="9"/>',
      '<rect x="40" width="18" height="18" fill="#00c"/><rect x="20" width="9" height="9"/>',
    ],
    ['<rect width="1in" height="12pt"/>', '<rect width="96px" height="16"/>'],
    ['<rect width="25.4mm" height="1pc"/>', '<rect width="2.54cm" height="1em"/>'],
  ] as const) {
    const found = await look(one)
    t.ok(found === (await look(same)), one)
  }
  for (const other of ['fill="#c00"', 'fill-opacity=".5"', 'stroke="#00c"', 'transform="scale(.9)"'])
    t.ok((await look(group(other))) !== plain, other)
})

t.test('a drawing fills its document as view box, size and ratio say', async (t) => {
  const look = (root: string, transform: string) => {
    const shapes = '<rect width="50" height="9"/><circle cx="40" cy="18" r="4"/>'
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${root}><g transform="${transform}">${shapes}</g></svg>`
    return drawn(picture('a.svg'), { 'a.svg': Buffer.from(svg) })
  }
  const size = 'width="120" height="100"'
  for (const [root, plain, transform] of [
    [`${size} viewBox="0 0 60 25" preserveAspectRatio="none"`, size, 'scale(2 4)'],
    [`${size} viewBox="5 3 60 25" preserveAspectRatio="none"`, size, 'matrix(2 0 0 4 -10 -12)'],
    [`${size} viewBox="0 0 60 25" preserveAspectRatio="xMidYMid"`, size, 'matrix(2 0 0 2 0 25)'],
    [`${size} viewBox="0 0 60 25" preserveAspectRatio="xMinYMin meet"`, size, 'scale(2)'],
    [`${size} viewBox="0 0 60 25" preserveAspectRatio="xMidYMid slice"`, size, 'matrix(4 0 0 4 -60 0)'],
    // As fabric.js does it.
    [`${size} viewBox="0 0 60 25"`, size, 'matrix(2 0 0 2 0 50)'],
    ['width="120" viewBox="0 0 60 25"', 'width="60" height="25"', 'scale(1)'],
    ['width="100%" height="100%" viewBox="0 0 60 25"', 'width="60" height="25"', 'scale(1)'],
  ] as const)
    t.ok((await look(root, 'scale(1)')) === (await look(plain, transform)), root)
})

/** The share of values that differ by more than a rounding of colors. */
function differing(one: Buffer, other: Buffer): number {
  if (one.length !== other.length) throw new Error(`${one.length} bytes, not ${other.length}`)
  return one.filter((value, i) => Math.abs(value - (other[i] ?? 0)) > 32).length / one.length
}

/** One pixel of the page is one of the stage; the bleed has 12. */
const onePixel = { ...printTask, format: 'png', dpi: 101.6 } as const

t.test('a drawing looks as librsvg draws it', async (t) => {
  const inner = (name: string) => String(drawings[name]).replace(/<svg[^>]*>|<\/svg>/g, '')
  const gradient = (kind: string, more: string, stops = '') =>
    `<${kind}Gradient id="p" ${more}><stop stop-color="#fff"/>${stops}<stop offset="90%" stop-color="#004"/></${kind}Gradient>
     <rect x="10" y="10" width="90" height="60" fill="url(#p)"/>`
  for (const shapes of [
    ...['badge.svg', 'windows.svg', 'star.svg', 'classes.svg'].map(inner),
    '<path d="M30 20a18 12 20 1 1 30 10z M80 80a18 12 20 0 0 30-10 9 9 0 0 1 -9-9" fill="purple"/>',
    '<path d="M20 80Q60 50 80 80T100 70zM10 50C40 0 60 0 90 50S99 80 50 90l-9-9h9v-9" fill="#083"/>',
    '<path d="M9 9h60v60h-60zM19 19h40v40h-40z" fill-rule="evenodd"/><path d="M80 9h9v60h-9zv9h9z"/>',
    '<path d="M20 20L60 80 90 20" fill="none" stroke="#a00" stroke-width="9" stroke-linejoin="bevel" stroke-linecap="square"/>',
    '<path d="M20 20L60 80 90 20" fill="none" stroke="#a00" stroke-width="9" stroke-dasharray="9 4" stroke-dashoffset="3"/>',
    '<path d="M20 40L60 44 20 48" fill="none" stroke="#a00" stroke-width="6" stroke-miterlimit="30" stroke-opacity=".5"/>',
    '<g stroke="#a00" stroke-width="4" stroke-linejoin="round"><path d="M20 20h60v50z" stroke="inherit"/></g>',
    '<rect x="9" y="9" width="80" height="60" rx="90" ry="9"/><g opacity=".5"><circle cx="90" cy="70" r="20"/></g>',
    '<clipPath id="c"><circle cx="60" cy="50" r="30"/></clipPath><rect x="9" y="9" width="90" height="80" clip-path="url(#c)"/>',
    gradient('linear', 'x1="20%" y2="1"', '<stop offset=".5" stop-color="red" stop-opacity=".5"/>'),
    gradient(
      'linear',
      'gradientUnits="userSpaceOnUse" x1="20" y1="15" x2="80" gradientTransform="rotate(9)"',
    ),
    gradient('radial', 'cx=".4" cy="60%" r=".3" fx=".3" fy=".5"'),
    gradient('radial', 'gradientUnits="userSpaceOnUse" cx="50" cy="40" r="40"'),
  ]) {
    // fabric measures what is drawn, which is the whole frame then.
    const ground = '<rect width="120" height="100" fill="#eee"/>'
    const bytes = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="100">${ground}${shapes}</svg>`,
    )
    const element = picture('a.svg', { left: 60, top: 60, originX: 'left', originY: 'top' })
    const { bytes: page } = await renderHere(onePixel, [viewWith(element)], fonts, { 'a.svg': bytes })
    const white = sharp({ create: { width: 324, height: 224, channels: 3, background: '#fff' } })
    const own = await sharp(bytes).png().toBuffer()
    const expected = await white
      .composite([{ input: own, left: 22, top: 22 }])
      .removeAlpha()
      .raw()
      .toBuffer()
    const found = await sharp(page).flatten({ background: '#fff' }).removeAlpha().raw().toBuffer()
    t.ok(differing(found, expected) < 0.0005, `${differing(found, expected)} ${shapes}`)
  }
})

t.test('a filter changes a color as fabric does', async (t) => {
  const flat = sharp({ create: { width: 40, height: 40, channels: 3, background: 'rgb(120, 60, 30)' } })
  const sources = { 'flat.png': await flat.png().toBuffer() }
  for (const [filter, ...color] of [
    ['grayscale', 70, 70, 70],
    ['sepia', 99, 88, 69],
    ['invert', 135, 195, 225],
    ['vintage', 103, 50, 21],
    ['kodachrome', 174, 68, 30],
    ['technicolor', 187, 0, 14],
    ['blackwhite', 60, 60, 60],
    ['Black White', 60, 60, 60],
    ['removewhite', 120, 60, 30],
    [[...new Array(18).fill(0), 1, 0], 0, 0, 0],
    [{ type: 'brightness', brightness: 0.2 }, 171, 111, 81],
    [{ type: 'brightness', value: -0.2 }, 69, 9, 0],
    [{ type: 'contrast', contrast: 0.2 }, 116, 26, 0],
    [{ type: 'saturation', saturation: 0.25 }, 120, 45, 8],
    [{ type: 'vibrance', vibrance: 0.5 }, 120, 48, 12],
    [{ type: 'gamma', gamma: [2, 1, 0.5] }, 175, 60, 4],
    [[0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0.1, 0, 0, 0, 1, 0], 30, 120, 86],
  ] as const) {
    const element = picture('flat.png', { filter })
    const { bytes } = await renderHere(onePixel, [viewWith(element)], fonts, sources)
    const pixel = sharp(bytes).removeAlpha().extract({ left: 162, top: 112, width: 1, height: 1 })
    t.same([...(await pixel.raw().toBuffer())], color, JSON.stringify(filter))
  }
})

t.test('white is removed, and a picture is cut before it is placed', async (t) => {
  const half = (color: string, left: number) => ({
    input: { create: { width: 20, height: 40, channels: 3 as const, background: color } },
    left,
    top: 0,
  })
  const base = sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
  const sources = {
    'half.png': await base
      .composite([half('#000', 0), half('#fff', 20)])
      .png()
      .toBuffer(),
  }
  const looks = async (parameters: object) => {
    const { bytes } = await renderHere(onePixel, [viewWith(picture('half.png', parameters))], fonts, sources)
    const row = await sharp(bytes)
      .ensureAlpha()
      .extract({ left: 142, top: 112, width: 40, height: 1 })
      .raw()
      .toBuffer()
    return [1, 18, 21, 38].map((x) => [...row.subarray(4 * x, 4 * x + 4)])
  }
  const [black, white, none] = [
    [0, 0, 0, 255],
    [255, 255, 255, 255],
    [0, 0, 0, 0],
  ]
  t.same(await looks({}), [black, black, white, white])
  t.same(
    (await looks({ filter: 'removewhite' })).map(([, , , alpha]) => alpha),
    [255, 255, 0, 0],
  )
  t.same(await looks({ cropX: 10, width: 20, height: 40 }), [none, black, white, none])
  t.same(await looks({ cropX: 20, width: 20, height: 40, scaleX: 2 }), [white, white, white, white])
  t.same(await looks({ cropY: 9, width: 20, height: 30, scaleX: 2 }), [black, black, black, black])
})

t.test('the border of a picture lies over it, or below it where the stroke is painted first', async (t) => {
  const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#28f' } })
    .png()
    .toBuffer()
  const border = { stroke: '#ff0000', strokeWidth: 8 }
  const [bare, over, below] = [
    await drawn(picture('a.png'), { 'a.png': photo }),
    await drawn(picture('a.png', border), { 'a.png': photo }),
    await drawn(picture('a.png', { ...border, paintFirst: 'stroke' }), { 'a.png': photo }),
  ]
  t.equal(new Set([bare, over, below]).size, 3)
})
