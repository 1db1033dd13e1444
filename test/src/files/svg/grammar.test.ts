// Whatever a drawing consists of, the result is clean, and a second pass changes nothing.
import fc from 'fast-check'
import t from 'tap'
import { FileRejected } from '../../../../src/files/rejected.ts'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.ts'
import { findings } from '../../../support/hostile/svg-findings.ts'
import { drawings } from '../../../support/hostile/svg-grammar.ts'

const RUNS = process.env.SVC_SOAK ? 20_000 : 150

if (process.env.SVC_SOAK) t.setTimeout(900_000)

t.test(
  'drawings out of a hostile grammar come out clean, unchanged by a second pass, or are refused',
  async (t) => {
    let accepted = 0
    const sanitized = async (svg: string) => {
      try {
        return (await sanitizeSvg(Buffer.from(svg))).svg
      } catch (error) {
        if (error instanceof FileRejected) return undefined
        throw error
      }
    }
    const property = fc.asyncProperty(drawings, async (drawing) => {
      const svg = await sanitized(drawing)
      if (svg === undefined) return
      accepted++
      const found = findings(svg, { words: false })
      if (found.length > 0) throw new Error(found.join('\n'))
      if ((await sanitized(svg)) !== svg) throw new Error('changed by a second pass')
    })
    await fc.assert(property, { numRuns: RUNS })
    t.ok(accepted > RUNS / 4, `${accepted} of ${RUNS} were accepted`)
  },
)
