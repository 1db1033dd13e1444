// Which designs may be stored: those that can be shown, and whatever the category holds already.
import { invalidParams } from '../../src/errors.ts'
import { fromJson } from '../../src/json/parse.ts'
import { isObject } from '../../src/json/values.ts'
import { JsonText, type StoredJson } from '../../src/json-text.ts'
import { compacted, JsonArgument, type JsonBytes } from '../../src/large-json/bytes.ts'
import { itemsOf, textOf, valuesOf } from '../../src/large-json/scan.ts'
import { isLarge, offThread } from '../../src/off-thread/off-thread.ts'

/** The message lists at most this many problems. */
const maxProblems = 20

/**
 * Large lists are checked off the main thread.
 * @param stored JSON of the list in the row; null if that cannot be read
 * @throws SvcError 400 naming the position of each invalid design that is not stored already
 */
export async function assertDesigns(designs: unknown, stored: StoredJson | null): Promise<void> {
  const sent = JsonArgument.ofValue(designs)
  const current = new JsonArgument(stored ?? '[]')
  if (!(designs instanceof JsonText) && !isLarge(stored ?? '[]')) assertDesignsJson(sent.bytes, current.bytes)
  else await offThread(import.meta.url, 'assertDesignsJson', sent, current)
}

/** Runs on either thread. Parses one design at a time. */
export function assertDesignsJson({ json }: JsonBytes, stored: JsonBytes): void {
  const problems: string[] = []
  let known: Set<string> | undefined
  let count = 0
  let at = 0
  for (const item of itemsOf(json)) {
    const design = parsed(item)
    const problem = designProblem(design)
    if (problem !== undefined) {
      known ??= new Set(invalidIn(stored))
      const isKept = known.size > 0 && known.has(identityOf(design))
      if (!isKept && ++count <= maxProblems) problems.push(`[${at}] ${problem}`)
    }
    at++
  }
  if (count === 0) return
  const named = problems.join(', ') + (count > maxProblems ? ` and ${count - maxProblems} more` : '')
  throw invalidParams({ designs: `has designs that cannot be stored: ${named}` })
}

/** Of the stored designs those that could not be stored today. */
function* invalidIn({ json: stored }: JsonBytes): Generator<string> {
  const json = compacted(stored)
  const items = json[0] === 123 ? valuesOf(json) : itemsOf(json)
  for (const item of items) {
    const design = parsed(item)
    if (designProblem(design) !== undefined) yield identityOf(design)
  }
}

const parsed = (json: Uint8Array): unknown => fromJson(textOf(json))

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
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sortedProperties)
  const properties = Object.entries(value).map(([name, inner]) => [name, sortedProperties(inner)] as const)
  return Object.fromEntries(properties.sort(([a], [b]) => (a < b ? -1 : 1)))
}
