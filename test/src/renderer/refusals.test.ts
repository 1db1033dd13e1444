// What cannot be drawn exactly, or at all, is refused with the view, the element and the cause; nothing is drawn then.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { sentenceOf } from '../../../src/renderer/refusal.ts'
import type { PrintTask } from '../../../src/renderer/task.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()

async function refusalsOf(views: unknown, more: Record<string, Buffer> = {}, task: Partial<PrintTask> = {}) {
  const { outcome } = await renderHere({ ...printTask, ...task }, views, fonts, { ...sources, ...more })
  return outcome.kind === 'refused' ? outcome.refusals.map(sentenceOf) : [outcome.kind]
}

const plain = viewWith(text('Hello'))
const options = plain.options

t.test('an element that cannot be drawn is refused by name', async (t) => {
  for (const [element, cause] of [
    [text('A', { fontFamily: 'Lobster, Pacifico' }), 'The font "Lobster, Pacifico" is not uploaded.'],
    [text('A 漢😀'), 'The font "Liberation Sans" has no glyph for U+6F22 (漢).'],
    [text('A', { pattern: 'gone.png' }), 'The picture is not there.'],
    [text('A', { pattern: true }), 'The property pattern cannot be drawn.'],
    [picture('photo.jpg', { pattern: 'logo.png' }), 'The property pattern cannot be drawn on a picture.'],
    [
      text('A', { pattern: 'logo.png', underline: true }),
      'Text with a gradient or pattern cannot be underlined or struck through.',
    ],
    [{ ...text('A'), type: 'neon-text' }, 'An element of type "neon-text" cannot be drawn.'],
    [{ ...text('A'), type: 'engraved-text' }, 'An element of type "engraved-text" cannot be drawn.'],
    [{ ...text('A'), type: 'textbox' }, 'The text box has no width.'],
    [text('A', { shadow: 'soft' }), 'The property shadow is "soft", which cannot be drawn.'],
    [
      text('A', { shadow: { color: 'red', affectStroke: true } }),
      'The property shadow.affectStroke cannot be drawn.',
    ],
    [
      text('A', { stroke: 'red', strokeWidth: 2, strokeDashArray: 'long' }),
      'The property strokeDashArray is not a list of lengths.',
    ],
    [
      picture('photo.jpg', { strokeUniform: true, strokeWidth: 2, originX: 'left' }),
      'A uniform stroke on an element whose origin is not its center cannot be drawn.',
    ],
    [
      picture('photo.jpg', { imageSmoothing: false }),
      'The property imageSmoothing is off, which cannot be drawn.',
    ],
    [text('A', { neonText: true }), 'The property neonText cannot be drawn.'],
    [text('A', { styles: { 0: { 0: { fill: 'red' } } } }), 'The property styles cannot be drawn.'],
    [text('A', { fill: { type: 'linear' } }), 'The property fill is not a plain color.'],
    [text('A', { fill: { colorStops: [] } }), 'The property fill has no sound colorStops.'],
    [text('A', { fill: 'reddish' }), 'The property fill is "reddish", which is not a color.'],
    [text('A', { textAlign: 'start' }), 'The property textAlign is "start", which cannot be drawn.'],
    [
      text('A', { curved: true, letterSpacing: 1, underline: true }),
      'Curved text with letter spacing cannot be underlined or struck through.',
    ],
    [text('A', { left: 'NaN' }), 'The property left is not a finite number.'],
    [text('A', { scaleX: 1e9 }), 'The property scaleX is 1000000000, which is not between -1000 and 1000.'],
    [text('A', { fontSize: -1 }), 'The property fontSize is -1, which is not between 0 and 10000.'],
    [
      text('A', { boundingBox: 'Nobody' }),
      'The bounding box is "Nobody", which is neither a print area nor an element of the view.',
    ],
    [text('A', { boundingBox: { x: 1, y: 1 } }), 'The bounding box has no width and height.'],
    [text('x'.repeat(20_001)), 'The text is longer than 20000 characters.'],
    [picture('gone.png'), 'The picture is not there.'],
    [
      picture('photo.jpg', { width: 900, height: 600 }),
      'The file measures 300 × 200 pixels, but the design was made with 900 × 600.',
    ],
    [picture('photo.jpg', { filter: 'polaroid' }), 'The filter "polaroid" cannot be drawn.'],
    [picture('photo.jpg', { filter: [1, 2] }), 'A filter matrix must hold 20 numbers.'],
    [picture('data:text/html,x'), 'The data of "data:text/html,x" are not a picture.'],
    [{ ...text('A'), type: 'video' }, 'An element of type "video" cannot be drawn.'],
  ] as const) {
    const title =
      element.title.length > 80 ? `${element.title.slice(0, 80)}…` : element.title.replaceAll('\n', ' ')
    t.same(await refusalsOf([viewWith(element)]), [`View "Front", element "${title}": ${cause}`], cause)
  }
})

t.test('with strict fonts nothing is substituted or synthesised', async (t) => {
  for (const [parameters, cause] of [
    [{ fontFamily: 'Arial' }, 'The font "Arial" is not uploaded.'],
    [{ fontFamily: 'DejaVu Sans', fontWeight: 'bold' }, 'The font "DejaVu Sans" has no variant bold.'],
  ] as const) {
    const { outcome } = await renderHere(printTask, [viewWith(text('A', parameters))], fonts, sources, true)
    t.match(outcome, { kind: 'refused', refusals: [{ code: 'font', message: cause }] })
  }
})

t.test('each kind of refusal has a code of its own', async (t) => {
  for (const [element, code] of [
    [text('A', { left: 'x' }), 'value'],
    [text('A', { clipPath: {}, neonText: true }), 'feature'],
    [{ ...text('A'), type: 'neon-text' }, 'feature'],
    [text('A', { fontFamily: 'Gone' }), 'font'],
    [text('A 漢'), 'glyph'],
    [picture('gone.png'), 'picture'],
    [text('A', { boundingBox: 'Nobody' }), 'box'],
    [text('x'.repeat(20_001)), 'limit'],
  ] as const) {
    const { outcome } = await renderHere(printTask, [viewWith(element)], fonts, sources)
    t.match(outcome, { kind: 'refused', refusals: [{ code, view: 'Front', element: element.title }] })
  }
})

t.test('numbers beyond all bounds in the JSON itself are refused', async (t) => {
  const json = JSON.stringify([plain]).replace('"left":200', '"left":1e999')
  t.same(await refusalsOf(json), ['View "Front", element "Hello": The property left is not a finite number.'])
})

t.test('a view that cannot be printed is refused by name', async (t) => {
  for (const [given, cause] of [
    [{ ...options, output: undefined }, 'The view has no output size in millimetres.'],
    [
      { ...options, output: { width: 75, height: 75 } },
      'The printing box (300 × 200 px) and the output (75 × 75 mm) differ in their ratio, so that the print would be distorted.',
    ],
    [
      { ...options, printingBox: { left: 1, top: 1, width: 0, height: 5 } },
      'The printing box has no width and height.',
    ],
    [{ output: options.output }, 'The view has no printing box.'],
    [{ ...options, mask: { url: 'star.svg' } }, 'A mask without a place on the stage cannot be drawn.'],
    [
      { ...options, mask: { url: 'photo.jpg', left: 0, top: 0 } },
      'The property mask is not a drawing of plain shapes, and cannot be drawn.',
    ],
    [
      { ...options, mask: { url: 'badge.svg', left: 0, top: 0 } },
      'The shape of the element "mask" cannot clip.',
    ],
    [{ ...options, mask: { url: 'gone.svg', left: 0, top: 0 } }, 'The picture is not there.'],
  ] as const) {
    t.same(await refusalsOf([{ ...plain, options: given }]), [`View "Front": ${cause}`])
  }
})

t.test('all refusals of a design are told at once', async (t) => {
  const views = [
    viewWith(text('A', { neonText: true }), text('B', { left: 'x' })),
    { ...viewWith(text('C', { mask: 'y' })), title: 'Back' },
  ]
  t.equal((await refusalsOf(views)).length, 3)
})

t.test('designs without anything, and no designs, are refused', async (t) => {
  for (const views of [[], {}, null, 7, 'no json', '{"product":"x"}']) {
    t.equal((await refusalsOf(views)).length, 1, JSON.stringify(views))
  }
})

t.test('ten thousand elements, and more pages than allowed, are refused', async (t) => {
  const many = Array.from({ length: 10_000 }, () => text('Hello'))
  t.same(await refusalsOf([viewWith(...many)]), [
    'View "Front": The view has 10000 elements; at most 2000 are drawn.',
  ])
  const names = Array.from({ length: 500 }, (_, i) => ({ name: `N${i}` }))
  t.same(await refusalsOf([{ ...plain, names_numbers: names }]), [
    'View "Front": The design has more than 100 pages.',
  ])
})

t.test('elements that are clipped by each other, or by themselves, are drawn', async (t) => {
  const a = { ...text('A', { boundingBox: 'B' }), title: 'A' }
  const b = { ...text('B', { boundingBox: 'A' }), title: 'B' }
  const self = { ...text('C', { boundingBox: 'C' }), title: 'C' }
  t.same(await refusalsOf([viewWith(a, b, self)]), ['done'])
})

t.test('pictures that are bombs, broken or lies are refused', async (t) => {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
  }
  const header = Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff, 8, 2, 0, 0, 0])
  const bomb = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1e6))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  const photo = sources['photo.jpg'] ?? Buffer.alloc(0)
  const deep = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(5000)}<rect width="1" height="1"/>${'</g>'.repeat(5000)}</svg>`,
  )
  const lol = Buffer.from(
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>',
  )
  for (const [name, bytes] of Object.entries({
    'bomb.png': bomb,
    'half.jpg': photo.subarray(0, photo.length / 2),
    'none.png': Buffer.from('nothing'),
    'empty.png': Buffer.alloc(0),
    'deep.svg': deep,
    'entities.svg': lol,
    'text.svg': Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>x</text></svg>',
    ),
    'blank.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  })) {
    const [sentence = ''] = await refusalsOf([viewWith(picture(name))], { [name]: bytes })
    t.match(sentence, /^View "Front", element "Photo": ./, `${name}: ${sentence}`)
  }
})

t.test('font files that lie are refused', async (t) => {
  const [whole] = fonts
  const bytes = Buffer.from(whole?.bytes ?? [])
  const broken = Buffer.from(bytes)
  broken.fill(0xff, 12, 12 + 16 * broken.readUInt16BE(4))
  for (const lie of [Buffer.alloc(0), Buffer.from('no font'), bytes.subarray(0, 3000), broken]) {
    const own = [{ family: 'Lie', bold: false, italic: false, bytes: lie }]
    const { outcome } = await renderHere(printTask, [viewWith(text('Hello', { fontFamily: 'Lie' }))], own, {})
    t.match(outcome.kind === 'refused' && outcome.refusals.map(sentenceOf), [
      'View "Front", element "Hello": The font file cannot be read.',
    ])
  }
})

t.test('a page of more pixels than allowed is refused', async (t) => {
  const [sentence] = await refusalsOf([plain], {}, { format: 'png', dpi: 2400, maxPixels: 1_000_000 })
  t.equal(sentence, 'The page measures 7654 × 5291 pixels at 2400 dpi; at most 1 megapixels are drawn.')
})
