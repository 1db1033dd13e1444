// Drawings that are expensive to render are rejected, and ordinary ones with many elements are not.
import t from 'tap'
import { rewriteSvg } from '../../../../src/files/svg/rewrite.ts'
import { heavyFamilies } from '../../../support/heavy-drawings.ts'
import { svgOpen } from '../../../support/hostile-svg.ts'

const refused = { code: 'svc_upload_rejected' }
const many = (n: number, part: (index: number) => string) =>
  Array.from({ length: n }, (_, index) => part(index)).join('')

for (const [name, { make, hostile }] of Object.entries(heavyFamilies)) {
  t.test(`${name}: few are accepted, too many are rejected`, async (t) => {
    t.ok(rewriteSvg(make(hostile > 300 ? hostile / 100 : hostile > 100 ? 1 : 4)).svg)
    t.throws(() => rewriteSvg(make(hostile)), refused)
  })
}

/** Invalid values must not hide the cost of the rest. */
const tricks: Record<string, string> = {
  'an empty filter of an unknown region':
    '<filter id="e" filterUnits="userSpaceOnUse" width="50%" height="1"/><rect filter="url(#e)"/>',
  'a transform beyond all numbers':
    '<g transform="scale(1e200)"><rect width="1e200" height="1" transform="scale(1e200)"/></g>',
  'a size beyond all numbers': '<rect width="1e999" height="-1e999"/><circle r="1e308" cx="-1e308"/>',
  'dashes of nothing': '<path d="" stroke-dasharray="1e-320"/><path d="M0 0h1" stroke-dasharray="0 0"/>',
  'a path of nonsense': '<path d="M1e999 1e999L-1e999 0 A 1 1e999 0 1 1 0 0T1 1zzM"/>',
}

for (const [name, content] of Object.entries(tricks)) {
  t.test(`${name} does not hide the cost of other elements`, async (t) => {
    const heavy = heavyFamilies['masks in masks']?.make(14) ?? ''
    t.throws(() => rewriteSvg(heavy.replace('</svg>', `<g>${content}</g></svg>`)), refused)
    t.throws(() => rewriteSvg(heavy.replace('height="1000">', `height="1000"><g>${content}</g>`)), refused)
  })
}

t.test('whitespace in front of a number does not hide it', async (t) => {
  const padded = (value: string) => `${' '.repeat(200)}${value}`
  const parts: Record<string, [filter: string, size: number, times: number]> = {
    octaves: [`<filter id="f"><feTurbulence numOctaves="${padded('2000')}"/></filter>`, 40, 1],
    blurs: [
      `<filter id="f">${`<feGaussianBlur stdDeviation="${padded('99999')}"/>`.repeat(4)}</filter>`,
      ...([40, 1] as const),
    ],
    radii: [`<filter id="f">${`<feMorphology radius="${padded('99')}"/>`.repeat(4)}</filter>`, 40, 1],
    regions: [
      `<filter id="f" width="${padded('9999')}" height="1"><feGaussianBlur/></filter>`,
      ...([1, 100] as const),
    ],
  }
  for (const [name, [filter, size, times]] of Object.entries(parts)) {
    const use = `<rect width="${size}" height="${size}" filter="url(#f)"/>`.repeat(times)
    t.throws(() => rewriteSvg(`${svgOpen}>${filter}${use}</svg>`), refused, name)
    t.ok(rewriteSvg(`${svgOpen}>${filter.replace(/ {200}\d+/g, '.05')}${use}</svg>`), name)
  }
  const joins = `<path id="p" d="M0 0${'l1 1l1-1'.repeat(1000)}" stroke="red" stroke-width="${padded('90000')}"/>`
  t.throws(() => rewriteSvg(`${svgOpen}>${joins}${'<use href="#p"/>'.repeat(60)}</svg>`), refused)
})

t.test('each part of a selector counts for each element, however the parts are joined', async (t) => {
  const drawing = (elements: number, parts: number, join: string) =>
    `${svgOpen}><style>${Array(parts).fill('rect').join(join)}{fill:red}</style>${many(elements, () => '<rect width="1" height="1"/>')}</svg>`
  for (const join of ['+', ' ', '>', ' > ', ',', ':not(rect)', '.a.']) {
    t.throws(() => rewriteSvg(drawing(20_000, 10_000, join)), refused, join)
    t.ok(rewriteSvg(drawing(20_000, 40, join)).svg, join)
  }
})

t.test('a filter on a `use` counts by the size of what is drawn, if that is known', async (t) => {
  const blur = '<filter id="f"><feGaussianBlur stdDeviation=".01"/></filter>'
  const used = (definition: string, use = 'href="#p"') =>
    `${svgOpen}>${blur}${definition}${many(100, () => `<use ${use} filter="url(#f)"/>`)}</svg>`
  const shape = (size: number, more = '') => `<path id="p" d="M0 0h${size}v${size}z" ${more}/>`
  const nested = (size: number, depth: number) =>
    `${shape(size)}${many(depth, (at) => `<g id="g${at}"><use href="#${at === 0 ? 'p' : `g${at - 1}`}"/></g>`)}`
  t.ok(rewriteSvg(used(shape(1))).svg)
  t.ok(rewriteSvg(used(shape(1), 'href="#p" x="9" transform="rotate(9)"')).svg)
  t.ok(rewriteSvg(used(nested(1, 2), 'href="#g1"')).svg)
  const heavy = {
    'a large shape': used(shape(40)),
    'one that is enlarged': used(shape(1, 'transform="scale(40)"')),
    'one that is enlarged where it is used': used(shape(1), 'href="#p" transform="scale(40)"'),
    'one with a wide stroke': used(shape(1, 'stroke-width="40"')),
    'a stroke that the `use` widens': used(shape(1), 'href="#p" stroke-width="40"'),
    'a rule that moves it': used(`<style>use{transform:scale(40)}</style>${shape(1)}`),
    'a large one behind others': used(nested(40, 2), 'href="#g1"'),
    'one behind too many others': used(nested(1, 9), 'href="#g8"'),
    'a symbol': used(`<symbol id="p" viewBox="0 0 1 1">${shape(1).replace('id="p"', '')}</symbol>`),
    'a drawing with a size of its own': used(
      `<svg id="p" viewBox="0 0 1 1">${shape(1).replace('id="p"', '')}</svg>`,
    ),
    'a text': used('<text id="p">a</text>'),
    'two targets': used(shape(1), 'href="#p" xlink:href="#g" ').replace(
      '<use',
      `<g id="g">${shape(40).replace('"p"', '"q"')}</g><use`,
    ),
  }
  for (const [name, svg] of Object.entries(heavy)) t.throws(() => rewriteSvg(svg), refused, name)
})

t.test('dashes from a style rule count', async (t) => {
  const dashes = (value: string) =>
    `${svgOpen}><style>.a{stroke-dasharray:${value}}</style><path class="a" d="M0 0h9000" stroke-dasharray="99"/></svg>`
  t.ok(rewriteSvg(dashes('9')).svg)
  t.throws(() => rewriteSvg(dashes('.0001')), refused)
})

t.test('the vertices of outlines in a style count', async (t) => {
  const path = `path('M0 0${'h1'.repeat(50_000)}')`
  for (const property of ['d', 'clip-path'])
    t.throws(
      () =>
        rewriteSvg(
          `${svgOpen}><path id="p" style="${property}:${path}"/>${'<use href="#p"/>'.repeat(100)}</svg>`,
        ),
      refused,
    )
})

const rings: Record<string, string> = {
  'a use of itself': '<g id="a"><use href="#a"/></g>',
  'two uses of each other': '<g id="a"><use href="#b"/></g><g id="b"><use xlink:href="#a"/></g>',
  'a use of the root': '<use href="#root"/>',
  'a mask': '<mask id="m"><rect mask="url(#m)"/></mask><rect mask="url(#m)"/>',
  'a mask by a style': '<mask id="m"><g style="mask:url(#m)"><rect/></g></mask><rect mask="url(#m)"/>',
  'a clip':
    '<clipPath id="a" clip-path="url(#b)"/><clipPath id="b" clip-path="url(#a)"/><rect clip-path="url(#a)"/>',
  'a pattern': '<pattern id="p" width="9" height="9"><rect fill="url(#p)"/></pattern><rect fill="url(#p)"/>',
  'a marker':
    '<marker id="k"><path d="M0 0h1" marker-end="url(#k)"/></marker><path d="M0 0h1" marker-end="url(#k)"/>',
  gradients: '<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/><rect fill="url(#a)"/>',
  'a picture of a filter': '<filter id="f"><feImage href="#r"/></filter><rect id="r" filter="url(#f)"/>',
}

for (const [name, content] of Object.entries(rings)) {
  t.test(`circular references through ${name} are rejected`, async (t) => {
    t.throws(() => rewriteSvg(`${svgOpen} id="root">${content}<rect/></svg>`), {
      ...refused,
      message: /circular references/,
    })
  })
}

t.test('references that only look circular are accepted', async (t) => {
  for (const content of [
    '<g id="a"><a href="#a"><rect/></a></g>',
    '<g fill="url(#p)"><pattern id="p" width="9" height="9"><rect/></pattern><rect/></g>',
    '<g clip-path="url(#c)"><clipPath id="c"><rect/></clipPath><rect/></g>',
    '<g id="a" fill="url(#a)"><rect/></g>',
    '<mask id="m"><use href="#r"/></mask><g mask="url(#m)"><rect id="r"/></g>',
    '<path id="p" d="M0 0h9"/><text><textPath href="#p">a</textPath></text>',
  ])
    t.ok(rewriteSvg(`${svgOpen}>${content}<rect/></svg>`).svg, content)
})

const GRADIENT = '<radialGradient id="r"><stop/><stop offset="1"/></radialGradient>'
const SHADOW =
  '<filter id="f"><feGaussianBlur stdDeviation="2"/><feOffset dx="2"/><feMerge><feMergeNode/></feMerge></filter>'
const at = (index: number) => `x="${(index % 100) * 10}" y="${Math.floor(index / 100)}"`

const honest: Record<string, string> = {
  'ten thousand small shapes with radial gradients':
    GRADIENT + many(10_000, (index) => `<circle cx="${index % 1000}" cy="9" r="8" fill="url(#r)"/>`),
  'three hundred small shadows':
    SHADOW + many(300, (index) => `<g filter="url(#f)"><rect ${at(index)} width="20" height="20"/></g>`),
  'ten thousand translucent shapes': many(
    10_000,
    (index) => `<rect ${at(index)} width="9" height="9" opacity=".9"/>`,
  ),
  'a traced photo of half a million vertices': many(
    500,
    (index) => `<path d="M${index} 9${many(1000, (vertex) => `l${vertex % 3} ${1 - (vertex % 3)}`)}z"/>`,
  ),
  'a map of fifty thousand signs': `<symbol id="s"><rect width="3" height="3"/></symbol>${many(50_000, (index) => `<use href="#s" ${at(index)}/>`)}`,
  'a chart of five thousand marks': `<marker id="k"><circle r="2"/></marker><path marker-mid="url(#k)" d="M0 0${'l1 1'.repeat(5000)}"/>`,
  'a plan of dashed lines': many(
    2000,
    (index) => `<path d="M0 ${index}h1000" stroke="red" stroke-dasharray="5 3"/>`,
  ),
  'a sheet of a thousand classes': `<style>${many(1000, (index) => `.a${index}{fill:red}`)}</style>${many(20_000, (index) => `<rect class="a${index % 1000}"/>`)}`,
  'a page of text': many(60, (index) => `<text y="${index * 15}">${'lorem ipsum '.repeat(12)}</text>`),
  'a picture in the middle of a blur':
    '<filter id="f"><feGaussianBlur stdDeviation="20"/></filter><g filter="url(#f)"><rect width="1000" height="1000"/></g>'.repeat(
      20,
    ),
}

for (const [name, content] of Object.entries(honest)) {
  t.test(`${name} are accepted`, async (t) => {
    t.ok(rewriteSvg(`${svgOpen.replace('0 0 40 40', '0 0 1000 1000')}>${content}</svg>`).svg)
  })
}
