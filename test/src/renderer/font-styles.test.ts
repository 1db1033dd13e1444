// Bold and italic that no file of a family has: made where the font does not declare them, and on fonts for single characters, too.
import t from 'tap'
import { faceOf } from '../../../src/renderer/font-face.ts'
import { declaring } from '../../support/render/changed-fonts.ts'
import { printTask, renderHere, testFonts, testSources } from '../../support/render/materials.ts'
import { textElement as text, viewWith } from '../../support/render/render-shop.ts'

const fonts = await testFonts()
const sources = await testSources()
const serif = fonts.find(({ family }) => family === 'DejaVu Serif')
if (!serif) throw new Error('There is no DejaVu Serif.')
const both = { bold: true, italic: true }

/** What Chromium does with each, asked for bold italic. */
const declarations: [name: string, declared: Parameters<typeof declaring>[1], made: object][] = [
  ['nothing', {}, both],
  ['the weight 700', { weight: 700 }, { bold: false, italic: true }],
  ['the weight 600', { weight: 600 }, { bold: false, italic: true }],
  ['the weight 500', { weight: 500 }, both],
  ['the bit bold alone', { selection: 0x20 }, both],
  ['the bit italic', { selection: 0x1 }, { bold: true, italic: false }],
  ['the bit oblique', { selection: 0x200 }, { bold: true, italic: false }],
  ['bold and italic in macStyle alone', { macStyle: 3 }, both],
  ['bold italic', { weight: 700, selection: 0x21 }, { bold: false, italic: false }],
]

for (const [name, declared, made] of declarations) {
  t.test(`faceOf: a font that declares ${name} is changed only where it lacks the style`, async (t) => {
    const face = faceOf({ key: 'F1', name: 'Serif', ...both }, declaring(serif.bytes, declared))
    t.same(face.made, made)
    t.equal(face.bolder(40) > 0, face.made.bold)
    t.equal(face.slant > 0, face.made.italic)
  })
}

t.test(
  'render: the warning says whether a missing variant is made or declared by the file itself',
  async (t) => {
    const heavy = {
      ...serif,
      family: 'Heavy',
      bytes: declaring(serif.bytes, { weight: 700, selection: 0x20 }),
    }
    const view = viewWith(
      text('As it is', { fontFamily: 'Heavy', fontWeight: 'bold' }),
      text('Made', { fontFamily: 'Heavy', fontStyle: 'italic' }),
    )
    const { outcome } = await renderHere(printTask, [view], [...fonts, heavy], sources)
    t.match(outcome, {
      kind: 'done',
      report: {
        warnings: [
          {
            code: 'font',
            message: /^The font "Heavy" has no variant bold; the file that is printed declares/,
          },
          { code: 'font', message: /^The font "Heavy" has no variant italic, which is made from another/ },
        ],
      },
    })
  },
)

t.test(
  'render: fonts for single characters take the style of the text, and the warning names it',
  async (t) => {
    const print = async (style: object) => {
      const view = viewWith(text('世界', style))
      return renderHere({ ...printTask, format: 'svg' }, [view], fonts, sources)
    }
    const [plain, bold, italic] = [
      await print({}),
      await print({ fontWeight: 'bold' }),
      await print({ fontWeight: 'bold', fontStyle: 'italic' }),
    ]
    const messageOf = ({ outcome }: typeof plain) =>
      'report' in outcome ? outcome.report?.warnings.find(({ code }) => code === 'glyph')?.message : undefined
    t.match(messageOf(plain), /printed in "Noto Sans JP"\.$/)
    t.match(messageOf(bold), /printed in "Noto Sans JP" made bold\.$/)
    t.match(messageOf(italic), /printed in "Noto Sans JP" made bold and italic\.$/)
    t.notMatch(plain.bytes.toString(), /stroke-width/)
    t.match(bold.bytes.toString(), /stroke-width/)
  },
)
