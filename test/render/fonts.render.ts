// Text in fonts that declare a style, lack one, or lack characters, beside the same text in a browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { type Beside, besideFabric } from '../support/render/beside.ts'
import { declaring } from '../support/render/changed-fonts.ts'
import { broad, one, type TestDesign, text } from '../support/render/design-parts.ts'
import { testFonts } from '../support/render/materials.ts'

await ensureCommands({ pdftoppm: 'poppler-utils' })
const serif = (await testFonts()).find(({ family }) => family === 'DejaVu Serif')
if (!serif) throw new Error('There is no DejaVu Serif.')
const heavy = { ...serif, family: 'Heavy', bytes: declaring(serif.bytes, { weight: 700, selection: 0x20 }) }
const leaning = { ...serif, family: 'Leaning', bytes: declaring(serif.bytes, { selection: 0x1 }) }
const browser = await besideFabric([heavy, leaning])
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
