// The names in a font: cleaned of markup and code, and still read by every program.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type Font } from 'fontkit'
import t from 'tap'
import { checkTrueType } from '../../../../src/files/font/check.ts'
import { withCleanNames } from '../../../../src/files/font/name-table.ts'
import { ensureCommands } from '../../../support/debian.ts'
import { checksum, font, u16, u32 } from '../../../support/fixtures/make-font.ts'

const wide = (text: string) => Buffer.from(text, 'utf16le').swap16()
const narrow = (text: string) => Buffer.from(text, 'latin1')

type NameRecord = [id: number, text: Buffer, platform?: 1 | 3]

/** A `name` table; `storage` replaces the strings, which the records still describe. */
function names(records: NameRecord[], { after = Buffer.alloc(0), languages = [] as string[] } = {}): Buffer {
  const strings = [...records.map(([, text]) => text), ...languages.map(wide)]
  const offsets = strings.map((_, index) =>
    strings.slice(0, index).reduce((sum, each) => sum + each.length, 0),
  )
  const heads = records.map(([id, text, platform = 3], index) =>
    u16(platform, platform === 1 ? 0 : 1, platform === 1 ? 0 : 0x409, id, text.length, offsets[index] ?? 0),
  )
  const tags = languages.map((tag, index) => u16(2 * tag.length, offsets[records.length + index] ?? 0))
  const format1 = languages.length > 0 ? [u16(languages.length), ...tags] : []
  const size = 6 + 12 * records.length + format1.reduce((sum, each) => sum + each.length, 0)
  return Buffer.concat([
    u16(languages.length > 0 ? 1 : 0, records.length, size),
    ...heads,
    ...format1,
    ...strings,
    after,
  ])
}

const named = (table: Buffer, tables: Record<string, Buffer> = {}) =>
  font({ tables: { name: table, ...tables } })
const opened = (bytes: Buffer) => create(bytes) as Font

/** The checksums that a font should have: of each table, and of the whole. */
function staleSums(file: Buffer): string[] {
  const stale: string[] = []
  for (let at = 12; at < 12 + 16 * file.readUInt16BE(4); at += 16) {
    const tag = file.toString('latin1', at, at + 4)
    const start = file.readUInt32BE(at + 8)
    const table = Buffer.from(file.subarray(start, start + Math.ceil(file.readUInt32BE(at + 12) / 4) * 4))
    if (tag === 'head') table.writeUInt32BE(0, 8)
    if (checksum(table) !== file.readUInt32BE(at + 4)) stale.push(tag)
  }
  if (checksum(file) !== 0xb1b0afba) stale.push('whole font')
  return stale
}

t.test('withCleanNames: ordinary names stay as they are, byte for byte', async (t) => {
  const table = names([
    [1, narrow('Caf\xe9 & Co'), 1],
    [1, wide('Café 丼 & Co')],
    [4, wide('\u{1f3c0} Ж')],
  ])
  t.ok(withCleanNames(table).equals(table))
  t.equal(checkTrueType(named(table)), undefined)
  // Without language tags, what follows the records is text, whatever lengths it would spell.
  const long = names([[1, narrow(`${' '.repeat(0x2020)}${'\xd8'.repeat(99)}`), 1]])
  t.ok(withCleanNames(long).equals(long))
})

t.test('markup and control characters leave the names, and the font stays sound', async (t) => {
  const file = named(
    names([
      [1, narrow('Fo<b>o\x07'), 1],
      [1, wide('Fo<b>o\x07\u0085')],
      [4, wide('Foo Bold')],
      [13, wide('Free.\r\nUse <https://example.org>\0')],
    ]),
    { DSIG: u32(1, 0) },
  )
  const clean = checkTrueType(file)
  if (!clean) return t.fail('it was not rewritten')
  const { familyName, fullName } = opened(clean)
  t.same([familyName, fullName], ['Fo b o  ', 'Foo Bold'])
  t.ok(clean.includes(wide('Free.  Use  https://example.org')))
  t.notOk(clean.includes('DSIG'), 'a signature that is no longer true is left out')
  t.same(staleSums(clean), [])
  t.equal(checkTrueType(clean), undefined, 'a second time changes nothing')
})

t.test('withCleanNames: no program code in names reaches the file, however it is spelled', async (t) => {
  const { php } = await ensureCommands({ php: 'php-cli' })
  const code = '<?php echo 6 * 7, "ran"; ?> '
  const odd = Buffer.concat([Buffer.from('\u4e3c', 'utf16le').swap16(), narrow(code.slice(1).padEnd(28))])
  const spellings: Record<string, Buffer> = {
    'in one byte each': names([[1, narrow(`Foo${code}`), 1]]),
    'as wide characters of two bytes': names([[1, narrow(`${code}`)]]),
    'across wide characters': names([[1, odd]]),
    'across two names': names([
      [1, wide('\u4e3c')],
      [2, narrow(code.slice(1).padEnd(28))],
    ]),
    'behind the names': names([[1, wide('Foo')]], { after: narrow(code) }),
    'in a language tag': names([[1, wide('Foo')]], {
      languages: ['en', narrow(`${code}`).swap16().toString('utf16le')],
    }),
  }
  const path = join(t.testdir(), 'font.ttf')
  const run = (bytes: Buffer) => {
    writeFileSync(path, bytes)
    return spawnSync(php, [path]).stdout
  }
  for (const [name, table] of Object.entries(spellings)) {
    t.ok(run(named(table)).includes('42ran'), `${name}: a server would have run it`)
    const clean = checkTrueType(named(table))
    if (!clean) t.fail(`${name} is kept`)
    else {
      t.ok(run(clean).equals(readFileSync(path)), `${name}: nothing is left to run`)
      t.same(staleSums(clean), [])
    }
  }
})

t.test('code among the names of glyphs or in any other table stays out as well', async (t) => {
  const glyphNames = Buffer.from('\x08<?php 1;')
  const post = Buffer.concat([u32(0x00020000), Buffer.alloc(28), u16(3, 0, 0, 258), glyphNames])
  const without = Buffer.concat([u32(0x00030000), Buffer.alloc(28), narrow('<?= 1')])
  for (const table of [post, without]) {
    const clean = checkTrueType(font({ tables: { post: table } }))
    t.notOk(clean?.includes('<?'))
    t.equal(clean && checkTrueType(clean), undefined)
  }
  for (const tag of ['prep', 'XTRA', 'meta'])
    t.throws(() => checkTrueType(font({ tables: { [tag]: narrow('a <?PHP x();') } })), /program code/, tag)
})

t.test('language tags are cleaned, too, and what lies outside of the table is left alone', async (t) => {
  const table = names([[1, wide('<Foo')]], { languages: ['de', 'en-x-<b>'] })
  t.ok(withCleanNames(table).equals(names([[1, wide(' Foo')]], { languages: ['de', 'en-x- b '] })))
  const outside = Buffer.from(names([[1, wide('Foo')]]))
  outside.writeUInt16BE(0xfff0, 6 + 10)
  t.ok(withCleanNames(outside).equals(outside))
})

t.test('withCleanNames: surrogates are kept in pairs alone', async (t) => {
  const cleaned = (text: string) => withCleanNames(names([[1, wide(text)]]))
  t.ok(cleaned('a\ud83c\udfc0b').equals(names([[1, wide('a\ud83c\udfc0b')]])))
  t.ok(cleaned('a\ud83cb\udfc0\uffff').equals(names([[1, wide('a b  ')]])))
})

t.test('withCleanNames: rewritten fonts pass the sanitizer of browsers', async (t) => {
  const { 'ots-sanitize': ots } = await ensureCommands({ 'ots-sanitize': 'opentype-sanitizer' })
  const path = join(t.testdir(), 'font.ttf')
  writeFileSync(path, checkTrueType(named(names([[1, wide('Foo<')]]))) ?? '')
  const { status, stderr } = spawnSync(ots, [path, '/dev/null'], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
})

t.test('names that spoil each other, and code in the numbers of a record, are refused', async (t) => {
  const overlapping = Buffer.concat([
    u16(0, 2, 30),
    u16(3, 1, 0, 1, 4, 0),
    u16(3, 1, 0, 2, 2, 1),
    u16(0x00d8, 0x0041),
  ])
  const numbered = Buffer.concat([u16(0, 1, 18), u16(3, 1, 0x3c3f, 1, 2, 0), wide('A')])
  for (const table of [overlapping, numbered])
    t.throws(() => withCleanNames(table), { code: 'svc_upload_rejected', message: /names/ })
})

t.test('withCleanNames: many long names that overlap are cleaned in linear time for each', async (t) => {
  const count = 200
  const heads = Array.from({ length: count }, (_, index) => u16(1, 0, 0, 1, 60_000 - 2 * index, index))
  const table = Buffer.concat([u16(0, count, 6 + 12 * count), ...heads, Buffer.alloc(60_000, '<')])
  t.notOk(
    withCleanNames(table)
      .subarray(6 + 12 * count)
      .includes('<'),
  )
})

t.test(
  'withCleanNames: a PostScript name loses the syntax of PDF, and bytes of Shift JIS are cleaned as such',
  (t) => {
    const evil = 'A/B(x)[y]{z}%#>>endobj'
    const record = (id: number, encoding: number, text: Buffer) =>
      Buffer.concat([u16(0, 1, 18, 3, encoding, 0x409, id, text.length, 0), text])
    const cleaned = (id: number, encoding: number, text: Buffer) =>
      withCleanNames(record(id, encoding, text)).subarray(18)
    const plain = 'A B x  y  z     endobj'
    t.same(cleaned(6, 1, wide(evil)), wide(plain))
    t.same(cleaned(6, 2, narrow(evil)), narrow(plain))
    t.same(cleaned(4, 2, narrow('A>>endobj\n')), narrow('A  endobj '))
    t.same(cleaned(4, 1, wide('Foo (Bold)')), wide('Foo (Bold)'))
    t.end()
  },
)
