// Which names templates give print files.
import t from 'tap'
import {
  asciiName,
  fileNameOf,
  foldersOf,
  problemInTemplate,
  storedNameOf,
  uniqueName,
} from '../../../src/core/print-name.ts'

const usual = '{number}-{item}-{sku}'

t.test('fileNameOf: an empty tag takes one separator along, and texts keep their own hyphens', async (t) => {
  t.equal(fileNameOf(usual, { number: 'WEB-2026-0017', item: '12', sku: 'CARD' }), 'WEB-2026-0017-12-CARD')
  t.equal(fileNameOf(usual, { number: '7', sku: 'CARD' }), '7-CARD')
  t.equal(fileNameOf(usual, { number: '7' }), '7')
  t.equal(fileNameOf(usual, { sku: 'A--B' }), 'A--B')
  t.equal(fileNameOf('{sku}_{number}', { number: '7' }), '7')
  t.equal(fileNameOf('{number}_{sku}_x{quantity}', { number: '7', quantity: '3' }), '7_x3')
  t.equal(fileNameOf('x-{number}-{sku}', {}), '', 'a name of literal text alone would be that of all files')
})

t.test('fileNameOf: names that no file system takes, or that lead elsewhere', async (t) => {
  for (const name of ['CON', 'con', 'nul', 'AUX', 'com1', 'LPT9', 'COM¹', 'CONOUT$'])
    t.equal(fileNameOf('{number}', { number: name }), `_${name}`)
  t.equal(fileNameOf('{number}', { number: 'nul.x' }), '_nul.x')
  t.equal(fileNameOf('{number}', { number: 'console' }), 'console')
  t.equal(fileNameOf('{product}', { product: '../../etc/passwd' }), 'etc-passwd')
  t.equal(fileNameOf('{product}', { product: 'C:\\Mug "red" <1>|?*' }), 'C-Mug-red-1')
  t.equal(fileNameOf('{product}', { product: 'gpj\u202eexe.\u200b\r\n\0 Mug' }), 'gpjexe.-Mug')
  t.equal(fileNameOf('{product}', { product: 'Shirt - XL' }), 'Shirt-XL')
  t.equal(fileNameOf('{product}', { product: '.hidden' }), 'hidden')
  t.equal(fileNameOf('{product}', { product: '-rf' }), 'rf')
  t.equal(fileNameOf('{product}', { product: 'Mug. . .' }), 'Mug')
  t.equal(fileNameOf('{product}', { product: '\ud800' }), '')
})

t.test(
  'fileNameOf: long texts are cut by bytes, in whole characters, and leave room for other tags',
  async (t) => {
    const family = '\u{1f468}\u{1f3fd}\u200d\u{1f680}'
    for (const long of ['x'.repeat(5000), 'ä'.repeat(500), family.repeat(200), 'e\u0301'.repeat(300)]) {
      const name = fileNameOf('{product}-{attributes}-{customer}-{number}', {
        product: long,
        attributes: long,
        customer: long,
        number: '1047',
      })
      t.ok(Buffer.byteLength(name) <= 120, String(Buffer.byteLength(name)))
      t.ok(name.isWellFormed())
      t.match(fileNameOf('{product}-{number}', { product: long, number: '1047' }), /-1047$/)
    }
  },
)

t.test('uniqueName: names that differ only in case or in their encoding get numbers', async (t) => {
  const taken = new Set<string>()
  const names = ['Mug', 'mug', 'MUG', 'm\u00fcg', 'mu\u0308g', 'Mug-2'].map((stem) =>
    uniqueName(stem, 'pdf', taken),
  )
  t.strictSame(names, ['Mug.pdf', 'mug-2.pdf', 'MUG-3.pdf', 'm\u00fcg.pdf', 'mu\u0308g-2.pdf', 'Mug-2-2.pdf'])
})

t.test('foldersOf: each part is a name, and none leads out of the folder', async (t) => {
  const texts = { date: '2026-04-29', product: '../..' }
  t.strictSame(foldersOf('{date}/{product}/press', texts), ['2026-04-29', 'press'])
  t.strictSame(foldersOf('../{date}', texts), ['2026-04-29'])
  t.strictSame(foldersOf('{date}/{product}', { ...texts, product: 'a/b' }), ['2026-04-29', 'a-b'])
})

t.test('asciiName: letters, digits, hyphens, underscores and dots', async (t) => {
  t.equal(asciiName('Größe Ångström № 5'), 'Grosse-Angstrom-No-5')
  t.equal(asciiName('漢字'), '')
})

t.test('storedNameOf: the last part of the key, up to its last dot, and what is behind it', async (t) => {
  t.same(storedNameOf('svc/print_files/a.b/Größe.1.pdf'), { stem: 'Grosse.1', extension: 'pdf' })
  t.same(storedNameOf('svc/漢字.png'), { stem: 'file', extension: 'png' })
  for (const name of ['.pdf', 'pdf'])
    t.same(storedNameOf(`svc/${name}`), { stem: 'pdf', extension: 'bin' }, name)
})

t.test('problemInTemplate: unknown tags, slashes and open braces', async (t) => {
  t.equal(problemInTemplate('{date} {number}_x{quantity}'), undefined)
  t.match(problemInTemplate('{nmber}'), '{nmber} is not a tag')
  t.match(problemInTemplate('{number'), 'brace')
  t.match(problemInTemplate('{date}/{number}'), 'slash')
  t.equal(problemInTemplate('{date}/{number}', { mayHaveFolders: true }), undefined)
})
