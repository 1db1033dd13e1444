// Writings that fontkit cannot lay out are refused, with a sentence about what to do.
import t from 'tap'
import { guarded } from '../../../src/renderer/font-tables.ts'
import { noLayout } from '../../../src/renderer/writings.ts'
import { printTask, renderHere, testFonts } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()

t.test(
  'render: text in Myanmar writing is refused in prints and in preflights, with what to do',
  async (t) => {
    const view = viewWith(text('Hello'), text('\u1019\u103c\u1014\u103a\u1019\u102c'))
    const message = /cannot be laid out in the font .* as browsers do\. Convert it to outlines/
    for (const kind of ['print', 'preflight'] as const) {
      const { outcome } = await renderHere({ ...printTask, kind }, [view], fonts, {})
      t.match('refusals' in outcome && outcome.refusals, [{ code: 'font', message }])
    }
  },
)

t.test('guarded: an error of the layout names the text, one of the file does not', async (t) => {
  const crash = () => {
    throw new TypeError('Cannot read properties of null')
  }
  const message =
    'Text such as "abc" cannot be laid out in the font "Serif" as browsers do. Convert it to outlines, and place it as an SVG drawing.'
  t.throws(() => guarded(crash, () => noLayout('abc', 'Serif')), { code: 'font', message })
  t.throws(() => guarded(crash), { message: 'The font file cannot be read.' })
})
