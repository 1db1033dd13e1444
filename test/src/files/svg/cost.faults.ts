// Sanitizing a drawing takes linear time, whatever part of it is repeated.
import t from 'tap'
import { rewriteSvg } from '../../../../src/files/svg/rewrite.ts'
import { superlinear } from '../../../support/fixtures/growth.ts'
import { svgOpen } from '../../../support/hostile/hostile-svg.ts'

const N = 10_000
const SHAPE = '<rect width="1" height="1"/>'
const drawing = (content: string) => `${svgOpen}>${SHAPE}${content}</svg>`

/** Contexts for hostile strings; each string is repeated in each context. */
const places: Record<string, (text: string) => string> = {
  'a paint': (text) => drawing(`<rect fill="${text}"/>`),
  'a style': (text) => drawing(`<rect style="fill:${text}"/>`),
  'a sheet': (text) => drawing(`<style>${text}</style>`),
  'a rule': (text) => drawing(`<style>a{fill:${text}}</style>`),
  'a prelude': (text) => drawing(`<style>${text}{fill:red}</style>`),
  'a query': (text) => drawing(`<style>@media ${text}{a{fill:red}}</style>`),
  'a link': (text) => drawing(`<image href="${text}"/>`),
  'a picture': (text) => drawing(`<image href="data:image/png;base64,${text}"/>`),
  'a path': (text) => drawing(`<path d="M${text}"/>`),
  points: (text) => drawing(`<polygon points="${text}"/>`),
  'a transform': (text) => drawing(`<g transform="${text}">${SHAPE}</g>`),
  'a size': (text) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${text}" viewBox="${text}">${SHAPE}</svg>`,
  'an id': (text) => drawing(`<g id="${text}" class="${text}"/>`),
  'a text': (text) => drawing(`<title>${text}</title>`),
  'a doctype': (text) => `<!DOCTYPE svg [${text}]>${drawing('')}`,
  'a dash': (text) => drawing(`<rect stroke-dasharray="${text}"/>`),
}

const parts = [
  'url(',
  'url(#',
  'url(#a) ',
  '%',
  '%2b',
  'a',
  'a ',
  'a:',
  'a;',
  ' ',
  '1',
  '1 ',
  '.',
  '-',
  'e1',
  '(',
  ')',
  'a(',
  '{',
  '}',
  '{a}',
  '@media ',
  '@import ',
  '/*',
  '/**/',
  "'",
  "''",
  ',',
  '#',
  '#a',
  '.a',
  ':not(',
  '=',
  '[a=',
  '--a:',
  'h1',
  'script ',
  'expression ',
  'data:,',
  '&#32;',
  ']',
]

for (const [name, place] of Object.entries(places)) {
  t.test(`no string repeated within ${name} takes more than linear time`, async (t) => {
    for (const part of parts) {
      const clean = (n: number) => {
        try {
          rewriteSvg(place(part.repeat(n / part.length)))
        } catch {
          // A rejection must be as fast.
        }
      }
      t.equal(superlinear(clean, N), undefined, part)
    }
  })
}
