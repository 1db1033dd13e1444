// Active content in every spelling: what is accepted must be passive to qpdf, mupdf and pdf.js as well.
import fc from 'fast-check'
import t from 'tap'
import { assertPassivePdf } from '../../../../src/files/pdf/check.ts'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { changes } from '../../../support/hostile/pdf-spellings.ts'
import { pdfVariants, plainForms, seeds } from '../../../support/hostile/pdf-variants.ts'
import { type Oracle, pdfOracles } from '../../../support/peers/pdf-oracles.ts'

const SOAK = Boolean(process.env.SVC_SOAK)

function isAccepted(bytes: Buffer): boolean {
  try {
    assertPassivePdf(bytes)
    return true
  } catch (error) {
    if (error instanceof FileRejected) return false
    throw error
  }
}

async function seen(oracles: Record<string, Oracle>, bytes: Buffer): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(oracles).map(async ([name, oracle]) =>
      (await oracle(bytes)).map((what) => `${name}: ${what}`),
    ),
  )
  return found.flat()
}

t.test('assertPassivePdf: the plain forms are accepted, and passive to other programs', async (t) => {
  const oracles = await pdfOracles(t.testdir())
  for (const { name, bytes } of plainForms()) {
    t.doesNotThrow(() => assertPassivePdf(bytes), name)
    t.strictSame(await seen(oracles, bytes), [], name)
  }
})

t.test('the script that the combinations begin with is seen by other programs', async (t) => {
  const oracles = await pdfOracles(t.testdir())
  for (const seed of seeds) t.not((await seen(oracles, seed)).length, 0)
  for (const [name, oracle] of Object.entries(oracles)) {
    const found = await Promise.all(seeds.map(oracle))
    t.ok(
      found.some((each) => each.length > 0),
      name,
    )
  }
})

t.test('assertPassivePdf: no spelling of an action is accepted that another program would run', async (t) => {
  const oracles = await pdfOracles(t.testdir())
  const variants = pdfVariants()
  t.ok(variants.length > 1000, `${variants.length} variants`)
  for (const { name, bytes } of variants.filter((variant) => isAccepted(variant.bytes)))
    t.strictSame(await seen(oracles, bytes), [], name)
})

t.test('assertPassivePdf: no combination of spellings is accepted either', async (t) => {
  const oracles = await pdfOracles(t.testdir())
  const change = fc
    .constantFrom(...changes)
    .chain(([from, to]) => fc.tuple(fc.constant(from), fc.constantFrom(...to)))
  const combined = fc.tuple(fc.constantFrom(...seeds), fc.array(change, { minLength: 1, maxLength: 4 }))
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(combined, async ([seed, all]) => {
      const text = all.reduce((file, [from, to]) => file.replace(from, () => to), seed.toString('latin1'))
      const bytes = Buffer.from(text, 'latin1')
      if (!isAccepted(bytes)) return
      accepted++
      const found = await seen(oracles, bytes)
      if (found.length > 0) throw new Error(found.join('; '))
    }),
    { numRuns: SOAK ? 20_000 : 1000 },
  )
  t.comment(`${accepted} of the combinations were accepted`)
})
