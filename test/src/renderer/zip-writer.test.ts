// Archives of several files: every field of the format, and what is read from them.
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { zipContent, zipEntries } from '../../../src/print/zip.ts'
import { zipOf } from '../../../src/renderer/zip-writer.ts'

const files = [
  { name: 'a.txt', bytes: Buffer.from('abc') },
  { name: 'größe/b.txt', bytes: Buffer.from('Hello') },
]

t.test('an archive holds what its format asks for, field by field', async (t) => {
  const [versionAndFlags, noDate] = ['1400 0808 0000', '0000 2100']
  const [sum, size, name] = ['c2412435', '03000000', Buffer.from('a.txt').toString('hex')]
  const parts = [
    [
      'a local header without sum and sizes',
      '504b0304',
      versionAndFlags,
      noDate,
      '00'.repeat(12),
      '0500 0000',
      name,
    ],
    ['the content', '616263'],
    ['its sum and both sizes', '504b0708', sum, size, size],
    ['an entry of the directory', '504b0102 1400', versionAndFlags, noDate, sum, size, size, '0500 0000'],
    ['its place', '0000 0000 0000 00000000 00000000', name],
    [
      'the end: counts, length and place of the directory',
      '504b0506 0000 0000 0100 0100 33000000 36000000 0000',
    ],
  ]
  const archive = (await zipOf(files.slice(0, 1))).toString('hex')
  let at = 0
  for (const [what = '', ...bytes] of parts) {
    const expected = bytes.join('').replaceAll(' ', '')
    t.equal(archive.slice(at, at + expected.length), expected, what)
    at += expected.length
  }
  t.equal(archive.length, at)
})

t.test('every file of an archive is read again, under its name', async (t) => {
  const archive = await zipOf(files)
  const source = {
    size: archive.length,
    read: async (from: number, length: number) => archive.subarray(from, from + length),
  }
  const entries = await zipEntries(source, { entries: 2, bytes: 8, ratio: 1 })
  t.same(
    entries.map(({ name }) => Buffer.from(name, 'latin1').toString()),
    files.map(({ name }) => name),
  )
  for (const [index, entry] of entries.entries())
    t.same(await buffer(zipContent(source, entry)), files[index]?.bytes)
})
