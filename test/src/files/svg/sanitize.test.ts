// What a drawing keeps, what is added to it, and why it is rejected.
import { createServer } from 'node:http'
import sharp from 'sharp'
import t from 'tap'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.ts'

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const sanitize = (svg: string) => sanitizeSvg(Buffer.from(svg))
const svgOf = async (content: string, root = 'viewBox="0 0 9 9" width="9" height="9"') =>
  (await sanitize(`${OPEN} ${root}>${content}</svg>`)).svg

t.test(
  'sanitizeSvg: gradients, masks, filters, patterns, styles by class and text by font name are written as they came',
  async (t) => {
    const content = [
      '<style>.a{fill:url(#g)}</style>',
      '<defs><linearGradient id="g" gradientUnits="userSpaceOnUse"><stop offset="1" stop-color="#fff"/></linearGradient></defs>',
      '<clipPath id="c" clipPathUnits="objectBoundingBox"><path d="M0 0h1v1z"/></clipPath>',
      '<filter id="f"><feGaussianBlur stdDeviation="2"/><feDropShadow dx="1"/></filter>',
      '<g clip-path="url(#c)" filter="url(#f)"><rect class="a" width="3" height="3" vector-effect="non-scaling-stroke"/></g>',
      `<text font-family="'Open Sans', serif" xml:space="preserve">a &amp; &lt;b&gt; <tspan>c</tspan></text>`,
    ].join('')
    const svg = await svgOf(content)
    t.ok(svg.includes(content))
    t.match(
      svg,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox=/,
    )
  },
)

t.test('ids that are also names of document properties are kept, since paints refer to them', async (t) => {
  t.match(
    await svgOf('<g id="title"/><g id="images"/><rect id="a:b" fill="url(#title)"/>'),
    /id="title".*id="images".*id="a:b"/,
  )
})

t.test(
  'sanitizeSvg: prefixed names are written without their prefix, and names of other languages are left out',
  async (t) => {
    const { svg } = await sanitize(
      '<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:i="http://ns.example/"><i:pgf>x</i:pgf><s:rect i:a="1" width="1"/></s:svg>',
    )
    t.match(svg, '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/></svg>')
  },
)

t.test(
  'sanitizeSvg: line ends and tabs in attributes survive as references, so that a second reader sees the same',
  async (t) => {
    t.match(await svgOf('<rect width="1" aria-label="x" class="a&#10;b&#9;c"/>'), 'class="a&#10;b&#9;c"')
  },
)

t.test('sanitizeSvg: plain entities of drawing programs are expanded', async (t) => {
  const { svg } = await sanitize(
    `<!DOCTYPE svg PUBLIC "a" "b" [<!-- & --><!ENTITY ns "http://www.w3.org/2000/svg"><!ENTITY c 'red'>]><svg xmlns="&ns;"><rect fill="&c;"/></svg>`,
  )
  t.match(svg, '<rect fill="red"/>')
  t.notMatch(svg, 'DOCTYPE')
})

t.test(
  'sanitizeSvg: a drawing without width and height gets those of its viewBox, in the file and in the response',
  async (t) => {
    const sizes = async (root: string) => {
      const { svg, width, height } = await sanitize(`${OPEN} ${root}><rect width="1" height="1"/></svg>`)
      return [width, height, /<svg[^>]* width="([^"]*)" height="([^"]*)"/.exec(svg)?.slice(1).join()]
    }
    t.strictSame(await sizes('viewBox="0 0 40.5 20"'), [41, 20, '40.5,20'])
    t.strictSame(await sizes('viewBox="1,2, 30 , 40" width="100%" height="100%"'), [30, 40, '30,40'])
    t.strictSame(await sizes('width="10mm" height="1in" viewBox="0 0 1 1"'), [38, 96, '10mm,1in'])
    t.strictSame(await sizes('width="80" viewBox="0 0 40 20"'), [80, 40, undefined])
    t.strictSame(await sizes(''), [null, null, undefined])
    t.strictSame(await sizes('viewBox="0 0 0 9"'), [null, null, undefined])
  },
)

t.test('sanitizeSvg: the warning names what was removed', async (t) => {
  const content = '<script/><a href="https://x/"><rect width="1"/></a><style>@import "x";</style>'
  const { removed } = await sanitize(`${OPEN}>${content}</svg>`)
  t.strictSame(removed, ['active content', 'external links', 'styles that could load external resources'])
  const quiet = `<metadata>x</metadata><style>.a{fill:url( "#b" )}</style><rect width="1" style="fill:url('#b')"/>`
  t.strictSame((await sanitize(`${OPEN}>${quiet}</svg>`)).removed, [])
})

t.test('an external paint becomes no paint, as it was rendered before, and not black', async (t) => {
  t.match(
    await svgOf('<rect fill="url(other.svg#a)" stroke="url(http://x/#b)"/>'),
    '<rect fill="none" stroke="none"/>',
  )
})

t.test('sanitizeSvg: embedded pictures of an allowed type are kept, with the right type', async (t) => {
  const create = { width: 8, height: 8, channels: 3, background: '#678' } as const
  const jpeg = (await sharp({ create }).jpeg().toBuffer()).toString('base64')
  t.match(
    await svgOf(`<image href="data:image/jpg;base64,${jpeg.replace('/', '/&#10;')}"/><rect/>`),
    `href="data:image/jpeg;base64,${jpeg}"`,
  )
  t.match(
    await svgOf(`<image href="data:image/png;base64,${jpeg}"/><rect/>`),
    `data:image/jpeg;base64,${jpeg}`,
  )
  t.match(
    await svgOf(`<image href="data:image/jpeg;charset=utf-8;base64,${encodeURIComponent(jpeg)}"/>`),
    `data:image/jpeg;base64,${jpeg}`,
  )
  t.notMatch(await svgOf('<image href="data:image/png;base64,AAAA"/><rect/>'), '<image')
  const cut = await sanitize(`${OPEN}><image href="data:image/png;base64,iVBORw0KGgo="/><rect/></svg>`)
  t.strictSame(cut.removed, ['pictures that cannot be displayed'])
})

t.test('sanitizeSvg: a drawing without its namespaces gets them, with a warning', async (t) => {
  const { svg, removed, repaired } = await sanitize(
    '<svg width="3" height="3"><rect id="r" width="1"/><use xlink:href="#r"/><x:a xmlns:x="http://x.example/"/></svg>',
  )
  t.match(svg, `${OPEN} width="3" height="3"><rect id="r" width="1"/><use xlink:href="#r"/></svg>`)
  t.strictSame(removed, [])
  t.strictSame(repaired, ['The drawing did not declare the SVG namespace; it was added.'])
  t.strictSame((await sanitize(svg)).repaired, [])
  t.equal((await sanitize(svg)).svg, svg)
  for (const root of [
    'xmlns="http://www.w3.org/1999/xhtml"',
    'xmlns:x="http://www.w3.org/2000/svg" xmlns="x"',
  ])
    await t.rejects(sanitize(`<svg ${root}><rect width="1"/></svg>`), { code: 'svc_upload_rejected' })
  await t.rejects(sanitize('<s:svg><s:rect/></s:svg>'), { code: 'svc_upload_rejected' })
})

t.test('a picture without a type, as old programs wrote it, gets the detected type', async (t) => {
  const create = { width: 8, height: 8, channels: 3, background: '#678' } as const
  for (const [type, bytes] of [
    ['png', await sharp({ create }).png().toBuffer()],
    ['jpeg', await sharp({ create }).jpeg().toBuffer()],
    ['gif', await sharp({ create }).gif().toBuffer()],
  ] as const) {
    const { svg, removed } = await sanitize(
      `${OPEN}><image xlink:href="data:;base64,${bytes.toString('base64')}" width="8" height="8"/></svg>`,
    )
    t.match(svg, `xlink:href="data:image/${type};base64,`)
    t.strictSame(removed, [])
  }
  const other = await sanitize(`${OPEN}><rect width="1"/><image href="data:;base64,PHN2Zy8+"/></svg>`)
  t.notMatch(other.svg, '<image')
  t.strictSame(other.removed, ['pictures that cannot be displayed'])
})

t.test('sanitizeSvg: a filter keeps its embedded picture, and no other', async (t) => {
  const create = { width: 8, height: 8, channels: 3, background: '#678' } as const
  const png = (await sharp({ create }).png().toBuffer()).toString('base64')
  const step = (href: string) =>
    `<filter id="f"><feImage href="${href}" result="a"/></filter><rect filter="url(#f)"/>`
  const carried = await svgOf(step(`data:image/png;base64,${png}`))
  t.match(carried, `<feImage href="data:image/png;base64,${png}" result="a"/>`)
  t.equal((await sanitize(carried)).svg, carried)
  t.match(await svgOf(`${step('#r')}<rect id="r"/>`), '<feImage href="#r"')
  for (const href of ['https://x.example/a.png', 'data:image/svg+xml,x', 'data:image/png;base64,AAAA'])
    t.match(await svgOf(step(href)), '<feImage result="a"/>')
})

t.test('an element that requires an unknown extension stays hidden, and contains no URL', async (t) => {
  const content =
    '<switch><g requiredExtensions="http://ns.example/10.0/"><rect width="9" height="9"/></g><circle r="4"/></switch>'
  const { svg, removed } = await sanitize(`${OPEN} viewBox="0 0 9 9">${content}</svg>`)
  t.match(svg, '<g requiredExtensions="none">')
  t.strictSame(removed, [])
})

t.test('the fallback color of an external paint, which was rendered before, stays', async (t) => {
  t.match(
    await svgOf('<rect fill="url(https://x/#a) #0f0" stroke="url(\'y.svg\') none"/>'),
    'fill="#0f0" stroke="none"',
  )
})

t.test('sanitizeSvg: print colors next to screen colors stay', async (t) => {
  const paints = 'fill="#cd853f icc-color(press, 0.1, 0.4)" style="stroke:#00ff00 device-cmyk(1,0,1,0)"'
  t.match(await svgOf(`<rect ${paints}/>`), paints)
})

t.test('sanitizeSvg: a drawing declared as XML 1.1 is parsed and stored as XML 1.0', async (t) => {
  const open = `<?xml version="1.1"?>${OPEN}>`
  t.match(await sanitize(`${open}<rect width="1"/></svg>`), { svg: /^<\?xml version="1.0"/ })
  await t.rejects(sanitize(`${open}<rect/><text>&#1;</text></svg>`), { code: 'svc_upload_rejected' })
})

t.test('sanitizeSvg: a size that exceeds the integers of the index counts as none', async (t) => {
  const size = { width: null, height: null }
  for (const root of ['width="1e300" height="99999999999"', 'viewBox="0 0 3e9 3e9"'])
    t.match(await sanitize(`${OPEN} ${root}><rect/></svg>`), size)
})

t.test('sanitizeSvg: entities may contain numeric references to characters, but not to markup', async (t) => {
  const declaring = (value: string) =>
    sanitize(`<!DOCTYPE svg [<!ENTITY e "${value}">]>${OPEN}><text>a&e;b</text></svg>`)
  t.match((await declaring('&#160;&#xA9;')).svg, 'a\u00a0\u00a9b')
  for (const value of ['&#60;', '&#x3c;b>', '&#38;', '&#0;', '&#xd800;', '&#x1f600;'])
    await t.rejects(declaring(value), { code: 'svc_upload_rejected' }, value)
})

t.test('sanitizeSvg: nothing is fetched while a drawing is sanitized', async (t) => {
  let asked = 0
  const server = createServer((_, response) => {
    asked++
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  await sanitize(
    `<?xml-stylesheet href="${url}/a"?><!DOCTYPE svg SYSTEM "${url}/b"><svg xmlns="http://www.w3.org/2000/svg"><style>@import "${url}/c"</style><image href="${url}/d"/><rect fill="url(${url}/e)"/></svg>`,
  )
  t.equal(asked, 0)
})

t.test('sanitizeSvg: a prototype that the host has polluted changes nothing', async (t) => {
  const polluted = Object.prototype as Record<string, unknown>
  const keys = ['onload', 'href', 'script', 'type', 'ALLOWED_TAGS']
  for (const key of keys) {
    Object.defineProperty(polluted, key, { value: 'javascript:alert(1)', configurable: true, writable: true })
  }
  const svg = await svgOf('<style>.a{fill:red}</style><script/><rect onload="x" width="1"/>').finally(() => {
    // Before the next assertion: the test runner itself reads such properties.
    for (const key of keys) delete polluted[key]
  })
  t.notMatch(svg, /script|onload|href=/)
  t.match(svg, '<style>.a{fill:red}</style>')
})

t.test('a drawing in UTF-16, Latin-1 or another declared encoding is stored as UTF-8', async (t) => {
  const text = `<?xml version="1.0" encoding="ENC"?>${OPEN}><text>é</text></svg>`
  const utf16 = Buffer.from(`\ufeff${text.replace('ENC', 'UTF-16')}`, 'utf16le')
  const latin1 = Buffer.from(text.replace('ENC', 'ISO-8859-1'), 'latin1')
  const cyrillic = Buffer.from(text.replace('ENC', 'KOI8-R').replace('é', '\xc1'), 'latin1')
  t.match((await sanitizeSvg(cyrillic)).svg, '<text>а</text>')
  for (const bytes of [utf16, latin1]) t.match((await sanitizeSvg(bytes)).svg, '<text>é</text>')
})

t.test('many shapes that a style sheet paints with one gradient or pattern are accepted', async (t) => {
  const content =
    '<style>.a{fill:url(#g);marker:url(#m)}</style><pattern id="g"><path/></pattern><g class="a">'
  const { svg } = await sanitize(`${OPEN}>${content}${'<path d="M0 0h1"/>'.repeat(50_000)}</g></svg>`)
  t.equal(svg.split('<path').length, 50_002)
})

t.test('sanitizeSvg: fifty thousand elements are accepted', async (t) => {
  const { svg } = await sanitize(`${OPEN}>${'<path d="M0 0h1"/>'.repeat(50_000)}</svg>`)
  t.equal(svg.split('<path').length, 50_001)
})

t.test('the warning names what an unknown element or the path of a text would have displayed', async (t) => {
  const removed = async (content: string) =>
    (await sanitize(`${OPEN}><rect width="1"/>${content}</svg>`)).removed
  const unknown = ['content of unknown elements']
  t.same(
    await removed('<flowRoot><flowRegion><rect width="1"/></flowRegion><flowPara>a</flowPara></flowRoot>'),
    unknown,
  )
  t.same(await removed('<b:frame xmlns:b="urn:b"><g><path d="M0 0"/></g></b:frame>'), unknown)
  t.same(await removed('<mesh><text>a</text></mesh>'), unknown)
  t.same(await removed('<text><tref href="#a"/></text>'), unknown)
  t.same(await removed('<text><textPath path="M0 0h9">a</textPath></text>'), ['paths of texts'])
  for (const content of [
    '<metadata><a xmlns="urn:a">x</a></metadata><b:view xmlns:b="urn:b" path="x"><b:grid/></b:view>',
    '<title>a<b>c</b></title><text><textPath href="#a">a</textPath></text><use/><image/>',
    '<style type="text/x"><rect/></style>',
  ])
    t.same(await removed(content), [], content)
  t.same(await removed('<foreignObject><text>a</text></foreignObject>'), ['active content'])
})
