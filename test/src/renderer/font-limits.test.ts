// Lists of fonts that customers write at will: each is searched once, and only as far as browsers and designers write them.
import t from 'tap'
import { fontFamilies } from '../../../src/files/font/families.ts'
import { fontChooser } from '../../../src/renderer/font-choice.ts'
import { maxFonts } from '../../../src/renderer/needs.ts'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const plain = { bold: false, italic: false }
const families = fontFamilies(Array.from({ length: 40 }, (_, index) => `Family_${index}.ttf`))

/** Families whose names are read. */
function counted() {
  let reads = 0
  const watched = families.map(({ name, ...family }) => ({
    ...family,
    get name() {
      reads++
      return name
    },
  }))
  return { choose: fontChooser(watched, { substitutes: {}, strict: false }), reads: () => reads }
}

t.test('fontChooser: a list of more than 2,000 characters or 50 names is refused unread', (t) => {
  const { choose } = counted()
  const list = (names: number) => Array.from({ length: names }, () => 'a').join(',')
  t.match(choose({ family: list(600_000), ...plain }), { cause: /is a list of more than 2000 characters\.$/ })
  t.match(choose({ family: list(51), ...plain }), { cause: /is a list of more than 50 names\.$/ })
  t.match(choose({ family: `${list(49)},Family 7`, ...plain }), { source: { file: 'Family_7.ttf' } })
  t.end()
})

t.test('fontChooser: 60,000 families are looked up without reading the uploaded ones again', (t) => {
  const { choose, reads } = counted()
  for (let i = 0; i < 60_000; i++) choose({ family: `Gone ${i}`, ...plain })
  t.equal(reads(), families.length)
  t.end()
})

t.test(
  'render: a design with texts in more than 200 fonts is refused, and no more are asked for',
  async (t) => {
    const characters = 60_000
    const texts = Array.from({ length: 4 }, (_, part) => {
      const at = (index: number) => ({ fontFamily: `Gone ${part} ${index}` })
      const styles = { 0: Object.fromEntries(Array.from({ length: characters / 4 }, (_, i) => [i, at(i)])) }
      return textElement('a'.repeat(characters / 4), { styles })
    })
    const { outcome } = await renderHere(
      { ...printTask, kind: 'preflight' },
      [viewWith(...texts)],
      await testFonts(),
      {},
    )
    t.match(outcome, { kind: 'checked' })
    if (outcome.kind !== 'checked') return
    t.equal(outcome.report.fonts.length, maxFonts)
    const { outcome: printed } = await renderHere(
      printTask,
      [
        viewWith(
          ...Array.from({ length: maxFonts + 1 }, (_, i) => textElement('a', { fontFamily: `serif, ${i}` })),
        ),
      ],
      await testFonts(),
      {},
    )
    t.match(printed, { kind: 'refused', refusals: [{ code: 'limit', message: /more than 200 fonts/ }] })
  },
)
