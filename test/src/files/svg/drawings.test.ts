// Ordinary drawings keep every pixel, and a second pass changes no byte.
import t from 'tap'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.ts'
import { drawing } from '../../../support/fixtures/drawings.ts'
import { difference } from '../../../support/fixtures/pixels.ts'

const DRAWINGS = 200

t.test('two hundred drawings look the same to the pixel after they were sanitized', async (t) => {
  const different: [number, number][] = []
  const visible = new Set<number>()
  for (let seed = 0; seed < DRAWINGS; seed++) {
    const before = Buffer.from(drawing(seed))
    const { svg, removed } = await sanitizeSvg(before)
    if (removed.length > 0) t.fail(`drawing ${seed} is said to hold ${removed.join(', ')}`)
    const pixels = await difference(before, Buffer.from(svg))
    if (pixels !== 0) different.push([seed, pixels])
    if ((await difference(before, Buffer.from(drawing(seed + 1)))) !== 0) visible.add(seed)
  }
  t.strictSame(different, [])
  t.ok(visible.size > DRAWINGS * 0.9, 'the drawings show different things')
})

const square = '<rect x="5" y="5" width="60" height="60" fill="#c33"/>'

/** Habits of particular programs and authors that the drawings above do not cover. */
const habits: Record<string, string> = {
  'a fallback for an extension':
    '<switch><g requiredExtensions="http://ns.example/10/"><rect width="90" height="90"/></g><circle r="40"/></switch>',
  'a feature by its address': `<switch><g requiredFeatures="http://www.w3.org/TR/SVG11/feature#Shape">${square}</g></switch>`,
  'print colors':
    '<rect width="20" height="20" fill="#cd853f icc-color(x, 0.1)" style="stroke:#00ff00 device-cmyk(1,0,1,0)"/>',
  'a hidden sheet':
    '<style><![CDATA[<!-- .a{fill:lime} -->]]></style><rect class="a" width="50" height="50"/>',
  'a color behind a paint from outside':
    '<rect fill="url(https://x.example/#a) #0f0" width="50" height="50"/>',
  'positions in selectors':
    '<style>g > rect:nth-child(2n+1){fill:lime}rect:not(.q):last-of-type{stroke:blue}</style><g><rect width="20" height="20"/><rect x="30" width="20" height="20"/></g>',
  'attributes in selectors': `<style>rect[width="60"]{fill:lime}rect[fill^='#c']{stroke:blue}</style>${square}`,
  variables: '<style>:root{--c:lime}.a{fill:var(--c)}</style><rect class="a" width="50" height="50"/>',
  'other name spaces inside': `<o:g xmlns:o="http://www.w3.org/2000/svg"><o:circle r="30"/></o:g>${square}`,
  'text along a path':
    '<defs><path id="p" d="M10 50q40-40 80 0"/></defs><text><textPath xlink:href="#p" startOffset="9%">abc</textPath></text>',
  'links around text': '<text y="20"><a href="https://x.example/">a <tspan fill="red">b</tspan></a></text>',
  'chains of clips and masks':
    '<clipPath id="c"><circle cx="50" cy="50" r="40"/></clipPath><clipPath id="d" clip-path="url(#c)"><rect width="60" height="60"/></clipPath><mask id="m"><g clip-path="url(#d)"><rect width="90" height="90" fill="#fff"/></g></mask><rect mask="url(#m)" width="99" height="99"/>',
  'light on a shape':
    '<filter id="f"><feSpecularLighting surfaceScale="5" lighting-color="white"><fePointLight x="10" y="10" z="50"/></feSpecularLighting></filter><circle cx="50" cy="50" r="30" filter="url(#f)"/>',
  'an export with symbols': `<symbol id="s" viewBox="0 0 10 10" overflow="visible"><rect width="8" height="8"/></symbol><use xlink:href="#s" x="50" width="20" height="20"/>`,
}

t.test('sanitizeSvg: the habits of drawing programs do not change how a drawing looks', async (t) => {
  for (const [name, content] of Object.entries(habits)) {
    const before = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 100">${content}</svg>`,
    )
    t.equal(await difference(before, Buffer.from((await sanitizeSvg(before)).svg)), 0, name)
  }
})

t.test('sanitizeSvg: a sanitized drawing passes byte for byte', async (t) => {
  const changed: number[] = []
  for (let seed = 0; seed < DRAWINGS; seed++) {
    const { svg } = await sanitizeSvg(Buffer.from(drawing(seed)))
    const again = await sanitizeSvg(Buffer.from(svg))
    if (again.svg !== svg) changed.push(seed)
  }
  t.strictSame(changed, [])
})
