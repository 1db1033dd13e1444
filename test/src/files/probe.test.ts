// What a file of others is, from its first bytes: the right sizes, and no cost that grows faster than the file.
import t from 'tap'
import { probe, probeBytes } from '../../../src/files/probe.ts'
import { superlinear } from '../../support/growth.ts'

const sizeOf = async (svg: string) => {
  const found = await probe('a.svg', Buffer.from(svg))
  return found && [found.width, found.height]
}

t.test('the size of a drawing is read from its root, whatever stands before it', async (t) => {
  const root = 'width="30" height=\'20px\''
  for (const svg of [
    `<svg ${root}>`,
    `<svg\n\t${root}\n/>`,
    `<s:svg xmlns:s="http://www.w3.org/2000/svg" ${root}>`,
    `\ufeff<?xml version="1.0"?>\n<!-- <svg width="9"> --><svg x=">" ${root}>`,
    `<!DOCTYPE svg [<!ENTITY a "<svg width='9'>">]><svg a = '"' ${root}><svg width="1" height="1">`,
    `<svg ${root} title="cut off here`,
    `<svg ${root} width="99">`,
  ])
    t.strictSame(await sizeOf(svg), [30, 20], svg)
  t.strictSame(await sizeOf('<svg viewBox="0 0 8 9">'), [8, 9])
  t.strictSame(await sizeOf('<svg data-width="3" height="4">'), [null, 4])
})

t.test('what has no root that is a drawing is no asset', async (t) => {
  for (const text of [
    '',
    '<',
    '<!--',
    '<?xml',
    '<!DOCTYPE svg [',
    '<html><svg>',
    'x<svg>',
    '<!DOCTYPE a><!DOCTYPE b><svg>',
  ])
    t.equal(await sizeOf(text), undefined, text)
})

const parts = [
  'a',
  'a ',
  'a=',
  'a="" ',
  '="',
  "'",
  '<svg ',
  '<!DOCTYPE>',
  '<!DOCTYPE[]>',
  '<?',
  '<!--',
  ']',
  '] ',
  ' ',
  '\n',
]

t.test('no part repeated in a head makes its look dearer than its length', async (t) => {
  for (const before of ['', '<svg ', '<svg a="', '<!DOCTYPE svg [', '<?xml version="1.0"?>']) {
    for (const part of parts) {
      const head = (n: number) => Buffer.from(before + part.repeat(n / part.length))
      // Everything before the first wait is done at once.
      const told = superlinear((n) => void probe('a.svg', head(n)), probeBytes / 4)
      t.equal(told, undefined, JSON.stringify(before + part))
    }
  }
})
