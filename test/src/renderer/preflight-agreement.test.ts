// Preflight and print of random designs at the limits refuse the same.
import t from 'tap'
import { assertAgreement } from '../../support/render/agreement.ts'

const seed = Number(process.env.SVC_SEED ?? Date.now() % 2 ** 31)

t.test('preflight: refuses what the print refuses, of designs at every limit', async (t) => {
  t.comment(`seed ${seed}`)
  const runs = 200
  const { printed, refused } = await assertAgreement(runs, seed)
  t.ok(printed > runs / 10, `${printed} were printed`)
  const codes = new Set([...refused.keys()].map((cause) => cause.split(':', 1)[0]))
  for (const code of ['limit', 'page']) t.ok(codes.has(code), `some were refused as ${code}`)
})
