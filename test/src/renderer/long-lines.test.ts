// Text without a line break costs about as much as the same text in lines.
import t from 'tap'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

t.test(
  'of a long line at most 500 letters are one path, which takes quadratic time in its outlines',
  async (t) => {
    const view = viewWith(text('l'.repeat(1200)))
    const task = { ...printTask, format: 'svg' as const }
    const { bytes } = await renderHere(task, [view], await testFonts(), await testSources())
    const outlines = [...bytes.toString().matchAll(/ d="([^"]*)"/g)].map(
      ([, d = '']) => d.split('M').length - 1,
    )
    t.same(
      outlines.filter((count) => count > 1),
      [500, 500, 200],
    )
  },
)
