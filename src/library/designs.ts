// Decides which designs may be stored: those that can be shown, and any that the category contains already.
import { invalidParams } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { isRawNumber, numberOf, parseExact } from '../json/parse.ts'
import { isObject } from '../json/values.ts'

/** The message lists at most this many problems. */
const maxProblems = 20

/**
 * Checks a list of designs before it is stored.
 * @param stored JSON of the list in the row; null if that cannot be read
 * @throws SvcError 400 naming the position of each invalid design that is not stored already
 */
export function assertDesigns(designs: unknown, stored: string | null): void {
  const problems: string[] = []
  let storedInvalid: Set<string> | undefined
  let count = 0
  for (const [index, design] of [designs].flat().entries()) {
    const problem = designProblem(design)
    if (problem === undefined) continue
    storedInvalid ??= invalidIn(stored)
    const isStored = storedInvalid.size > 0 && storedInvalid.has(identityOf(design))
    if (!isStored && ++count <= maxProblems) problems.push(`[${index}] ${problem}`)
  }
  if (count === 0) return
  const problemList = problems.join(', ') + (count > maxProblems ? ` and ${count - maxProblems} more` : '')
  throw invalidParams({ designs: `has designs that cannot be stored: ${problemList}` })
}

/** The identities of the stored designs that would be refused today. */
function invalidIn(stored: string | null): Set<string> {
  const designs = Object.values(membersOf(parseExact(stored ?? '[]')))
  return new Set(designs.filter((design) => designProblem(design) !== undefined).map(identityOf))
}

/** What is wrong with a design; undefined when it may be stored. */
function designProblem(design: unknown): string | undefined {
  if (!isObject(design)) return 'must be an object'
  const { title, image, elements } = design
  if (typeof title !== 'string' || title.trim() === '') return 'must have a title'
  if (image !== undefined && typeof image !== 'string') return 'must have a URL as its image'
  if (elements !== undefined && !Array.isArray(elements)) return 'must have an array as its elements'
  return image || elements ? undefined : 'must have an image or elements'
}

/** A text that is equal for designs that JSON parsers, whose numbers are doubles, read as equal. */
const identityOf = (design: unknown): string => JSON.stringify(sortedProperties(design))

function sortedProperties(value: unknown): unknown {
  if (isRawNumber(value)) return numberOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedProperties)
  const properties = Object.entries(value).map(([name, inner]) => [name, sortedProperties(inner)] as const)
  return Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
}
