// Brackets and digits beside Arabic: as wide as Chromium draws them, and as fabric.js measures them there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { bothDirections } from '../../../src/renderer/directions.ts'
import type { Face } from '../../../src/renderer/face.ts'
import { faceOf } from '../../../src/renderer/font-face.ts'
import { placedWords, wordsEndingAt } from '../../../src/renderer/text-drawn.ts'
import type { Look } from '../../../src/renderer/text-looks.ts'

const fixture = join(import.meta.dirname, '../../support/fixtures/amiri/Amiri-subset.ttf')
/** Its brackets are narrower in Latin than in the default script. */
const amiri: Face = faceOf(
  { key: 'F1', name: 'Amiri', pieces: await bothDirections() },
  readFileSync(fixture),
)

const noLines = { underline: false, linethrough: false, overline: false }

/** Pixels at a size of 400, each text measured before any other in Chromium. */
const texts: [text: string, direction: 'ltr' | 'rtl', width: number][] = [
  ['مرحبا (شركة)!', 'ltr', 2001.6],
  ['مرحبا (12)', 'ltr', 1687.6],
  ['مرحبا (12)!', 'rtl', 1781.6],
  ['A ( مرحبا', 'ltr', 1440.4],
  ['(12)', 'ltr', 629.6],
  ['(12)!', 'rtl', 723.6],
  ['A (12)!', 'ltr', 1085.2],
  ['A (12)!', 'rtl', 1085.2],
]

/** The same for characters and pairs, after each of their characters was measured alone, as fabric.js does. */
const pairs: [text: string, width: number][] = [
  ['(', 102],
  ['!', 94],
  ['(ش', 498.8],
  ['ا)', 188.8],
  ['ا(', 188.8],
  ['ا!', 180.8],
  [' (', 218.8],
  ['1)', 314.8],
  [')!', 196],
]

const isNear = (one: number, other: number) => Math.abs(one - other) < 0.1

t.test('Face.pieces: words of brackets and digits are as wide as in Chromium', async (t) => {
  for (const [text, direction, expected] of texts) {
    const marked = direction === 'rtl' ? `\u202b${text}\u202c` : text
    const width = 400 * amiri.pieces(marked).reduce((sum, piece) => sum + amiri.shape(piece).width, 0)
    t.ok(isNear(width, expected), `${text} (${direction}): ${width} for ${expected}`)
  }
})

t.test('Face.width: characters and pairs are as wide as fabric.js measures them in Chromium', async (t) => {
  for (const [text, expected] of pairs) {
    const width = 400 * amiri.width(text)
    t.ok(isNear(width, expected), `${text}: ${width} for ${expected}`)
  }
})

t.test('wordsEndingAt: a text from right to left begins left of its end by its drawn width', async (t) => {
  const look: Look = {
    face: amiri,
    size: 400,
    key: '',
    shift: 0,
    isPatterned: false,
    fill: undefined,
    stroke: undefined,
    strokeWidth: 0,
    lineBackground: undefined,
    lines: noLines,
  }
  for (const [text, direction, width] of texts) {
    if (direction === 'ltr') continue
    const left = wordsEndingAt(look, text, 0, 0)[0]?.words[0]?.x ?? 0
    t.ok(isNear(left, -width), `${text}: ${left}`)
  }
  t.equal(placedWords(look, '(12)', 7, 0)[0]?.words[0]?.x, 7)
})
