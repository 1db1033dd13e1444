// Drawings in colors that are not their own: one for all shapes, single fills, filters, and drawings that show nothing.
import sharp from 'sharp'
import t from 'tap'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { pictureElement as picture, textElement, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()

const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60">${inner}</svg>`)
const shapes =
  '<style>.a{fill:#c00000}</style><rect class="a" width="50" height="60"/><rect x="50" width="50" height="60" fill="#0000c0"/>'
const drawings = {
  'two.svg': svg(shapes),
  'masked.svg': svg(
    `<mask id="m"><rect width="100" height="60" fill="#fff"/></mask><g mask="url(#m)">${shapes}</g>`,
  ),
  'soft.svg': svg(
    `<filter id="f"><feGaussianBlur stdDeviation="0.01"/></filter><g filter="url(#f)">${shapes}</g>`,
  ),
  'palette.svg': svg('<defs><linearGradient id="g"><stop stop-color="#f00"/></linearGradient></defs>'),
}

/** Colors of the left and the right half, and the warnings about the drawing. */
async function looksOf(source: keyof typeof drawings, parameters: object) {
  // A pixel of the page for each of the stage.
  const task = { ...printTask, format: 'png' as const, dpi: 101.6 }
  // A view that shows nothing would be left out.
  const view = viewWith(
    picture(source, parameters),
    textElement('Corner', { left: 80, top: 70, fontSize: 9 }),
  )
  const { outcome, bytes } = await renderHere(task, [view], fonts, drawings)
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const colorAt = (x: number) => {
    const i = 4 * (112 * info.width + x)
    return data[i + 3] === 0 ? 'nothing' : `#${data.subarray(i, i + 3).toString('hex')}`
  }
  const messages = outcome.report.warnings
    .filter(({ code }) => code === 'drawing')
    .map(({ message }) => message)
  return { colors: [colorAt(140), colorAt(185)], messages }
}

t.test('one color for a drawing of several shapes is that of each filled one, with a warning', async (t) => {
  t.match(await looksOf('two.svg', { fill: '#00a000' }), {
    colors: ['#00a000', '#00a000'],
    messages: [/several shapes/],
  })
})

t.test('filters change the colors of a drawing, which stays vectors, with a warning', async (t) => {
  t.match(await looksOf('two.svg', { filter: 'invert' }), {
    colors: ['#3fffff', '#ffff3f'],
    messages: [/other colors/],
  })
})

t.test('single shapes of a drawing that becomes a picture have the fills of the design', async (t) => {
  for (const source of ['masked.svg', 'soft.svg'] as const) {
    const { colors } = await looksOf(source, { svgFill: ['#00a000'] })
    t.same(colors, ['#00a000', '#0000c0'], source)
    const other = await looksOf(source, { svgFill: [null, '#00a000'] })
    t.same(other.colors, ['#c00000', '#00a000'], source)
  }
})

t.test('a drawing that becomes a picture is tinted and filtered as pictures are', async (t) => {
  t.match(await looksOf('masked.svg', { fill: '#00a000' }), {
    colors: ['#00a000', '#00a000'],
    messages: [/as a picture/],
  })
  t.same((await looksOf('masked.svg', { filter: 'invert' })).colors, ['#3fffff', '#ffff3f'])
})

t.test('a drawing without shapes, such as a palette, prints nothing, with a warning', async (t) => {
  t.match(await looksOf('palette.svg', {}), {
    colors: ['nothing', 'nothing'],
    messages: ['The drawing shows nothing.'],
  })
})
