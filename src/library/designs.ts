// Which designs may be stored: those that can be shown, and whatever the category holds already.
import { invalidParams } from '../core/errors.ts'
import { isRawNumber, numberOf, parseExact } from '../json/exact.ts'
import { isObject } from '../json/values.ts'

/** The message lists at most this many problems. */
const maxProblems = 20

/**
 * @param stored JSON of the list in the row; null if that cannot be read
 * @throws SvcError 400 naming the position of each invalid design that is not stored already
 */
export function assertDesigns(designs: unknown, stored: string | null): void {
  const problems: string[] = []
  let storedInvalid: Set<string> | undefined
  let count = 0
  for (const [at, design] of [designs].flat().entries()) {
    const problem = designProblem(design)
    if (problem === undefined) continue
    storedInvalid ??= invalidIn(stored)
    const isKept = storedInvalid.size > 0 && storedInvalid.has(identityOf(design))
    if (!isKept && ++count <= maxProblems) problems.push(`[${at}] ${problem}`)
  }
  if (count === 0) return
  const named = problems.join(', ') + (count > maxProblems ? ` and ${count - maxProblems} more` : '')
  throw invalidParams({ designs: `has designs that cannot be stored: ${named}` })
}

/** The stored designs that would be refused today. */
function invalidIn(stored: string | null): Set<string> {
  const designs = Object.values(Object(parseExact(stored ?? '[]')))
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

/** Equal for values that JSON parsers read as equal; their numbers are doubles. */
const identityOf = (design: unknown): string => JSON.stringify(sortedProperties(design))

function sortedProperties(value: unknown): unknown {
  if (isRawNumber(value)) return numberOf(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedProperties)
  const properties = Object.entries(value).map(([name, inner]) => [name, sortedProperties(inner)] as const)
  return Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
}
