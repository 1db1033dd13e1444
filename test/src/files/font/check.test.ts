// Which files are valid TrueType fonts; the hostile corpus contains the long list.
import fc from 'fast-check'
import t from 'tap'
import { checkTrueType } from '../../../../src/files/font/check.ts'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { characterMap, composite, font, simpleGlyph, u16, u32 } from '../../../support/fixtures/make-font.ts'

t.test('checkTrueType: a small valid font is accepted, with both versions of its format', async (t) => {
  t.doesNotThrow(() => checkTrueType(font()))
  t.doesNotThrow(() => checkTrueType(font({ version: 0x74727565 })))
})

t.test(
  'checkTrueType: a font without outlines for some glyphs, with composites of composites and with instructions is accepted',
  async (t) => {
    const glyphs = [Buffer.alloc(0), simpleGlyph, composite(1, 1), composite(2, 1)]
    t.doesNotThrow(() =>
      checkTrueType(font({ glyphs, tables: { prep: Buffer.from([0xb0, 0]), 'cvt ': u16(1, 2) } })),
    )
  },
)

t.test('checkTrueType: the message says what is damaged', async (t) => {
  const because = (file: Buffer, message: RegExp) =>
    t.throws(() => checkTrueType(file), { code: 'svc_upload_rejected', message })
  const changed = (tag: string, at: number, ...values: number[]) => {
    const file = font()
    const start = file.readUInt32BE(file.indexOf(tag, 0, 'latin1') + 8)
    u16(...values).copy(file, start + at)
    return file
  }
  const twice = Buffer.from(font())
  twice.write('cmap', 12, 'latin1')
  because(twice, /duplicate tables/)
  because(font({ version: 0x4f54544f }), /not a TrueType font/)
  because(Buffer.from('OTTO'), /not a TrueType/)
  because(font().subarray(0, 40), /truncated/)
  because(font({ tables: { cmap: undefined } }), /table cmap is missing/)
  because(changed('head', 12, 1), /invalid header/)
  for (const units of [15, 16_385]) because(changed('head', 18, units), /invalid units per em/)
  because(changed('head', 50, 2), /invalid format of outlines/)
  because(changed('maxp', 4, 0), /no glyphs/)
  because(font({ tables: { maxp: Buffer.concat([u32(0x00010000), u16(3)]) } }), /no glyphs/)
  for (const metrics of [0, 4]) because(changed('hhea', 34, metrics), /invalid metrics/)
  because(font({ tables: { hmtx: Buffer.alloc(11) } }), /invalid metrics/)
  because(font({ tables: { 'OS/2': Buffer.alloc(67) } }), /truncated metrics/)
  because(font({ tables: { post: u32(0x00030000) } }), /truncated PostScript table/)
  because(font({ tables: { loca: u32(0, 0) } }), /truncated/)
  because(font({ tables: { loca: u32(0, 20, 10, 30) } }), /outlines out of order/)
  because(font({ tables: { loca: u32(0, 0, 0, 0x7ffffff0) } }), /an outline lies outside its table/)
})

t.test('checkTrueType: a font is refused unless every outline and every character can be read', async (t) => {
  const because = (file: Buffer, message: RegExp) =>
    t.throws(() => checkTrueType(file), { code: 'svc_upload_rejected', message })
  const characters = (cmap: Buffer) => font({ tables: { cmap } })
  because(font({ glyphs: [simpleGlyph, composite(1)] }), /its outlines are damaged or of an unknown kind/)
  because(font({ glyphs: [simpleGlyph, composite(2)] }), /refers to a missing glyph/)
  const layers = Array.from({ length: 5 }, (_, index) => composite(...Array(10).fill(index)))
  because(font({ glyphs: [simpleGlyph, ...layers] }), /its outlines have too many parts/)
  because(characters(characterMap([[0x41, 0x50, 1]])), /refers to a missing glyph/)
  const symbols = characterMap([[0xf041, 0xf041, 1]])
  symbols.writeUInt16BE(0, 6)
  t.doesNotThrow(() => checkTrueType(characters(symbols)))
  symbols.writeUInt16BE(2, 6)
  because(characters(symbols), /its characters are damaged or of an unknown kind/)
  because(characters(u16(0, 0)), /its characters are damaged or of an unknown kind/)
})

t.test('checkTrueType: characters may be mapped by a glyph list as well as by a delta', async (t) => {
  const body = u16(0, 4, 4, 1, 0, 0x42, 0xffff, 0, 0x41, 0xffff, 0, 1, 4, 0, 1, 2)
  const listed = (...glyphs: number[]) => {
    const table = Buffer.concat([body.subarray(0, -4), u16(...glyphs)])
    return font({
      tables: { cmap: Buffer.concat([u16(0, 1, 3, 1), u32(12), u16(4, table.length + 4), table]) },
    })
  }
  t.doesNotThrow(() => checkTrueType(listed(1, 2)))
  t.throws(() => checkTrueType(listed(1, 3)), /refers to a missing glyph/)
})

t.test(
  'checkTrueType: what lies between and behind the tables is left out, and the padding of a sound font is not',
  async (t) => {
    t.equal(checkTrueType(font()), undefined)
    const between = font({ tables: { 'cvt ': undefined, prep: Buffer.from('ab') } })
    t.equal(checkTrueType(between), undefined)
    const padding = between.lastIndexOf('ab') + 2
    const filled = Buffer.from(between)
    filled.write('xx', padding)
    t.strictSame(checkTrueType(filled), between)
    t.strictSame(checkTrueType(Buffer.concat([font(), Buffer.from('PK\x03\x04')])), font())
  },
)

t.test(
  'checkTrueType: empty tables and outlines of another format, for which browsers refuse a font, are left out, and so are drawings',
  async (t) => {
    for (const tables of [
      { TSI3: Buffer.alloc(0) },
      { 'CFF ': Buffer.from('junk') },
      { CFF2: Buffer.alloc(0), TSI1: Buffer.alloc(0) },
      { 'SVG ': Buffer.from('<svg><script>alert(1)</script></svg>') },
    ]) {
      const repaired = checkTrueType(font({ tables }))
      t.equal(repaired?.readUInt16BE(4), font().readUInt16BE(4), Object.keys(tables).join())
      t.notOk(Object.keys(tables).some((tag) => repaired?.includes(tag)))
      if (repaired) t.equal(checkTrueType(repaired), undefined, 'there is nothing more to repair')
    }
    t.throws(() => checkTrueType(font({ tables: { glyf: Buffer.alloc(0) } })), /table glyf is missing/)
  },
)

t.test('checkTrueType: a font of bitmaps alone is refused for that, not as damaged', async (t) => {
  for (const tag of ['EBDT', 'CBDT', 'sbix', 'bdat']) {
    const tables = { glyf: undefined, loca: undefined, [tag]: u32(0x00020000) }
    t.throws(() => checkTrueType(font({ tables })), { message: /^The font contains bitmaps only/ }, tag)
  }
  t.throws(() => checkTrueType(font({ tables: { glyf: undefined } })), /damaged: table glyf is missing/)
})

/** A layout table with one lookup, whose only subtable this is. */
const lookups = (type: number, subtable: Buffer) =>
  Buffer.concat([u16(1, 0, 0, 0, 10), u16(1, 4), u16(type, 0, 1, 8), subtable])

t.test('checkTrueType: a table that fontkit cannot read is left out, as browsers do', async (t) => {
  const single = (format: number) => lookups(1, Buffer.concat([u16(1, 6, 1), u16(format, 1, 1)]))
  t.equal(checkTrueType(font({ tables: { GSUB: single(1) } })), undefined, 'a sound one stays')
  for (const tables of [
    { GSUB: single(152) },
    { GPOS: lookups(9, Buffer.concat([u16(1, 1), u32(0x7fffffff)])) },
    { GDEF: u16(1, 0, 12, 0, 0, 0, 7) },
  ]) {
    const repaired = checkTrueType(font({ tables: { ...tables, DSIG: u32(1, 0) } }))
    t.ok(repaired?.equals(font()), `${Object.keys(tables)}, and the signature that is no longer true`)
  }
})

t.test('checkTrueType: layout tables whose parts overlap many times over are left out', async (t) => {
  const rows = 60_000
  const glyphs = Buffer.concat([u16(1, 1000), Buffer.alloc(2000)])
  const list = Buffer.concat([u16(1, 0, 0, 0, 10), u16(rows), u16(...Array(rows).fill(2 * rows + 2))])
  const lookup = Buffer.concat([u16(1, 0, 1, 8), u16(1, 6, 1), glyphs])
  t.ok(checkTrueType(font({ tables: { GSUB: Buffer.concat([list, lookup]) } }))?.equals(font()))
})

t.test('checkTrueType: vertical metrics are checked like horizontal ones', async (t) => {
  const vhea = Buffer.concat([u32(0x00011000), Buffer.alloc(30), u16(3)])
  t.equal(checkTrueType(font({ tables: { vhea, vmtx: Buffer.alloc(12) } })), undefined)
  t.throws(() => checkTrueType(font({ tables: { vhea, vmtx: Buffer.alloc(4) } })), /invalid metrics/)
  t.throws(() => checkTrueType(font({ tables: { vmtx: Buffer.alloc(12) } })), /truncated/)
})

t.test('whatever bytes are changed, the file is accepted or rejected, and nothing crashes', async (t) => {
  const sound = font()
  const change = fc.tuple(fc.nat(sound.length - 1), fc.nat(255))
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(sound.length), (changes, length) => {
      const bytes = Buffer.from(sound)
      for (const [at, value] of changes) bytes[at] = value
      try {
        checkTrueType(bytes.subarray(0, length % 3 === 0 ? length : undefined))
      } catch (error) {
        if (!(error instanceof FileRejected)) throw error
      }
    }),
    { numRuns: process.env.SVC_SOAK ? 20_000 : 500 },
  )
  t.pass('no other error')
})
