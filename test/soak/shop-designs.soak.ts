// Designs of the kinds that shops sell, at random: how many are refused, and why.
import fc from 'fast-check'
import t from 'tap'
import { printTask, renderHere, testFonts, testSources } from '../support/render/materials.ts'
import { shopDesign } from '../support/render/shop-designs.ts'

const runs = Number(process.env.SVC_DESIGNS ?? 200)
const seed = Number(process.env.SVC_SEED ?? Date.now() % 2 ** 31)

t.setTimeout(3_600_000)
t.test(`of ${runs} designs of shops at most 2 % are refused`, async (t) => {
  t.comment(`seed ${seed}`)
  const fonts = await testFonts()
  const sources = await testSources()
  const refused = new Map<string, number>()
  const warned = new Map<string, number>()
  let count = 0
  for (const view of fc.sample(shopDesign, { seed, numRuns: runs })) {
    const { outcome } = await renderHere(
      { ...printTask, kind: 'preflight', minDpi: 150 },
      [view],
      fonts,
      sources,
    )
    if (outcome.kind !== 'checked') throw new Error(JSON.stringify(outcome))
    if (outcome.refusals.length > 0) count++
    for (const { code, message } of outcome.refusals) {
      const cause = `${code}: ${message}`
      refused.set(cause, (refused.get(cause) ?? 0) + 1)
    }
    for (const { code } of outcome.report.warnings) warned.set(code, (warned.get(code) ?? 0) + 1)
  }
  for (const [cause, times] of refused) t.comment(`refused ${times} times: ${cause}`)
  for (const [code, times] of warned) t.comment(`warned ${times} times: ${code}`)
  t.ok(count <= runs * 0.02, `${count} of ${runs} were refused`)
})
