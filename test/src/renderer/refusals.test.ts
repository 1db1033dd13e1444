// What cannot be drawn exactly, or at all, is refused with the view, the element and the cause; nothing is drawn then.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { type Finding, reportedTitle, sentenceOf } from '../../../src/renderer/refusal.ts'
import type { PrintTask } from '../../../src/renderer/task.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()

async function refusalsOf(views: unknown, more: Record<string, Buffer> = {}, task: Partial<PrintTask> = {}) {
  const { outcome } = await renderHere({ ...printTask, ...task }, views, fonts, { ...sources, ...more })
  return outcome.kind === 'refused' ? outcome.refusals : []
}

const codesOf = (refusals: Finding[]) => refusals.map(({ code }) => code)

const plain = viewWith(text('Hello'))
const options = plain.options

t.test('an element that cannot be drawn is refused by name', async (t) => {
  for (const [element, code, cause] of [
    [text('A', { fontFamily: 'Lobster, Pacifico' }), 'font', /Lobster/],
    [text('A ஆ😀'), 'glyph', /U\+0B86/],
    [text('김'), 'glyph', /U\+AE40/],
    [text('A', { pattern: 'gone.png' }), 'picture', /not there/],
    [text('A', { pattern: true }), 'feature', /pattern/],
    [picture('photo.jpg', { pattern: 'logo.png' }), 'feature', /pattern/],
    [text('A', { shadow: 'soft' }), 'feature', /shadow/],
    [text('A', { fill: { type: 'pattern', source: 'logo.png', repeat: 'no-repeat' } }), 'feature', /pattern/],
    [text('A', { stroke: 'red', strokeWidth: 2, strokeDashArray: 'long' }), 'value', /strokeDashArray/],
    [picture('photo.jpg', { imageSmoothing: false }), 'feature', /imageSmoothing/],
    [text('A', { clipPath: { type: 'group' } }), 'feature', /clipPath is of type "group"/],
    [text('A', { clipPath: { type: 'path', path: 'M0 0', inverted: true } }), 'feature', /inverted path/],
    [text('A', { clipPath: { type: 'rect', width: 9, height: 9, stroke: 'red' } }), 'feature', /stroke/],
    [text('A', { clipPath: { type: 'polygon', points: 7 } }), 'value', /points/],
    [text('A', { clipPath: { type: 'path', path: [['MM', 0, 0]] } }), 'value', /no sound path/],
    [text('A', { clipPath: { type: 'path', path: [['M', [0], 0]] } }), 'value', /no sound path/],
    [text('A', { clipPath: { type: 'path', path: ['M0 0'] } }), 'value', /no sound path/],
    [text('A', { styles: { 0: { 0: { fontSize: 1e9 } } } }), 'value', /fontSize/],
    [text('A', { styles: { 0: { 0: { fontFamily: 'Lobster' } } } }), 'font', /Lobster/],
    [text('A', { globalCompositeOperation: 'destination-out' }), 'feature', /destination-out/],
    [text('A', { fill: { type: 'linear' } }), 'feature', /fill/],
    [text('A', { fill: { colorStops: [] } }), 'value', /colorStops/],
    [text('A', { fill: 'reddish' }), 'value', /reddish/],
    [text('A', { textAlign: 'start' }), 'feature', /textAlign/],
    [text('A', { left: 'NaN' }), 'value', /left/],
    [text('A', { scaleX: 1e9 }), 'value', /scaleX/],
    [text('A', { fontSize: -1 }), 'value', /fontSize/],
    [text('A', { boundingBox: { x: 1, y: 1 } }), 'box', /width and height/],
    [text('x'.repeat(20_001)), 'limit', /20000/],
    [picture('gone.png'), 'picture', /not there/],
    [picture('photo.jpg', { width: 900, height: 600 }), 'picture', /300 × 200/],
    [picture('photo.jpg', { filter: 'posterize' }), 'feature', /posterize/],
    [picture('photo.jpg', { filter: { type: 'Convolute', matrix: [1, 2] } }), 'value', /9, 25/],
    [picture('badge.svg', { filter: { type: 'Blur', blur: 0.2 } }), 'feature', /pixels/],
    [picture('photo.jpg', { filter: [1, 2] }), 'value', /20 numbers/],
    [picture('data:text/html,x'), 'picture', /data:text/],
    [{ ...text('A'), type: 'video' }, 'feature', /video/],
  ] as const) {
    const found = await refusalsOf([viewWith(element)])
    t.match(found, [{ code, view: 'Front', element: reportedTitle(element.title), message: cause }])
    t.equal(found.length, 1)
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

t.test(
  'a refusal is told as one sentence that begins with its place, of which titles show the beginning',
  (t) => {
    const told = (view: string | null, element: string | null) =>
      sentenceOf({ view, element, message: 'It is odd.' })
    t.equal(told('Front', 'Name'), 'View "Front", element "Name": It is odd.')
    t.equal(told('Front', null), 'View "Front": It is odd.')
    t.equal(told(null, null), 'It is odd.')
    t.equal(told(`${'F'.repeat(80)}`, null), `View "${'F'.repeat(80)}": It is odd.`)
    t.equal(told(`a\n${'F'.repeat(80)}`, null), `View "a ${'F'.repeat(78)}…": It is odd.`)
    t.end()
  },
)

t.test('numbers beyond all bounds in the JSON itself are refused', async (t) => {
  const json = JSON.stringify([plain]).replace('"left":200', '"left":1e999')
  t.match(await refusalsOf(json), [{ code: 'value', element: 'Hello', message: /left/ }])
})

t.test('a view that cannot be printed is refused by name', async (t) => {
  for (const [given, code, cause] of [
    [{ ...options, output: undefined }, 'page', /output size/],
    [{ ...options, output: { width: 75, height: 75 } }, 'page', /ratio/],
    [{ ...options, printingBox: { left: 1, top: 1, width: 0, height: 5 } }, 'page', /width and height/],
    [{ output: options.output }, 'page', /no printing box/],
    [{ ...options, mask: { url: 'star.svg' } }, 'feature', /mask/],
    [{ ...options, mask: { url: 'photo.jpg', left: 0, top: 0 } }, 'feature', /mask/],
    [{ ...options, mask: { url: 'badge.svg', left: 0, top: 0 } }, 'box', /mask/],
    [{ ...options, mask: { url: 'gone.svg', left: 0, top: 0 } }, 'picture', /not there/],
  ] as const) {
    const found = await refusalsOf([{ ...plain, options: given }])
    t.match(found, [{ code, view: 'Front', element: null, message: cause }])
    t.equal(found.length, 1)
  }
})

t.test('all refusals of a design are told at once', async (t) => {
  const views = [
    viewWith(text('A', { gradient: 'x' }), text('B', { left: 'x' })),
    { ...viewWith(text('C', { mask: 'y' })), title: 'Back' },
  ]
  t.same(codesOf(await refusalsOf(views)), ['feature', 'value', 'feature'])
})

t.test('designs without anything, and no designs, are refused', async (t) => {
  for (const views of [[], {}, null, 7, 'no json', '{"product":"x"}']) {
    t.same(codesOf(await refusalsOf(views)), ['design'], JSON.stringify(views))
  }
})

t.test('ten thousand elements, and more pages than allowed, are refused', async (t) => {
  const many = Array.from({ length: 10_000 }, () => text('Hello'))
  t.match(await refusalsOf([viewWith(...many)]), [{ code: 'limit', view: 'Front', message: /2000/ }])
  const names = Array.from({ length: 500 }, (_, i) => ({ name: `N${i}` }))
  t.match(await refusalsOf([{ ...plain, names_numbers: names }]), [{ code: 'limit', message: /100 pages/ }])
})

t.test('elements that are clipped by each other, or by themselves, are drawn', async (t) => {
  const a = { ...text('A', { boundingBox: 'B' }), title: 'A' }
  const b = { ...text('B', { boundingBox: 'A' }), title: 'B' }
  const self = { ...text('C', { boundingBox: 'C' }), title: 'C' }
  t.same(await refusalsOf([viewWith(a, b, self)]), [])
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
  })) {
    const found = await refusalsOf([viewWith(picture(name))], { [name]: bytes })
    const code = name.endsWith('.svg') ? 'drawing' : name === 'bomb.png' ? 'limit' : 'picture'
    t.match(found, [{ code, element: 'Photo' }], name)
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
    t.match(outcome, { kind: 'refused', refusals: [{ code: 'font', element: 'Hello' }] })
  }
})

t.test('a page of more pixels than allowed is refused', async (t) => {
  const found = await refusalsOf([plain], {}, { format: 'png', dpi: 2400, maxPixels: 1_000_000 })
  t.match(found, [{ code: 'limit', message: /7654 × 5291 pixels at 2400 dpi; at most 1 megapixels/ }])
})
