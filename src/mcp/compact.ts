// Schemas of the document as an agent gets them: small, and in the dialect that most clients read.
import { type ApiDocument, resolved, type Schema } from './document.ts'

/** Keywords that cost tokens and tell an agent nothing. */
const dull = new Set(
  'minimum maximum minLength maxLength minItems maxItems pattern default readOnly'.split(' '),
)
/** Descriptions that say what the name already says. */
const plain = /^(Id of the row|Items per page|Maximum number of items)(\.|, or `)/

/**
 * The schema for an agent: without references and limits, with the first sentence of each description, and with `anyOf`
 * in place of a list of types, which not every client reads.
 */
export function compact(document: ApiDocument, schema: Schema, isOutput = false): Schema {
  const { description, ...rest } = resolved(document, schema) ?? {}
  const shown: Schema = {}
  for (const [key, value] of Object.entries(rest)) {
    if (dull.has(key) || (key === 'items' && isEmpty(value))) continue
    // What is absent or was cut must not make a result invalid.
    if (key === 'required' && isOutput) continue
    const made = nested(document, key, value, isOutput)
    // Branches that differed in their limits alone.
    if (key === 'anyOf' && (made as Schema[]).some(isEmpty)) continue
    shown[key] = made
  }
  if (description !== undefined && !plain.test(description) && !isOutput)
    shown.description = firstSentence(description)
  return withSingleTypes(shown)
}

const isEmpty = (value: unknown) => Object.keys(Object(value)).length === 0

/** Keywords that belong to one type. */
const keywordsOf: Record<string, readonly string[]> = {
  object: ['properties', 'required', 'additionalProperties'],
  array: ['items'],
}
const ofOneType = new Set(Object.values(keywordsOf).flat())

function withSingleTypes({ type, ...rest }: Schema): Schema {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  const only = (isKept: (key: string) => boolean | undefined) =>
    Object.fromEntries(Object.entries(rest).filter(([key]) => isKept(key)))
  const branches = type.map((each) => ({ type: each, ...only((key) => keywordsOf[each]?.includes(key)) }))
  return { anyOf: branches, ...only((key) => !ofOneType.has(key)) }
}

function nested(document: ApiDocument, key: string, value: unknown, isOutput: boolean): unknown {
  if (key === 'items') return compact(document, value as Schema, isOutput)
  if (key === 'anyOf') return (value as Schema[]).map((each) => compact(document, each, isOutput))
  if (key !== 'properties') return value
  const properties = Object.entries(value as Record<string, Schema>)
  return Object.fromEntries(properties.map(([name, each]) => [name, compact(document, each, isOutput)]))
}

const firstSentence = (text: string) => text.replace(/\.\s[\s\S]*$/, '').replace(/\.$/, '')
