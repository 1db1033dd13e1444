// Styles are rebuilt from declarations and rules that are understood.
import t from 'tap'
import { cleanDeclarations, cleanSheet, cleanValue } from '../../../../src/files/svg/css.ts'

t.test('cleanSheet: plain rules survive with their selectors and values', async (t) => {
  t.equal(
    cleanSheet('.a , g > .b:not(.c) { fill : #f00 ; stroke-width: 2px } #x{opacity:.5!important}'),
    '.a , g > .b:not(.c){fill:#f00;stroke-width:2px}#x{opacity:.5!important}',
  )
  t.equal(cleanSheet('rect[class="a"]{fill:url(#g) red}'), 'rect[class="a"]{fill:url(#g) red}')
  t.equal(cleanSheet('@media (min-width: 3px) { .a{fill:red} }'), '@media (min-width: 3px){.a{fill:red}}')
})

t.test('cleanSheet: a statement that loads something is removed without the next rule', async (t) => {
  t.equal(cleanSheet('@import url(x);.a{fill:red}'), '.a{fill:red}')
  t.equal(cleanSheet('@font-face{src:url(x)}.a{fill:red}'), '.a{fill:red}')
  t.equal(cleanSheet('@charset "x";@namespace a url(b);.a{fill:red}'), '.a{fill:red}')
})

t.test('cleanSheet: comment markers around a sheet are ignored', async (t) => {
  t.equal(cleanSheet('<!-- .a{fill:red} --> .b{fill:blue}'), '.a{fill:red}.b{fill:blue}')
})

t.test('cleanSheet: a selector nested deeply enough to crash programs is removed', async (t) => {
  const nested = (depth: number) => `${':not('.repeat(depth)}a${')'.repeat(depth)}{fill:red}`
  t.equal(cleanSheet(nested(4)), nested(4))
  t.equal(cleanSheet(nested(50_000)), '')
})

t.test('cleanSheet: only the suspicious declaration of a rule is removed', async (t) => {
  t.equal(cleanSheet('.a{fill:red;cursor:url(x);stroke:blue;behavior:x}'), '.a{fill:red;stroke:blue}')
  t.equal(cleanSheet('.a{fill:url(//x)}'), '')
})

t.test('cleanSheet: comments are removed first, and an unclosed one empties the style', async (t) => {
  t.equal(cleanDeclarations('fi/**/ll:red;/*;*/stroke:blue'), 'fill:red;stroke:blue')
  t.equal(cleanDeclarations('fill:red;/*stroke:blue'), '')
  t.equal(cleanDeclarations('fill:red;/**//*/**/stroke:blue'), 'fill:red;stroke:blue')
})

t.test('cleanSheet: delimiters inside strings and parentheses separate nothing', async (t) => {
  t.equal(cleanDeclarations(`font-family:'a;b}';fill:red`), 'fill:red')
  t.equal(cleanDeclarations(`font-family:"a;b";fill:red`), `font-family:"a;b";fill:red`)
})

t.test('cleanSheet: values with escapes, markup, unknown functions or links are removed', async (t) => {
  for (const value of [
    '\\72 ed',
    'a<b',
    'url(x)',
    'url(data:x)',
    'image-set("x")',
    'expression(1)',
    'javascript:x',
    '"open',
    'url("#a)',
    'URL( //x )',
    '@x',
    'attr(href)',
    `'https://x/'`,
    `"//x"`,
    `'a\nurl(x)'`,
  ]) {
    t.equal(cleanValue(value), undefined, value)
  }
  for (const value of [
    'red',
    'url(#a)',
    `url( "#a" ) none`,
    'rgb(1, 2, 3)',
    'translate(1 2) rotate(3)',
    `'A "B" C'`,
    'calc((1px + 2px) * 3)',
    'var(--a)',
  ]) {
    t.equal(cleanValue(value), value, value)
  }
})

t.test('cleanSheet: rebuilding a style twice changes nothing', async (t) => {
  for (const css of [
    '.a{fill:red;;stroke : blue}',
    '@media print{.a{fill:red}}{}',
    'a{b:c}}{d:e}',
    '.a{fill:(}.b{fill:red}',
  ]) {
    t.equal(cleanSheet(cleanSheet(css)), cleanSheet(css), css)
  }
})

t.test('cleanSheet: a style of opening brackets alone takes linear time', async (t) => {
  for (const part of ['/*', '{', '(', '"', 'url(', '@media a{', 'a'.repeat(10), '= "']) {
    t.type(cleanSheet(part.repeat(50_000)), 'string')
    t.type(cleanDeclarations(`fill:${part.repeat(50_000)}`), 'string')
  }
})
