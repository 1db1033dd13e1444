// Preflight and print of designs at the limits, for hours: they refuse the same.
import t from 'tap'
import { assertAgreement } from '../support/render/agreement.ts'

const runs = Number(process.env.SVC_DESIGNS ?? 20_000)
const seed = Number(process.env.SVC_SEED ?? Date.now() % 2 ** 31)

t.setTimeout(6 * 3_600_000)
t.test(`preflight: refuses what the print refuses, of ${runs} designs at the limits`, async (t) => {
  t.setTimeout(6 * 3_600_000)
  t.comment(`seed ${seed}`)
  const { printed, refused } = await assertAgreement(runs, seed)
  for (const [cause, count] of refused) t.comment(`refused ${count} times: ${cause}`)
  t.ok(printed > runs / 10, `${printed} of ${runs} were printed`)
})
