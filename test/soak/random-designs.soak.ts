// Designs at random, each drawn by the renderer and by fabric.js in a browser.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { arbitraryDesign, type RandomDesign } from '../support/render/arbitrary-designs.ts'
import { type Beside, besideFabric } from '../support/render/beside.ts'

const runs = Number(process.env.SVC_DESIGNS ?? 300)
const seed = Number(process.env.SVC_SEED ?? Date.now() % 2 ** 31)

t.setTimeout(6 * 3_600_000)
t.comment(`seed ${seed}`)
await ensureCommands({ pdftoppm: 'poppler-utils' })
const browser = await besideFabric()
t.teardown(() => browser.close())

/** Edges of much thin text are up to one percent of so small a page. */
const isSame = ({ share, square }: Beside) => share <= 0.01 && square <= 3

/** Undefined if both look the same, or the renderer refuses. */
async function differences(design: RandomDesign): Promise<Beside[] | undefined> {
  const outcome = await browser.draw(design, design.drawings)
  if ('refused' in outcome) {
    refusals.set(outcome.refused, (refusals.get(outcome.refused) ?? 0) + 1)
    return undefined
  }
  const off = outcome.beside.filter((each) => !isSame(each))
  return off.length > 0 ? off : undefined
}

const refusals = new Map<string, number>()

t.test(`${runs} designs look as in the browser or are refused`, async (t) => {
  t.setTimeout(6 * 3_600_000)
  let drawn = 0
  for (const [index, design] of fc.sample(arbitraryDesign, { seed, numRuns: runs }).entries()) {
    const before = [...refusals.values()].reduce((sum, count) => sum + count, 0)
    const off = await differences(design)
    if ([...refusals.values()].reduce((sum, count) => sum + count, 0) === before) drawn++
    if (!off) continue
    keep(index, off)
    const figures = off.map(
      ({ format, share, square }) => `${format} ${(100 * share).toFixed(2)} %, ${square} px`,
    )
    const drawings = Object.values(design.drawings).map(String)
    t.fail(`design ${index} of seed ${seed}: ${figures.join('; ')}`, { elements: design.elements, drawings })
  }
  for (const [cause, count] of refusals) t.comment(`refused ${count} times: ${cause}`)
  t.ok(drawn > runs / 2, `${drawn} of ${runs} were drawn`)
})

function keep(index: number, off: Beside[]): void {
  const folder = process.env.SVC_TEST_PICTURES
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const { format, ours, theirs } of off) {
    writeFileSync(join(folder, `${index}.${format}.png`), ours)
    writeFileSync(join(folder, `${index}.fabric.png`), theirs)
  }
}
