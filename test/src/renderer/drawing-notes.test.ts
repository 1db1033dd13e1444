// Drawings that are printed otherwise than the designer shows them: a finding says so. Blended drawings are blended as a whole.
import sharp from 'sharp'
import t from 'tap'
import { noteOn, withVariables } from '../../../src/renderer/drawing-notes.ts'
import { inOrder } from '../../../src/renderer/loaded-faces.ts'
import { fallbackFonts } from '../../../src/renderer/preset-fonts.ts'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { pictureElement as picture, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const svg = (inner: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="60">${inner}</svg>`)

async function printed(inner: string, parameters: object = {}) {
  const view = viewWith(picture('drawing.svg', parameters))
  const task = { ...printTask, format: 'png' as const, dpi: 101.6 }
  const { outcome, bytes } = await renderHere(task, [view], fonts, { 'drawing.svg': svg(inner) })
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome))
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const colorAt = (x: number, y: number) => {
    const i = 4 * (y * info.width + x)
    return `#${data.subarray(i, i + 3).toString('hex')}`
  }
  return { colorAt, messages: outcome.report.warnings.map(({ message }) => message) }
}

t.test('withVariables: values of a drawing, what is given instead, and none', async (t) => {
  t.equal(withVariables('<g style="--a: #c00; fill: var(--a)"/>'), '<g style="--a: #c00; fill: #c00"/>')
  t.equal(withVariables('<g fill="var(--b, red)"/>'), '<g fill="red"/>')
  t.equal(withVariables('<g fill="var(--c)"/>'), '<g fill="var(--c)"/>')
  t.equal(withVariables('<g fill="var(--b, rgb(1, 2, 3))"/>'), '<g fill="rgb(1, 2, 3)"/>')
  t.equal(withVariables('<g fill="var(--b, var(--c, red))"/>'), '<g fill="red"/>')
  t.match(withVariables('<g style="--a: var(--b); --b: #0c0; fill: var(--a)"/>'), 'fill: #0c0"')
  t.match(withVariables('<g style="--a: var(--b); --b: var(--a); fill: var(--a)"/>'), 'fill: var(--a)"')
})

t.test('noteOn: masks, patterns, opacity of groups, variables', async (t) => {
  t.match(
    noteOn('<mask id="m"/><pattern id="p"/><g opacity=".5"/>'),
    /masks and patterns and opacity of groups/,
  )
  t.match(noteOn('<g style="opacity:0.5"/>'), /opacity of groups/)
  t.match(noteOn('<g fill="var(--c)"/>'), /without a value, which are printed black/)
  t.equal(noteOn('<g fill-opacity="0.5"><rect opacity="0.5"/></g>'), undefined)
})

t.test('render: a color set by a CSS variable is printed, with a warning', async (t) => {
  const { colorAt, messages } = await printed('<rect width="100" height="60" fill="var(--main, #c00000)"/>')
  t.equal(colorAt(162, 112), '#c00000')
  t.match(messages, [/CSS variables, which are printed although/])
})

t.test('render: a masked drawing is a warning that names the mask', async (t) => {
  const { messages } = await printed(
    '<mask id="m"><rect width="50" height="60" fill="#fff"/></mask><rect width="100" height="60" mask="url(#m)"/>',
  )
  t.ok(
    messages.some((message) => /^.*The drawing has masks, which are printed although/.test(message)),
    messages.join(' '),
  )
})

t.test('render: rules of CSS that the designer does not know are printed, with a finding', async (t) => {
  const rect = '<g><rect class="a" width="100" height="60"/></g>'
  for (const selector of ['g > .a', '[class=a]', 'rect:first-child']) {
    const { messages, colorAt } = await printed(`<style>${selector} {fill:#00ff00}</style>${rect}`)
    t.match(messages.join(' '), /rules of CSS that the designer does not know/, selector)
    t.equal(colorAt(162, 112), '#00ff00', selector)
  }
  const { messages } = await printed(`<style>g .a {fill:#00ff00}</style>${rect}`)
  t.notMatch(messages.join(' '), /rules of CSS/)
})

t.test('render: a blended drawing is blended as a whole', async (t) => {
  const shapes =
    '<rect width="100" height="60" fill="#ff0000"/><rect width="100" height="60" fill="#00ff00"/>'
  const { colorAt } = await printed(shapes, { globalCompositeOperation: 'multiply' })
  t.equal(colorAt(162, 112), '#00ff00')
})

t.test('inOrder: Chinese by itself is not printed in a Korean font', async (t) => {
  const files = fallbackFonts.map(({ font, writing }) => ({ family: font.family, path: '', writing }))
  const names = (texts: string[]) => inOrder(files, texts).map(({ family }) => family)
  t.equal(names(['한국', '世界']).at(-1), 'Noto Sans KR')
  t.same(names(['한국 世界']), names([]))
})

t.test('render: an entry of names and numbers without a name prints the number alone', async (t) => {
  const placed = (title: string, parameters: object) => ({
    title,
    source: title,
    type: 'text',
    parameters: { text: title, left: 200, top: 150, fontFamily: 'Liberation Sans', ...parameters },
  })
  const elements = [
    placed('Name', { textPlaceholder: 'Name' }),
    placed('00', { numberPlaceholder: '00', top: 200 }),
  ]
  const view = (entry: object) => ({ ...viewWith(...elements), names_numbers: [entry] })
  const outcomeOf = async (entry: object) =>
    (await renderHere({ ...printTask, format: 'svg' }, [view(entry)], fonts, {})).outcome.kind
  t.same([await outcomeOf({ number: 7 }), await outcomeOf({ name: 'Ada' })], ['done', 'refused'])
})

t.test('drawingOf: a text with a paint that vectors lack is printed in a picture', async (t) => {
  const pattern = '<pattern id="p" width="9" height="9"><path d="M0 0h9v9z" fill="#c00"/></pattern>'
  const text = '<text x="5" y="40" font-family="Liberation Sans" font-size="40" fill="url(#p)">MM</text>'
  const { messages } = await printed(`<defs>${pattern}</defs>${text}`)
  t.match(messages.join(), 'patterns')
})

t.test('withFills: other fills of a drawing with a complex style sheet are refused', async (t) => {
  const view = viewWith(picture('drawing.svg', { svgFill: ['#00ff00'] }))
  const styled = svg('<style>@media print { path { fill: red } }</style><path d="M0 0h50v50z"/>')
  const task = { ...printTask, format: 'png' } as const
  const { outcome } = await renderHere(task, [view], fonts, { 'drawing.svg': styled })
  t.match(outcome, { kind: 'refused', refusals: [{ code: 'drawing', message: /style sheet/ }] })
})
