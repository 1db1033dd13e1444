// Which designs may be stored: those that can be shown, and whatever the category holds already.
import { invalidParams } from '../../src/errors.ts'
import { isObject, parseExact } from '../../src/json.ts'
import { JsonText, jsonForThread } from '../../src/json-text.ts'
import { largeFrom, offThread } from '../../src/off-thread/off-thread.ts'

/** The message lists at most this many problems. */
const maxProblems = 20

/**
 * Large lists are checked off the main thread.
 * @param stored JSON string of the list in the row; null if that cannot be read
 * @throws SvcError 400 naming the position of each invalid design that is not stored already
 */
export async function assertDesigns(designs: unknown, stored: string | null): Promise<void> {
  if (!(designs instanceof JsonText) && (stored?.length ?? 0) < largeFrom) assertList(designs, stored)
  else await offThread(import.meta.url, 'assertDesignsJson', jsonForThread(designs), stored)
}

/** Runs on the other thread. */
export const assertDesignsJson = (designs: string, stored: string | null): void =>
  assertList(parseExact(designs), stored)

function assertList(designs: unknown, stored: string | null): void {
  const bad = Object.values(Object(designs)).flatMap((design, at) => {
    const problem = designProblem(design)
    return problem === undefined ? [] : [{ design, problem: `[${at}] ${problem}` }]
  })
  if (bad.length === 0) return
  const kept = new Set(Object.values(Object(JSON.parse(stored ?? '[]'))).map(identityOf))
  const problems = bad.filter(({ design }) => !kept.has(identityOf(design))).map(({ problem }) => problem)
  if (problems.length === 0) return
  const more = problems.length - maxProblems
  const named = problems.slice(0, maxProblems).join(', ') + (more > 0 ? ` and ${more} more` : '')
  throw invalidParams({ designs: `has designs that cannot be stored: ${named}` })
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
const identityOf = (design: unknown): string =>
  JSON.stringify(sortedProperties(JSON.parse(JSON.stringify(design))))

function sortedProperties(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedProperties)
  const properties = Object.entries(value).map(([name, inner]) => [name, sortedProperties(inner)] as const)
  return Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
}
