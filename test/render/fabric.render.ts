// Every design as the renderer prints it, beside the same design drawn by fabric.js in a browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { type Beside, besideFabric } from '../support/render/beside.ts'
import { designs } from '../support/render/designs.ts'

await ensureCommands({ pdftoppm: 'poppler-utils' })
const browser = await besideFabric()
t.teardown(() => browser.close())
t.setTimeout(850_000)

const wanted = process.env.SVC_TEST_DESIGN
const chosen = designs.filter(({ name }) => wanted === undefined || name === wanted)

for (const design of chosen) {
  t.test(`${design.name} looks as in the browser`, async (t) => {
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

/** For whoever looks into a difference. */
function keep(name: string, { format, ours, theirs }: Beside): void {
  const folder = process.env.SVC_TEST_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const stem = join(folder, name.replaceAll(/\W+/g, '-'))
  writeFileSync(`${stem}.${format}.png`, ours)
  writeFileSync(`${stem}.fabric.png`, theirs)
}
