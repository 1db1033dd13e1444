// Which files are valid TrueType fonts; the hostile corpus contains the long list.
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { checkTrueType } from '../../../../src/files/font/check.ts'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { isLinear } from '../../../support/growth.ts'
import { characterMap, composite, font, simpleGlyph, u16, u32 } from '../../../support/make-font.ts'

t.test('a small valid font is accepted, with both versions of its format', async (t) => {
  t.doesNotThrow(() => checkTrueType(font()))
  t.doesNotThrow(() => checkTrueType(font({ version: 0x74727565 })))
})

t.test(
  'a font without outlines for some glyphs, with composites of composites and with instructions is accepted',
  async (t) => {
    const glyphs = [Buffer.alloc(0), simpleGlyph, composite(1, 1), composite(2, 1)]
    t.doesNotThrow(() =>
      checkTrueType(font({ glyphs, tables: { prep: Buffer.from([0xb0, 0]), 'cvt ': u16(1, 2) } })),
    )
  },
)

t.test('the message says what is damaged', async (t) => {
  const because = (file: Buffer, message: RegExp) =>
    t.throws(() => checkTrueType(file), { code: 'svc_upload_rejected', message })
  because(font({ tables: { cmap: undefined } }), /table cmap is missing/)
  because(font({ tables: { cmap: characterMap([[0x41, 0x50, 1]]) } }), /a character maps to a missing glyph/)
  because(font({ glyphs: [simpleGlyph, composite(1)] }), /too deeply nested/)
  because(font({ tables: { loca: u32(0, 0) } }), /truncated/)
  because(Buffer.from('OTTO'), /truncated|not a TrueType/)
})

t.test('characters may be mapped by a glyph list as well as by a delta', async (t) => {
  const body = u16(0, 4, 4, 1, 0, 0x42, 0xffff, 0, 0x41, 0xffff, 0, 1, 4, 0, 1, 2)
  const listed = (...glyphs: number[]) => {
    const table = Buffer.concat([body.subarray(0, -4), u16(...glyphs)])
    return font({
      tables: { cmap: Buffer.concat([u16(0, 1, 3, 1), u32(12), u16(4, table.length + 4), table]) },
    })
  }
  t.doesNotThrow(() => checkTrueType(listed(1, 2)))
  t.throws(() => checkTrueType(listed(1, 3)), /a character maps to a missing glyph/)
  t.throws(() => checkTrueType(listed(1)), /truncated/)
})

t.test(
  'what lies between and behind the tables is left out, and the padding of a sound font is not',
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
  'empty tables, and outlines of another format, for which browsers refuse a font, are left out',
  async (t) => {
    for (const tables of [
      { TSI3: Buffer.alloc(0) },
      { 'CFF ': Buffer.from('junk') },
      { CFF2: Buffer.alloc(0), TSI1: Buffer.alloc(0) },
    ]) {
      const repaired = checkTrueType(font({ tables }))
      t.equal(repaired?.readUInt16BE(4), font().readUInt16BE(4), Object.keys(tables).join())
      t.notOk(Object.keys(tables).some((tag) => repaired?.includes(tag)))
      if (repaired) t.equal(checkTrueType(repaired), undefined, 'there is nothing more to repair')
    }
    t.throws(() => checkTrueType(font({ tables: { glyf: Buffer.alloc(0) } })), /table glyf is missing/)
  },
)

t.test('a font of bitmaps alone is refused for that, not as damaged', async (t) => {
  for (const tag of ['EBDT', 'CBDT', 'sbix', 'bdat']) {
    const tables = { glyf: undefined, loca: undefined, [tag]: u32(0x00020000) }
    t.throws(() => checkTrueType(font({ tables })), { message: /^The font contains bitmaps only/ }, tag)
  }
  t.throws(() => checkTrueType(font({ tables: { glyf: undefined } })), /damaged: table glyf is missing/)
})

/** A layout table with one lookup, whose only subtable this is. */
const lookups = (type: number, subtable: Buffer) =>
  Buffer.concat([u16(1, 0, 0, 0, 10), u16(1, 4), u16(type, 0, 1, 8), subtable])

t.test('classes and sets of glyphs that browsers read are accepted', async (t) => {
  const classes = u16(2, 2, 2, 1, 1, 1, 1, 2)
  const firstEdition = Buffer.concat([u16(1, 0, 10, 0, 0), classes])
  t.equal(
    checkTrueType(font({ tables: { GDEF: firstEdition } })),
    undefined,
    'a header without classes of marks',
  )
  t.throws(
    () => checkTrueType(font({ tables: { GDEF: Buffer.concat([u16(1, 0, 12, 0, 0, 2), classes]) } })),
    /class/,
  )
  const emptyRange = Buffer.concat([u16(1, 0, 12, 0, 0, 0), u16(2, 2, 307, 2, 1, 1, 1, 1)])
  t.equal(checkTrueType(font({ tables: { GDEF: emptyRange } })), undefined, 'a range without any glyph')
})

t.test('a lookup whose set of glyphs no program can read is emptied, as browsers ignore it', async (t) => {
  const single = (format: number) => Buffer.concat([u16(1, 6, 1), u16(format, 1, 1)])
  t.equal(checkTrueType(font({ tables: { GSUB: lookups(1, single(1)) } })), undefined)
  const repaired = checkTrueType(font({ tables: { GSUB: lookups(1, single(152)) } }))
  t.ok(repaired?.includes(Buffer.concat([u16(1, 0, 0, 8), single(152)])), 'it has no subtable any more')
  t.equal(repaired && checkTrueType(repaired), undefined)
})

t.test('vertical metrics are checked like horizontal ones', async (t) => {
  const vhea = Buffer.concat([u32(0x00011000), Buffer.alloc(30), u16(3)])
  t.doesNotThrow(() => checkTrueType(font({ tables: { vhea, vmtx: Buffer.alloc(12) } })))
  t.throws(() => checkTrueType(font({ tables: { vhea, vmtx: Buffer.alloc(4) } })), /vertical metrics/)
  t.throws(
    () => checkTrueType(font({ tables: { vhea: Buffer.from('junkjunkjunkjunk'.repeat(3)) } })),
    /header/,
  )
})

t.test('SVG glyphs are accepted, compressed or not, as long as they are passive', async (t) => {
  const withDrawing = (drawing: Buffer, length = drawing.length) =>
    font({
      tables: {
        'SVG ': Buffer.concat([u16(0), u32(10, 0), u16(1, 1, 1), u32(14, length), drawing]),
      },
    })
  const passive = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/><path fill="url(#b)"/></svg>',
  )
  for (const drawing of [passive, gzipSync(passive)])
    t.doesNotThrow(() => checkTrueType(withDrawing(drawing)))
  for (const trick of [
    '<script>',
    '<s:script',
    '<g onload="x"',
    '<a href="https://x"',
    'url( //x )',
    '@import',
    '<!ENTITY a',
  ]) {
    for (const drawing of [Buffer.from(trick), gzipSync(trick)])
      t.throws(() => checkTrueType(withDrawing(drawing)), /active content/, trick)
  }
  t.throws(() => checkTrueType(withDrawing(gzipSync(passive).subarray(0, 20))), /decompressed/)
  t.throws(() => checkTrueType(withDrawing(gzipSync(Buffer.alloc(20_000_000)))), /decompressed/)
  t.throws(() => checkTrueType(withDrawing(passive, 9999)), /truncated/)
})

t.test('checking SVG glyphs takes linear time', async (t) => {
  const drawing = (content: string) =>
    font({
      tables: {
        'SVG ': Buffer.concat([
          u16(0),
          u32(10, 0),
          u16(1, 1, 1),
          u32(14, content.length),
          Buffer.from(content),
        ]),
      },
    })
  const patterns: ((count: number) => string)[] = [
    (count) => `url(${' '.repeat(count)}#`,
    (count) => `url(${' '.repeat(count)}'${' '.repeat(count)}#`,
    (count) => 'url('.repeat(count),
    (count) => `<${'a-'.repeat(count)}`,
    (count) => ` on${'a'.repeat(count)}${' '.repeat(count)}`,
    (count) => `href${' '.repeat(count)}`,
  ]
  for (const pattern of patterns)
    t.ok(await isLinear((count) => drawing(pattern(count)), attempted), pattern(1))
})

function attempted(file: Buffer): void {
  try {
    checkTrueType(file)
  } catch (error) {
    if (!(error instanceof FileRejected)) throw error
  }
}

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
