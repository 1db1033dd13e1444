// Fonts of the hostile corpus that may be uploaded do no harm when they are printed.
import t from 'tap'
import { checkTrueType } from '../../../src/files/font/check.ts'
import { hostileFonts } from '../../support/hostile/hostile-fonts.ts'
import { printTask, renderHere } from '../../support/render/materials.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

for (const { name, bytes } of hostileFonts().filter(({ expected }) => expected === 'accepted')) {
  t.test(`${name} is printed, or refused as a font`, async (t) => {
    const font = { family: 'Odd', bold: false, italic: false, bytes: checkTrueType(bytes) ?? bytes }
    const view = viewWith(textElement('AAPA', { fontFamily: 'Odd' }))
    const { outcome } = await renderHere(printTask, [view], [font], {})
    if (outcome.kind === 'refused') t.match(outcome.refusals, [{ code: /^(font|glyph)$/ }])
    else t.equal(outcome.kind, 'done')
  })
}
