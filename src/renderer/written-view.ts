// Warnings for parts of a written view that could not be drawn later. The write itself is accepted.
import { fromJson } from '../json/parse.ts'
import { viewsOf } from './design.ts'
import { pagesOf } from './page.ts'
import { Findings, sentenceOf } from './refusal.ts'
import { sceneOf } from './scene.ts'
import { isSet } from './values.ts'

/** Characters beyond which a design is not looked at, which takes as long as to draw it: preflight does that elsewhere. */
const maxLength = 256 * 1024
/** Maximum number of warnings. */
const maxSentences = 20

/** Of a view, with what of it is written. */
export const viewWarnings = (view: object): string[] => designWarnings([view])

/** Of the design of an order, in any of its forms. */
export function designWarnings(design: unknown): string[] {
  if (design === undefined || !fits(design)) return []
  const findings = new Findings()
  // Parsed once more, because long numbers are objects in what was sent.
  for (const view of viewsOf(fromJson(JSON.stringify(design)))) {
    sceneOf(view, findings, { isPreview: true })
    const { options } = view
    const isWhole =
      isSet(options, 'output') && ['printingBox', 'printAreas'].some((name) => isSet(options, name))
    if (isWhole) findings.try(view.title, null, () => pagesOf(options))
  }
  const sentences = [...new Set([...findings.refusals, ...findings.warnings].map(sentenceOf))]
  const more = sentences.length - maxSentences
  return more > 0 ? [...sentences.slice(0, maxSentences), `… and ${more} more.`] : sentences
}

/** Whether JSON of the value has at most about `maxLength` characters; looks no further. */
function fits(design: unknown): boolean {
  let left = maxLength
  const rest = [design]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    left -= 1 + (typeof value === 'string' ? value.length : 0)
    if (typeof value === 'object' && value !== null)
      for (const name in value) {
        left -= name.length
        rest.push(Reflect.get(value, name))
        if (left < rest.length) return false
      }
    if (left < 0) return false
  }
  return true
}
