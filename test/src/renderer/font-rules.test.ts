// Fonts whose rules for glyphs do not end: each text in them is refused, at once, and others are printed on.
import t from 'tap'
import { checkTrueType } from '../../../src/files/font/check.ts'
import { font, u16, u32 } from '../../support/fixtures/make-font.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const tag = (text: string) => Buffer.from(text, 'latin1')

/** A GSUB table with one feature that is always on, whose lookups are these. */
function substitutions(...lookups: Buffer[]): Buffer {
  const scripts = Buffer.concat([u16(1), tag('DFLT'), u16(8, 4, 0, 0, 0xffff, 1, 0)])
  const features = Buffer.concat([u16(1), tag('ccmp'), u16(8, 0, 1, 0)])
  const lengthBefore = (index: number) => Buffer.concat(lookups.slice(0, index)).length
  const offsets = lookups.map((_, index) => 2 + 2 * lookups.length + lengthBefore(index))
  const list = Buffer.concat([u16(lookups.length, ...offsets), ...lookups])
  const [first, second] = [10 + scripts.length, 10 + scripts.length + features.length]
  return Buffer.concat([u32(0x00010000), u16(10, first, second), scripts, features, list])
}

const coverage = u16(1, 1, 1)
/** Glyph 1 becomes itself twice. */
const doubling = Buffer.concat([u16(2, 0, 1, 8), u16(1, 8, 1, 14), coverage, u16(2, 1, 1)])
/** Glyph 1 becomes itself so many times. */
const multiplying = (times: number) =>
  Buffer.concat([u16(2, 0, 1, 8), u16(1, 8, 1, 14), coverage, u16(times), u16(...Array(times).fill(1))])
/** Where glyph 1 stands, another lookup is applied twice. */
const twice = (next: number) => Buffer.concat([u16(5, 0, 1, 8), u16(3, 1, 2, 16, 0, next, 0, next), coverage])

const hostile = {
  'a rule that makes a thousand glyphs of each': substitutions(multiplying(1000)),
  'a rule that repeats what it replaces': substitutions(doubling),
  'rules that call each other twice, thirty levels deep': substitutions(
    ...Array.from({ length: 30 }, (_, level) => twice(level + 1)),
    doubling,
  ),
}

for (const [name, GSUB] of Object.entries(hostile)) {
  t.test(`render: a text in a font with ${name} is refused`, async (t) => {
    const uploaded = font({ tables: { GSUB } })
    const bytes = checkTrueType(uploaded) ?? uploaded
    t.ok(bytes.includes('GSUB'), 'it passes the check of uploads')
    const odd = { family: 'Odd', bold: false, italic: false, bytes }
    const view = viewWith(textElement('AAA', { fontFamily: 'Odd' }))
    const { outcome } = await renderHere(printTask, [view], [odd], {})
    t.match(outcome, { kind: 'refused', refusals: [{ code: 'font', message: /repeat themselves/ }] })
  })
}
