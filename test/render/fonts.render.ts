// Text in fonts that declare a style, lack one, or lack characters, beside the same text in a browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { type Beside, besideFabric } from '../support/render/beside.ts'
import { declaring, withAxes } from '../support/render/changed-fonts.ts'
import { broad, dense, one, type TestDesign, text } from '../support/render/design-parts.ts'
import { testFonts, variableFont } from '../support/render/materials.ts'

await ensureCommands({ pdftoppm: 'poppler-utils' })
const serif = (await testFonts()).find(({ family }) => family === 'DejaVu Serif')
if (!serif) throw new Error('There is no DejaVu Serif.')
const heavy = { ...serif, family: 'Heavy', bytes: declaring(serif.bytes, { weight: 700, selection: 0x20 }) }
const leaning = { ...serif, family: 'Leaning', bytes: declaring(serif.bytes, { selection: 0x1 }) }
const inter = await variableFont()
const variable = (family: string, bold: boolean, axes: Parameters<typeof withAxes>[1]) => ({
  family,
  bold,
  italic: false,
  bytes: withAxes(inter, axes),
})
/** Its default is not 400. */
const weighted = [false, true].map((bold) =>
  variable('Weighted', bold, [
    ['wght', 100, 700, 900],
    ['slnt', -10, 0, 0],
  ]),
)
/** Small text leans. */
const optical = variable('Optical', false, [
  ['wght', 100, 400, 900],
  ['opsz', 10, 40, 40],
])
const browser = await besideFabric([heavy, leaning, ...weighted, optical])
t.teardown(() => browser.close())
t.setTimeout(230_000)

const styled = (family: string) => [
  text('Bold', { fontFamily: family, fontWeight: 'bold', fontSize: 60, top: 130 }),
  text('Italic', { fontFamily: family, fontStyle: 'italic', fontSize: 60, top: 225 }),
  text('Both', { fontFamily: family, fontWeight: 'bold', fontStyle: 'italic', fontSize: 60, top: 315 }),
]
const mixed = { fontFamily: 'Liberation Sans, Noto Sans JP', fontSize: 44 }

const designs: TestDesign[] = [
  one('a font that declares itself bold', ...styled('Heavy')),
  one('a font that declares itself italic', ...styled('Leaning')),
  one(
    'a variable font whose default weight is not 400',
    text('AVATAR Type é', { fontFamily: 'Weighted', fontSize: 48, top: 140 }),
    text('Bold Wave', { fontFamily: 'Weighted', fontWeight: 'bold', fontSize: 48, top: 290 }),
  ),
  dense(
    one(
      'a variable font with optical sizes',
      text('Large 44 é', { fontFamily: 'Optical', fontSize: 44, top: 120 }),
      text('Middle Wave 24', { fontFamily: 'Optical', fontSize: 24, top: 190 }),
      text('small to the right\n14', { fontFamily: 'Optical', fontSize: 14, textAlign: 'right', top: 260 }),
      text('Made bold', { fontFamily: 'Optical', fontWeight: 'bold', fontSize: 30, top: 330 }),
    ),
  ),
  broad(
    'styles on characters of another font',
    text('Plain 世界', { ...mixed, top: 115 }),
    text('Bold 世界', { ...mixed, fontWeight: 'bold', top: 185 }),
    text('Italic 世界', { ...mixed, fontStyle: 'italic', top: 255 }),
    text('Both 世界', { ...mixed, fontWeight: 'bold', fontStyle: 'italic', top: 325 }),
  ),
]

for (const design of designs) {
  t.test(`render: ${design.name} looks as in the browser`, async (t) => {
    const outcome = await browser.draw(design)
    if ('refused' in outcome) return t.fail(outcome.refused)
    for (const each of outcome.beside) {
      const { format, share, square } = each
      keep(design.name, each)
      t.ok(share <= (design.share ?? 0.005), `${format}: ${(100 * share).toFixed(3)} % of the pixels differ`)
      t.ok(square <= 3, `${format}: no area of ${square} by ${square} pixels differs`)
    }
  })
}

/** For those who look into a difference. */
function keep(name: string, { format, ours, theirs }: Beside): void {
  const folder = process.env.SVC_TEST_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const stem = join(folder, name.replaceAll(/\W+/g, '-'))
  writeFileSync(`${stem}.${format}.png`, ours)
  writeFileSync(`${stem}.fabric.png`, theirs)
}
