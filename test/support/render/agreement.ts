// Draws designs at the limits twice, as a preflight and as a print, and compares what the two refuse.
import fc from 'fast-check'
import type { Finding } from '../../../src/renderer/refusal.ts'
import type { Outcome } from '../../../src/renderer/task.ts'
import { type LimitCase, limitCases, limitSources } from './limit-designs.ts'
import { renderHere, testFonts } from './materials.ts'

/** How often the designs were printed or refused: the first words of each refusal with the number of designs. */
export interface AgreementCounts {
  printed: number
  refused: Map<string, number>
}

const isLiberation = ({ family }: { family: string }) => family === 'Liberation Sans'

/**
 * Compares the refusals of the preflight of each design with those of its print, which also must not fail.
 * @throws Error with the smallest design for which they differ
 */
export async function assertAgreement(runs: number, seed: number): Promise<AgreementCounts> {
  const fonts = (await testFonts()).filter(isLiberation)
  const sources = await limitSources()
  const counts: AgreementCounts = { printed: 0, refused: new Map() }
  const outcomeOf = async ({ views, task }: LimitCase, kind: 'print' | 'preflight'): Promise<Outcome> => {
    // What the renderer asks of a preflight.
    const bare = {
      cropMarks: false,
      outlines: false,
      includeFonts: false,
      includePictures: false,
      summary: false,
    }
    const whole = kind === 'preflight' ? { ...task, ...bare, kind } : { ...task, kind }
    return (await renderHere(whole, views, fonts, sources)).outcome
  }
  const property = fc.asyncProperty(await limitCases(), async (design) => {
    const checked = await outcomeOf(design, 'preflight')
    const printed = await outcomeOf(design, 'print')
    const [expected, actual] = [refusalsOf(checked), refusalsOf(printed)].map(sentences)
    if (expected !== actual)
      throw new Error(`The preflight refuses: ${expected}\nThe print refuses: ${actual}`)
    count(counts, refusalsOf(printed))
  })
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: runs > 1000 })
  return counts
}

const refusalsOf = (outcome: Outcome): readonly Finding[] => (outcome.kind === 'done' ? [] : outcome.refusals)

const sentences = (refusals: readonly Finding[]) => JSON.stringify(refusals, null, 1)

function count(counts: AgreementCounts, refusals: readonly Finding[]): void {
  const { refused } = counts
  if (refusals.length === 0) counts.printed++
  for (const { code, message } of refusals) {
    // Without names and numbers, a sentence is the same for all designs.
    const kind = `${code}: ${message.replaceAll(/"[^"]*"|[\d.]+/g, '…').slice(0, 60)}`
    refused.set(kind, (refused.get(kind) ?? 0) + 1)
  }
}
