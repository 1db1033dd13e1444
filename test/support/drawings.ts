// Ordinary drawings of many kinds, generated from a number; the same number gives the same drawing.

type Random = (below: number) => number

function random(seed: number): Random {
  let state = seed * 2654435761 + 1
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return (state >>> 8) % below
  }
}

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg=='

const color = (r: Random) => `#${(0x100000 + r(0xefffff)).toString(16)}`
const length = (r: Random) => 5 + r(60)

/** Ways to fill a shape; each returns definitions and the value that refers to them. */
const PAINTS: ((r: Random, id: string) => [definitions: string, paint: string])[] = [
  (r) => ['', color(r)],
  (r) => ['', `rgba(${r(255)}, ${r(255)}, ${r(255)}, 0.${1 + r(9)})`],
  (r, id) => [
    `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="${r(2)}" gradientTransform="rotate(${r(90)})" spreadMethod="reflect">
      <stop offset="0" stop-color="${color(r)}"/><stop offset="60%" style="stop-color:${color(r)};stop-opacity:.${1 + r(9)}"/></linearGradient>`,
    `url(#${id})`,
  ],
  (r, id) => [
    `<radialGradient id="${id}b"><stop offset="0" stop-color="${color(r)}"/><stop offset="1" stop-color="${color(r)}"/></radialGradient>
     <radialGradient id="${id}" xlink:href="#${id}b" gradientUnits="userSpaceOnUse" cx="40" cy="40" r="${length(r)}" fx="30" fy="30"/>`,
    `url('#${id}') red`,
  ],
  (r, id) => [
    `<pattern id="${id}" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="scale(1.5) rotate(${r(45)})">
      <rect width="5" height="5" fill="${color(r)}"/><circle cx="7" cy="7" r="2"/></pattern>`,
    `url("#${id}")`,
  ],
]

/** Shapes; `paint` is inserted into the attributes. */
const SHAPES: ((r: Random, paint: string) => string)[] = [
  (r, paint) =>
    `<rect x="${r(60)}" y="${r(60)}" width="${length(r)}" height="${length(r)}" rx="${r(9)}" ${paint}/>`,
  (r, paint) => `<circle cx="${r(90)}" cy="${r(90)}" r="${length(r) / 3}" ${paint}/>`,
  (r, paint) =>
    `<ellipse cx="50%" cy="${r(90)}" rx="${length(r) / 2}" ry="9" transform="rotate(${r(360)} 50 50)" ${paint}/>`,
  (r, paint) =>
    `<path d="M${r(50)},${r(50)}c10-5 ${r(30)}.5.5 30 20zm5 5L${r(90)} 90 12 ${r(90)}a5 9 30 0 1 20 20Z" fill-rule="evenodd" ${paint}/>`,
  (r, paint) =>
    `<polygon points="10,10 ${r(90)},20 80,${r(90)}" stroke="black" stroke-width="2" stroke-dasharray="4 2" ${paint}/>`,
  (r, paint) =>
    `<polyline points="5 5 ${r(90)} 30 60 ${r(90)}" stroke="${color(r)}" stroke-linejoin="round" ${paint}/>`,
  (r, paint) =>
    `<text x="5" y="${20 + r(60)}" font-family="DejaVu Sans, 'Open Sans', sans-serif" font-size="${8 + r(12)}" ${paint}>A&amp;b &lt;${r(99)}&gt; <tspan dx="2" font-weight="bold">é&#x263a;</tspan></text>`,
  (r) =>
    `<image x="${r(50)}" y="5" width="${length(r)}" height="30" preserveAspectRatio="none" xlink:href="data:image/png;base64,${PNG}"/>`,
  (r, paint) =>
    `<svg x="${r(40)}" y="${r(40)}" width="40" height="40" viewBox="0 0 10 10" preserveAspectRatio="xMinYMax slice"><rect width="8" height="9" ${paint}/></svg>`,
  (r, paint) =>
    `<switch><rect systemLanguage="xx" width="90" height="90"/><circle cx="${r(90)}" cy="40" r="20" ${paint}/></switch>`,
]

/** Wrappers around a shape. */
const EFFECTS: ((r: Random, id: string, shape: string) => string)[] = [
  (_, _id, shape) => shape,
  (r, id, shape) =>
    `<clipPath id="${id}c"><circle cx="50" cy="50" r="${20 + r(30)}"/></clipPath><g clip-path="url(#${id}c)">${shape}</g>`,
  (r, id, shape) =>
    `<mask id="${id}m" maskUnits="userSpaceOnUse"><rect width="${50 + r(50)}" height="80" fill="#fff" opacity=".7"/></mask><g mask="url(#${id}m)">${shape}</g>`,
  (r, id, shape) =>
    `<filter id="${id}f" x="-20%" width="140%"><feGaussianBlur in="SourceAlpha" stdDeviation="${1 + r(3)}" result="b"/><feOffset dx="3" dy="2"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter><g filter="url(#${id}f)">${shape}</g>`,
  (r, id, shape) =>
    `<filter id="${id}f"><feColorMatrix type="hueRotate" values="${r(360)}"/><feTurbulence baseFrequency=".05" numOctaves="2" result="t"/><feComposite in="SourceGraphic" in2="t" operator="in"/></filter><g style="filter:url(#${id}f)">${shape}</g>`,
  (r, id, shape) =>
    `<g id="${id}g" opacity=".8">${shape}</g><use xlink:href="#${id}g" x="${r(30)}" y="${r(30)}" transform="scale(.${5 + r(4)})"/>`,
  (r, id, shape) =>
    `<symbol id="${id}s" viewBox="0 0 100 100">${shape}</symbol><use href="#${id}s" width="${40 + r(60)}" height="50"/>`,
  (r, id, shape) =>
    `<marker id="${id}k" viewBox="0 0 6 6" refX="3" refY="3" markerWidth="4" markerHeight="4" orient="auto"><path d="M0 0 6 3 0 6z" fill="${color(r)}"/></marker>${shape}<path d="M5 5 50 ${r(90)} 90 20" fill="none" stroke="black" marker-mid="url(#${id}k)" marker-end="url(#${id}k)"/>`,
  (r, _id, shape) =>
    `<g style="mix-blend-mode:multiply;isolation:isolate;transform:translate(${r(9)}px, 3px)">${shape}</g>`,
]

const SHEETS = [
  '',
  '<style>.a{stroke:#123;stroke-width:2px}.a:not(.b),g > .c{fill-opacity:.5}</style>',
  '<style type="text/css"><![CDATA[ .a , rect.b { stroke : rgb(10%, 20%, 30%) ; } /* note */ #x{fill:blue} ]]></style>',
  "<style>path, circle{stroke:url(#missing) green} text{font:bold 12px 'DejaVu Sans'} @media print{.a{fill:red!important}}</style>",
]

const PROLOGS = [
  '',
  '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Made by a program -->\n',
  '<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n',
]

const ROOTS = [
  'viewBox="0 0 100 100"',
  'width="100" height="100"',
  'width="30mm" height="30mm" viewBox="0 0 100 100" style="enable-background:new 0 0 100 100"',
  'width="100%" height="100%" viewBox="-5 -5 110 110" preserveAspectRatio="xMidYMid meet"',
  'width="150" viewBox="0 0 100 100" fill="none" stroke-linecap="round"',
]

const pick = <T>(r: Random, from: readonly T[]): T => from[r(from.length)] as T

/** A drawing with two to six painted shapes, each with an effect. */
export function drawing(seed: number): string {
  const r = random(seed)
  let content = ''
  for (let part = 0; part < 2 + r(5); part++) {
    const id = `p${part}`
    const [definitions, paint] = pick(r, PAINTS)(r, id)
    const named = pick(r, ['', ' class="a"', ' class="a b"', ' class="c" inkscape:label="x"'])
    const quoted = paint.replaceAll('"', '&quot;')
    const attributes = pick(r, [`fill="${quoted}"`, `style="fill: ${quoted} ; -inkscape-stroke:none"`])
    const shape = pick(r, SHAPES)(r, `${attributes}${named}`)
    content += `\n  ${definitions ? `<defs>${definitions}</defs>` : ''}${pick(r, EFFECTS)(r, id, shape)}`
  }
  const editor = pick(r, [
    '',
    '<sodipodi:namedview pagecolor="#fff"/><metadata>x</metadata><title>A &amp; B</title>',
  ])
  return `${pick(r, PROLOGS)}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
    version="1.1" ${pick(r, ROOTS)}>${editor}${pick(r, SHEETS)}${content}
</svg>`
}
