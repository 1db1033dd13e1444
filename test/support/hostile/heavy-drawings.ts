// Drawings of a few kilobytes that keep viewers busy for minutes. Each family grows with n.
import { svgOpen } from './hostile-svg.ts'

interface HeavyFamily {
  make: (n: number) => string
  /** From this n on a drawing program or browser takes far too long, or crashes. */
  hostile: number
}

const root = (content: string) =>
  `${svgOpen.replace('0 0 40 40', '0 0 1000 1000')} width="1000" height="1000">${content}</svg>`
const times = (n: number, part: string | ((index: number) => string)) =>
  Array.from({ length: n }, (_, index) => (typeof part === 'string' ? part : part(index))).join('')

const WHOLE = '<rect width="1000" height="1000" fill="#c33"/>'
const whole = (attributes: string) => `<rect width="1000" height="1000" ${attributes}/>`
const small = (attributes: string) => `<rect width="10" height="10" ${attributes}/>`
const filter = (steps: string, attributes = '') => `<filter id="f" ${attributes}>${steps}</filter>`
const BLUR = '<feGaussianBlur stdDeviation="9"/>'
const pattern = (id: string, content: string) =>
  `<pattern id="${id}" width="900" height="900" patternUnits="userSpaceOnUse">${content}</pattern>`

/** A chain of templates, each of which uses the previous one. */
const chain = (n: number, make: (id: string, before: string | undefined) => string) =>
  times(n + 1, (index) => make(`t${index}`, index === 0 ? undefined : `t${index - 1}`))

/** Masks or clips whose two shapes are masked or clipped by the previous one. */
const nested = (name: string, property: string) => (n: number) =>
  root(
    chain(n, (id, before) => {
      const by = before ? `${property}="url(#${before})"` : ''
      return `<${name} id="${id}"><rect width="500" height="999" fill="#fff" ${by}/><rect width="999" height="500" fill="#fff" ${by}/></${name}>`
    }) + whole(`${property}="url(#t${n})"`),
  )

/** An element that is drawn 100 n times. */
const repeated =
  (part: string, definitions = '') =>
  (n: number) =>
    root(
      `${definitions}<defs><g id="g">${times(Math.min(100, n), part)}</g></defs>${times(Math.ceil(n / 100), '<use href="#g"/>')}`,
    )

/** Dashes whose number depends on more than the numbers in the attributes of a shape. */
const dashed = (make: (dash: string) => string, hostile = 10_000_000): HeavyFamily => ({
  hostile,
  make: (n) => root(make(String(2500 / n))),
})

const FRAME = '<rect x="50" y="50" width="900" height="900" fill="none" stroke="red"'
const dashedFamilies: Readonly<Record<string, HeavyFamily>> = {
  'dashes of a variable': dashed(
    (dash) => `<style>:root{--d:${dash}}rect{stroke-dasharray:var(--d)}</style>${FRAME}/>`,
  ),
  'calculated dashes': dashed((dash) => `<style>rect{stroke-dasharray:calc(1px*${dash})}</style>${FRAME}/>`),
  'dashes of a frame in millimetres': dashed(
    (dash) => `<rect width="250mm" height="250mm" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of a frame by a rule': dashed(
    (dash) =>
      `<style>.f{width:900px;height:900px}</style><rect class="f" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of a path by a rule': dashed(
    (dash) =>
      `<style>.f{d:path("M0 0H900")}</style><path class="f" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of a line across the whole': dashed(
    (dash) => `<line x2="100%" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of an ellipse': dashed(
    (dash) => `<ellipse rx="50%" ry="500" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of a line beyond all numbers': dashed(
    (dash) => `<path d="M0 0H900M1e999 0" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes of characters': dashed(
    (dash) => `<text y="800" font-size="90" stroke="red" stroke-dasharray="${dash}">MW</text>`,
  ),
  'dashes of a declared length': dashed(
    (dash) => `<path pathLength="1000" d="M0 0H1" stroke="red" stroke-dasharray="${dash}"/>`,
  ),
  'dashes on the screen': dashed(
    (dash) =>
      `<g transform="scale(1e6)"><path vector-effect="non-scaling-stroke" d="M0 0H.001" stroke="red" stroke-dasharray="${dash}"/></g>`,
  ),
  'inherited dashes': dashed(
    (dash) =>
      `<g stroke-dasharray="${dash}"><path d="M0 0H900" stroke="red" stroke-dasharray="inherit"/></g>`,
  ),
  'dashes through a use': dashed(
    (dash) =>
      `<defs><path id="a" d="M0 0H900" stroke="red"/></defs><g stroke-dasharray="${dash}"><use href="#a"/></g>`,
  ),
}

export const heavyFamilies: Readonly<Record<string, HeavyFamily>> = {
  'small shapes': { hostile: 2_000_000, make: repeated(small('')) },
  'whole pictures': { hostile: 500_000, make: repeated(WHOLE) },
  'radial gradients': {
    hostile: 10_000,
    make: repeated(
      whole('fill="url(#r)"'),
      '<radialGradient id="r"><stop/><stop offset="1"/></radialGradient>',
    ),
  },
  'stops of gradients': {
    hostile: 10_000,
    make: (n) =>
      root(
        `<linearGradient id="r">${times(n, '<stop/>')}</linearGradient>${times(n, small('fill="url(#r)"'))}`,
      ),
  },
  opacity: { hostile: 100_000, make: repeated(small('opacity=".5"')) },
  'opacity by a rule': {
    hostile: 100_000,
    make: repeated(small('class="a"'), '<style>.a{opacity:.5}</style>'),
  },
  'blend modes': { hostile: 10_000, make: repeated(small('style="mix-blend-mode:multiply"')) },
  masks: { hostile: 10_000, make: repeated(small('mask="url(#m)"'), '<mask id="m"><rect/></mask>') },
  'masks in masks': { hostile: 14, make: nested('mask', 'mask') },
  'clips in clips': { hostile: 14, make: nested('clipPath', 'clip-path') },
  'a chain of masks': {
    hostile: 3000,
    make: (n) =>
      root(
        chain(
          n,
          (id, before) => `<mask id="${id}" ${before ? `mask="url(#${before})"` : ''}>${WHOLE}</mask>`,
        ) + whole(`mask="url(#t${n})"`),
      ),
  },
  'a chain of clips': {
    hostile: 5000,
    make: (n) =>
      root(
        chain(
          n,
          (id, before) =>
            `<clipPath id="${id}" ${before ? `clip-path="url(#${before})"` : ''}>${WHOLE}</clipPath>`,
        ) + whole(`clip-path="url(#t${n})"`),
      ),
  },
  'a chain of uses': {
    hostile: 1000,
    make: (n) =>
      root(
        `<defs>${chain(n, (id, before) => `<g id="${id}">${before ? `<use href="#${before}"/>` : WHOLE}</g>`)}</defs><use href="#t${n}"/>`,
      ),
  },
  'a chain of patterns': {
    hostile: 1000,
    make: (n) =>
      root(
        chain(n, (id, before) => pattern(id, whole(before ? `fill="url(#${before})"` : ''))) +
          whole(`fill="url(#t${n})"`),
      ),
  },
  'patterns of patterns': {
    hostile: 14,
    make: (n) =>
      root(
        chain(n, (id, before) => pattern(id, whole(before ? `fill="url(#${before})"` : '').repeat(2))) +
          whole(`fill="url(#t${n})"`),
      ),
  },
  'steps of a filter': {
    hostile: 1000,
    make: (n) => root(filter(times(n, BLUR)) + whole('filter="url(#f)"')),
  },
  'filters on small shapes': { hostile: 3000, make: repeated(small('filter="url(#f)"'), filter(BLUR)) },
  'filters on whole pictures': { hostile: 1000, make: repeated(whole('filter="url(#f)"'), filter(BLUR)) },
  'filters with a huge region': {
    hostile: 1000,
    make: repeated(
      small('filter="url(#f)"'),
      filter(BLUR, 'x="-9999%" y="-9999%" width="19999%" height="19999%"'),
    ),
  },
  'filters in a tiny part that is enlarged': {
    hostile: 300,
    make: (n) =>
      root(
        `${filter(BLUR)}<defs><g id="g">${times(Math.min(10, n), '<rect width=".01" height=".01" filter="url(#f)"/>')}</g></defs>${times(Math.ceil(n / 10), '<use href="#g" transform="scale(100000)"/>')}`,
      ),
  },
  'filters around each other': {
    hostile: 150,
    make: (n) => root(filter(BLUR) + times(n, '<g filter="url(#f)">') + WHOLE + times(n, '</g>')),
  },
  'filters on texts': {
    hostile: 1000,
    make: repeated('<text y="9" filter="url(#f)">abc</text>', filter(BLUR)),
  },
  'wide blurs': {
    hostile: 300,
    make: repeated(whole('filter="url(#f)"'), filter('<feGaussianBlur stdDeviation="99999"/>')),
  },
  'wide blurs of enlarged parts': {
    hostile: 300,
    make: (n) =>
      root(
        `${filter(BLUR)}<g id="g" transform="scale(1000)">${times(n, '<rect width="1" height="1" filter="url(#f)"/>')}</g>`,
      ),
  },
  'wide blurs by functions': {
    hostile: 300,
    make: repeated(whole('style="filter:blur(9999px)"')),
  },
  displacements: {
    hostile: 300,
    make: (n) =>
      root(
        filter(times(n, '<feDisplacementMap in="SourceGraphic" in2="SourceGraphic" scale="9"/>')) +
          whole('filter="url(#f)"'),
      ),
  },
  'growing shapes': {
    hostile: 300,
    make: repeated(whole('filter="url(#f)"'), filter('<feMorphology operator="dilate" radius="100"/>')),
  },
  'functions of a filter': {
    hostile: 1000,
    make: (n) => root(whole(`style="filter:${times(n, 'blur(9px) ')}"`)),
  },
  'functions of a filter by a rule': {
    hostile: 1000,
    make: (n) => root(`<style>rect{filter:${times(n, 'blur(9px) ')}}</style>${WHOLE}`),
  },
  'octaves of a turbulence': {
    hostile: 2000,
    make: (n) =>
      root(filter(`<feTurbulence baseFrequency=".01" numOctaves="${n}"/>`) + whole('filter="url(#f)"')),
  },
  'a matrix without end': {
    hostile: 40,
    make: (n) =>
      root(
        filter(`<feConvolveMatrix order="${n}" kernelMatrix="${times(n * n, '1 ')}"/>`) +
          whole('filter="url(#f)"'),
      ),
  },
  'lights of a filter': {
    hostile: 300,
    make: (n) =>
      root(
        filter(times(n, '<feSpecularLighting><fePointLight x="1" y="2" z="30"/></feSpecularLighting>')) +
          whole('filter="url(#f)"'),
      ),
  },
  'markers on vertices': {
    hostile: 1_000_000,
    make: (n) =>
      root(
        `<marker id="k" markerWidth="9" markerHeight="9">${times(100, small(''))}</marker><path d="M0 0${times(Math.ceil(n / 100), 'h1')}" marker-mid="url(#k)"/>`,
      ),
  },
  'markers by a rule': {
    hostile: 1_000_000,
    make: (n) =>
      root(
        `<style>path{marker:url(#k)}</style><marker id="k">${times(100, small(''))}</marker><path d="M0 0${times(Math.ceil(n / 100), 'h1')}"/>`,
      ),
  },
  'uses of markers': {
    hostile: 1_000_000,
    make: (n) =>
      root(
        `<marker id="k">${small('')}</marker><path id="p" d="M0 0${times(1000, 'h1')}" marker-mid="url(#k)"/>${times(Math.ceil(n / 1000), '<use href="#p"/>')}`,
      ),
  },
  'lines through the whole picture': {
    hostile: 100_000,
    make: (n) => root(`<path d="M0 0${times(n / 2, 'v999h.01v-999')}"/>`),
  },
  'uses of vertices': {
    hostile: 10_000_000,
    make: (n) =>
      root(
        `<path id="p" d="M0 0${times(1000, (index) => (index % 2 ? 'h.5v-999' : 'v999'))}"/>${times(Math.ceil(n / 1000), '<use href="#p"/>')}`,
      ),
  },
  'round joins of wide lines': {
    hostile: 300_000,
    make: (n) =>
      root(
        `<path id="p" d="M0 0${times(1000, (index) => `l1 ${index % 2 ? 1 : -1}`)}" fill="none" stroke="red" stroke-width="90000" stroke-linejoin="round"/>${times(Math.ceil(n / 1000), '<use href="#p"/>')}`,
      ),
  },
  dashes: {
    hostile: 10_000_000,
    make: (n) =>
      root(`<circle cx="500" cy="500" r="400" stroke="red" stroke-dasharray="${2500 / n} ${2500 / n}"/>`),
  },
  'dashes by a rule': {
    hostile: 10_000_000,
    make: (n) =>
      root(
        `<style>.a{stroke-dasharray:${2500 / n}}</style><g class="a"><circle cx="500" cy="500" r="400" stroke="red"/></g>`,
      ),
  },
  ...dashedFamilies,
  'functions of a filter by a variable': {
    hostile: 1000,
    make: (n) =>
      root(
        `<style>:root{--f:${times(n, 'blur(9px) ')}}rect{filter:${n > 300 ? 'var(--f)' : 'none'}}</style>${WHOLE}`,
      ),
  },
  'calculated blurs': {
    hostile: 300,
    make: repeated(whole('style="filter:blur(calc(9px*9999))"')),
  },
  'blurs of the size of the window': {
    hostile: 300,
    make: repeated(whole('style="filter:blur(99vmax)"')),
  },
  'a filter that all children inherit': {
    hostile: 1000,
    make: (n) =>
      root(
        `${filter(BLUR)}<g filter="url(#f)">${times(n, whole(`filter="${n > 100 ? 'inherit' : 'none'}"`))}</g>`,
      ),
  },
  'markers through a use': {
    hostile: 1_000_000,
    make: (n) =>
      root(
        `<marker id="k">${times(100, small(''))}</marker><defs><path id="p" d="M0 0${times(Math.ceil(n / 100), 'h1')}"/></defs><g style="marker-mid:url(#k)"><use href="#p"/></g>`,
      ),
  },
  'many markers through uses': {
    hostile: 1_000_000,
    make: (n) =>
      root(
        `${times(n / 1000, (index) => `<marker id="k${index}"/><use href="#g" marker-mid="url(#k${index})"/>`)}<defs><g id="g">${times(400, '<path d="M0 0h1"/>')}</g></defs>`,
      ),
  },
  'texts along a long path': {
    hostile: 50_000,
    make: (n) =>
      root(
        `<path id="p" d="M0 0${times(20_000, 'h.1')}" fill="none"/>${times(Math.ceil(n / 3), '<text><textPath href="#p" startOffset="90%">a</textPath></text>')}`,
      ),
  },
  'clips by a shape of the style': {
    hostile: 30_000,
    make: repeated(whole('style="clip-path:circle(400px at 500px 500px)"')),
  },
  'siblings before an element': {
    hostile: 30_000,
    make: (n) =>
      root(`<style>${times(30, (index) => `rect.x${index}~rect{fill:red}`)}</style>${times(n, small(''))}`),
  },
  'elements with certain siblings': {
    hostile: 30_000,
    make: (n) =>
      root(`<style>${times(30, (index) => `rect:has(~.x${index}){fill:red}`)}</style>${times(n, small(''))}`),
  },
  'names of fonts': {
    hostile: 20_000,
    make: (n) => root(`<text font-family="${times(n, (index) => `f${index},`)}g">一</text>`),
  },
  'letters of a line': {
    hostile: 100_000,
    make: (n) => root(`<text y="50" font-size="4">${times(Math.ceil(n / 10), 'abcdefghi ')}</text>`),
  },
  'uses of a text': {
    hostile: 10_000_000,
    make: (n) =>
      root(
        `<text id="t" y="50">${times(100, 'abcdefghi ')}</text>${times(Math.ceil(n / 1000), '<use href="#t"/>')}`,
      ),
  },
  'rules for every element': {
    hostile: 10_000,
    make: (n) => root(`<style>${times(n, '*{fill:red}')}</style>${times(n, '<rect/>')}`),
  },
  'rules that count siblings': {
    hostile: 50_000,
    make: (n) => root(`<style>rect:nth-of-type(2n+1){fill:red}</style>${times(n, '<rect/>')}`),
  },
}
