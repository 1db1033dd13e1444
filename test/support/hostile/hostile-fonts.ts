// Hostile fonts: offsets out of bounds, endless outlines, and files that are not TrueType fonts.

import { characterMap, composite, font, simpleGlyph, u16, u32 } from '../fixtures/make-font.ts'
import { png } from '../fixtures/make-png.ts'
import type { HostileFile } from './hostile-files.ts'

/** The valid font with one number of its directory replaced: which table, and which of its four numbers. */
function misplaced(table: number, number: number, value: number): Buffer {
  const bytes = font()
  bytes.writeUInt32BE(value, 12 + 16 * table + 4 * number)
  return bytes
}

const empty = Buffer.alloc(0)
const groups = (count: number, ...values: number[]) =>
  Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(12, 0), u32(16 + 4 * values.length, 0, count, ...values)])

const REFUSED: Record<string, Buffer> = {
  'cut-directory': font().subarray(0, 40),
  'cut-tables': font().subarray(0, -100),
  'no-tables': u32(0x00010000, 0, 0),
  'too-many-tables': Buffer.concat([u32(0x00010000), u16(0xffff, 0, 0, 0)]),
  'table-outside': misplaced(2, 2, 0x7ffffff0),
  'table-too-long': misplaced(2, 3, 0xfffffff0),
  'table-misaligned': misplaced(2, 2, 0xcd),
  'tables-overlap': misplaced(2, 2, 12),
  'without-glyf': font({ tables: { glyf: undefined } }),
  'without-cmap': font({ tables: { cmap: undefined } }),
  'head-bad-magic': font({ tables: { head: Buffer.alloc(54) } }),
  'head-short': font({ tables: { head: u32(0x00010000, 0) } }),
  'maxp-no-glyphs': font({ tables: { maxp: Buffer.concat([u32(0x00010000), Buffer.alloc(28)]) } }),
  'maxp-more-glyphs': font({
    tables: { maxp: Buffer.concat([u32(0x00010000), u16(5000, 0, 0, 0, 0, 2), Buffer.alloc(16)]) },
  }),
  'hhea-more-metrics': font({
    tables: { hhea: Buffer.concat([u32(0x00010000), Buffer.alloc(30), u16(500)]) },
  }),
  'hmtx-short': font({ tables: { hmtx: Buffer.alloc(4) } }),
  'loca-descends': font({ tables: { loca: u32(0, 20, 10, 30) } }),
  'loca-outside': font({ tables: { loca: u32(0, 0, 0, 0x7fffffff) } }),
  'loca-short': font({ tables: { loca: u32(0, 0) } }),
  'glyph-flag-repeat': font({
    glyphs: [
      empty,
      Buffer.concat([u16(1, 0, 0, 9, 9), u16(2, 0), Buffer.from([0x3f, 0xff]), Buffer.alloc(20)]),
      simpleGlyph,
    ],
  }),
  'glyph-code-too-long': font({
    glyphs: [empty, Buffer.concat([u16(1, 0, 0, 9, 9), u16(2, 0xffff), Buffer.alloc(20)]), simpleGlyph],
  }),
  'composite-itself': font({ glyphs: [empty, composite(1), simpleGlyph] }),
  'composite-circle': font({ glyphs: [empty, composite(2), composite(1)] }),
  'composite-outside': font({ glyphs: [empty, composite(999), simpleGlyph] }),
  'composite-bomb': font({
    glyphs: [simpleGlyph, ...Array.from({ length: 20 }, (_, index) => composite(...Array(10).fill(index)))],
  }),
  'composite-deep': font({
    glyphs: [simpleGlyph, ...Array.from({ length: 5000 }, (_, index) => composite(index))],
  }),
  'cmap-glyph-outside': font({ tables: { cmap: characterMap([[0x41, 0x5a, 1]]) } }),
  'cmap-flood': font({ tables: { cmap: groups(0x0fffffff, 0x41, 0x41, 1) } }),
  'cmap-group-outside': font({ tables: { cmap: groups(1, 0x41, 0x10ffff, 1) } }),
  'cmap-endless': font({ tables: { cmap: groups(1, 0x41, 0xfffffff0, 1) } }),
  'cmap-offset-outside': font({ tables: { cmap: Buffer.concat([u16(0, 1, 3, 1), u32(0xfffffff0)]) } }),
  'name-outside': font({ tables: { name: u16(0, 1000, 6) } }),
  'os2-cut': font({ tables: { 'OS/2': u16(4, 0, 0) } }),
  'is-opentype-cff': font({ version: 0x4f54544f }),
  'is-collection': font({ version: 0x74746366 }),
  'is-woff': Buffer.concat([Buffer.from('wOFF'), font()]),
  'is-png': png(),
  'is-empty': empty,
}

/** What programs draw in odd ways, or not at all, without any harm. */
const HARMLESS: Record<string, Buffer> = {
  'glyph-cut': font({ glyphs: [empty, simpleGlyph.subarray(0, 14), simpleGlyph] }),
  'glyph-contours-descend': font({
    glyphs: [empty, Buffer.concat([u16(2, 0, 0, 9, 9), u16(5, 2, 0), Buffer.alloc(30)]), simpleGlyph],
  }),
  'composite-cut': font({
    glyphs: [empty, Buffer.concat([u16(0xffff, 0, 0, 9, 9), u16(0x20, 2, 0)]), simpleGlyph],
  }),
  'cmap-unordered': font({
    tables: {
      cmap: characterMap([
        [0x50, 0x50, 1],
        [0x41, 0x41, 1],
      ]),
    },
  }),
  'post-names-cut': font({
    tables: { post: Buffer.concat([u32(0x00020000), Buffer.alloc(28), u16(3, 300, 300, 300)]) },
  }),
}

const loop = Buffer.from([0xb0, 0x00, 0x1c])

export function hostileFonts(): HostileFile[] {
  const file = (
    name: string,
    bytes: Buffer,
    expected: HostileFile['expected'],
    upload = 'Foo.ttf',
  ): HostileFile => ({
    name: `ttf-${name}`,
    upload,
    bytes,
    expected,
  })
  return [
    ...Object.entries(REFUSED).map(([name, bytes]) => file(name, bytes, 'refused')),
    file('name-otf', font(), 'refused', 'Foo.otf'),
    file('name-double-suffix', font(), 'refused', 'Foo__bold__italic.ttf'),
    file('name-dots', font(), 'refused', '...ttf'),
    ...Object.entries(HARMLESS).map(([name, bytes]) => file(name, bytes, 'accepted')),
    file('plain', font(), 'accepted'),
    file('prep-loop', font({ tables: { prep: loop } }), 'accepted'),
    file('variant', font(), 'accepted', 'Foo__bold.ttf'),
  ]
}
