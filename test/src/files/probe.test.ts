// Type and size of other programs' files from their first bytes, in linear time.
import t from 'tap'
import { probe, probeBytes } from '../../../src/files/probe.ts'
import { superlinear } from '../../support/fixtures/growth.ts'

const sizeOf = async (svg: string) => {
  const found = await probe('a.svg', Buffer.from(svg))
  return found && [found.width, found.height]
}

t.test('probe: the size of a drawing is read from its root, whatever precedes it', async (t) => {
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
  t.strictSame(await sizeOf('<svg width="0.2" height="1.6">'), [1, 2])
})

t.test('probe: a file without an svg root is not an asset', async (t) => {
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

t.test('probe: no string repeated in a head takes more than linear time', async (t) => {
  for (const before of ['', '<svg ', '<svg a="', '<!DOCTYPE svg [', '<?xml version="1.0"?>']) {
    for (const part of parts) {
      const head = (n: number) => Buffer.from(before + part.repeat(n / part.length))
      // Everything up to the first `await` runs synchronously.
      const told = superlinear((n) => void probe('a.svg', head(n)), probeBytes / 4)
      t.equal(told, undefined, JSON.stringify(before + part))
    }
  }
})
