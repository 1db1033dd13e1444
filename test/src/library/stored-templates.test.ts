// Text templates and the fonts on offer, as other programs store them.
import t from 'tap'
import {
  changedEntry,
  readTemplates,
  templateCount,
  templateOf,
} from '../../../src/library/stored-templates.ts'
import { offeredFonts } from '../../../src/settings/offered-fonts.ts'

t.test('a list is read with gaps and in any encoding, and nothing else is a list', async (t) => {
  t.same(readTemplates(undefined), [])
  t.same(readTemplates('[{"text":"a"}]'), [{ text: 'a' }])
  t.same(readTemplates('a:1:{i:3;s:1:"x";}'), ['x'])
  for (const other of ['5', '"x"', 'null', '{broken']) t.equal(readTemplates(other), undefined, other)
  const counted = (stored: string) => templateCount(new Map([['svc_text_templates', stored]]))
  t.same([counted('[1,2]'), counted('{broken'), templateCount(new Map())], [2, 0, 0])
})

t.test('readTemplates: an entry has defaults for what it lacks, or has in another type', async (t) => {
  const plain = { text: '', font_family: '', font_size: 16, text_align: 'left' }
  for (const entry of ['x', null, [], {}, { properties: 'x' }, { text: {}, properties: { fontSize: -1 } }])
    t.strictSame(templateOf(entry), plain)
  const properties = { fontFamily: 'Arial', fontSize: '24', textAlign: 'center' }
  t.strictSame(templateOf({ text: 5, properties }), {
    text: '5',
    font_family: 'Arial',
    font_size: 24,
    text_align: 'center',
  })
  for (const fontSize of [0, 1.5, 'x', '9007199254740993'])
    t.equal(templateOf({ properties: { fontSize } }).font_size, 16)
  t.equal(templateOf({ properties: { fontSize: 1, textAlign: 'justify' } }).text_align, 'left')
})

t.test('readTemplates: a change keeps everything that it does not name', async (t) => {
  const entry = { id: 7, text: 'a', properties: { fontSize: 9, curved: true } }
  t.strictSame(changedEntry(entry, {}), entry)
  t.strictSame(changedEntry(entry, { text: 'b', font_size: 12 }), {
    ...entry,
    text: 'b',
    properties: { fontSize: 12, curved: true },
  })
  t.strictSame(changedEntry(entry, { font_family: 'Arial', text_align: 'right' }), {
    ...entry,
    properties: { ...entry.properties, fontFamily: 'Arial', textAlign: 'right' },
  })
})

t.test('the fonts on offer are uploaded ones, those of the system, and those of Google', async (t) => {
  const offered = (options: Record<string, string>) => [...offeredFonts(new Map(Object.entries(options)))]
  t.same(offered({}), ['Arial', 'Helvetica', 'Times New Roman', 'Verdana', 'Geneva'])
  const none = { svc_common_fonts: ',' }
  t.same(offered(none), [])
  t.same(offered({ svc_common_fonts: '' }), [])
  t.same(offered({ ...none, svc_fonts_directory: 'a:1:{i:2;s:15:"Great_Vibes.ttf";}' }), ['Great Vibes'])
  t.same(offered({ ...none, svc_fonts_directory: '["x/Own.v2.woff", 5, " "]' }), ['Own.v2'])
  t.same(offered({ ...none, svc_google_webfonts: '["Open+Sans:400,700"," Lato "]' }), ['Open Sans', 'Lato'])
  t.same(offered({ svc_common_fonts: ' Arial , ,Georgia' }), ['Arial', 'Georgia'])
})
