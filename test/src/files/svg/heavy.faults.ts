// Drawings that are expensive to render are rejected, and ordinary ones with many elements are not.
import t from 'tap'
import { fileChecks } from '../../../../src/files/accept.ts'
import { rewriteSvg } from '../../../../src/files/svg/rewrite.ts'
import { heavyFamilies } from '../../../support/hostile/heavy-drawings.ts'
import { svgOpen } from '../../../support/hostile/hostile-svg.ts'

const refused = { code: 'svc_upload_rejected' }
const many = (n: number, part: (index: number) => string) =>
  Array.from({ length: n }, (_, index) => part(index)).join('')

t.test('a drawing that takes seconds to draw is rejected, and the next one is taken', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const asset = (svg: string) => checks.asset({ name: 'a.svg', read: async () => Buffer.from(svg) })
  for (const name of ['radial gradients', 'blend modes']) {
    const { make = () => '', hostile = 0 } = heavyFamilies[name] ?? {}
    await t.rejects(asset(make(hostile)), refused, name)
    t.match(await asset(make(1)), { type: 'svg' }, name)
  }
})

t.test('sanitizeSvg: the size that a drawing names hides nothing of what it takes to draw', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const { make = () => '', hostile = 0 } = heavyFamilies['radial gradients'] ?? {}
  for (const size of ['width="1e-9" height="1e-9"', 'width="1e9" height="1e9"']) {
    const svg = make(hostile).replace(/ width="1000" height="1000">/, ` ${size}>`)
    await t.rejects(checks.asset({ name: 'a.svg', read: async () => Buffer.from(svg) }), refused, size)
  }
})

t.test('sanitizeSvg: elements that `use` multiplies are counted, however deep they are', async (t) => {
  const doubled = (times: number, part: string) =>
    many(times, (at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(2)}</g>`).concat(
      `<g id="g0">${part}</g>`,
    )
  t.ok(rewriteSvg(`${svgOpen}><defs>${doubled(15, '<rect/>')}</defs><use href="#g15"/></svg>`).svg, '32,768')
  t.throws(() => rewriteSvg(`${svgOpen}><defs>${doubled(16, '<rect/>')}</defs><use href="#g16"/></svg>`), {
    ...refused,
    message: 'The drawing reuses its own elements too many times.',
  })
  const chain = many(300, (at) => `<g id="g${at + 1}"><use href="#g${at}"/></g>`)
  t.throws(() => rewriteSvg(`${svgOpen}><rect id="g0"/>${chain}</svg>`), {
    ...refused,
    message: /too deeply nested/,
  })
})

t.test('each part of a selector counts for each element, however the parts are joined', async (t) => {
  const drawing = (elements: number, parts: number, join: string) =>
    `${svgOpen}><style>${Array(parts).fill('rect').join(join)}{fill:red}</style>${many(elements, () => '<rect width="1" height="1"/>')}</svg>`
  for (const join of ['+', ' ', '>', ' > ', ',', ':not(rect)', '.a.']) {
    t.throws(() => rewriteSvg(drawing(20_000, 10_000, join)), refused, join)
    t.ok(rewriteSvg(drawing(20_000, 40, join)).svg, join)
  }
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
  'a rule for a class':
    '<style>.a{mask:url(#m)}</style><mask id="m"><rect class="a"/></mask><rect class="a"/>',
  'a rule for an element':
    '<style>rect{fill:url(#p)}</style><pattern id="p" width="9" height="9"><rect/></pattern>',
  'a later rule':
    '<style>.b{clip-path:none}.a{clip-path:url(#c)}</style><clipPath id="c"><rect class="a b"/></clipPath><rect class="a"/>',
  'a rule for some screens':
    '<style>@media screen{*{marker-end:url(#k)}}</style><marker id="k"><path d="M0 0h1"/></marker><path d="M0 0h1"/>',
  'a rule that another rule removes on paper':
    '<style>.a{mask:url(#m)}@media print{.a{mask:none}}</style><mask id="m"><rect class="a"/></mask><rect class="a"/>',
  'a rule for some screens after one for all':
    '<style>.a{mask:none}@media screen{.a{mask:url(#m)}}</style><mask id="m"><rect class="a"/></mask><rect class="a"/>',
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

t.test('sanitizeSvg: references that only look circular are accepted', async (t) => {
  for (const content of [
    '<g id="a"><a href="#a"><rect/></a></g>',
    '<g fill="url(#p)"><pattern id="p" width="9" height="9"><rect/></pattern><rect/></g>',
    '<g clip-path="url(#c)"><clipPath id="c"><rect/></clipPath><rect/></g>',
    '<g id="a" fill="url(#a)"><rect/></g>',
    '<mask id="m"><use href="#r"/></mask><g mask="url(#m)"><rect id="r"/></g>',
    '<style>.a{mask:url(#m)}.b{mask:none}</style><mask id="m"><rect class="a b"/></mask><rect class="a"/>',
    '<style>rect{fill:url(#p)}</style><pattern id="p" width="9" height="9"><rect style="fill:red"/></pattern><rect/>',
    '<style>rect{fill:url(#p)}#r{fill:red}</style><pattern id="p" width="9" height="9"><rect id="r"/></pattern><rect/>',
    '<style>g .a{mask:url(#m)}</style><mask id="m"><rect class="a"/></mask><g><rect class="a"/></g>',
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
