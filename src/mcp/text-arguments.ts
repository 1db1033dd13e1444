// Arguments that arrive as JSON text: many agents send an object or a list as a string.
import { parseExact } from '../json/exact.ts'
import { isWithinLimits } from '../json/text.ts'
import type { Json, Schema } from './document.ts'

/** The arguments, with the text of those that can only be an object or array parsed. Other text stays as it was sent. */
export const withParsedText = (args: Json, properties: Record<string, Schema>): Json =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? parsed(value, typesOf(properties[name])) : value,
    ]),
  )

function typesOf({ type, anyOf = [] }: Schema = {}): Set<unknown> {
  return new Set([type, ...(anyOf as Schema[]).map((branch) => branch.type)].flat())
}

function parsed(text: string, types: Set<unknown>): unknown {
  const isOfKind = (types.has('object') && /^\s*\{/.test(text)) || (types.has('array') && /^\s*\[/.test(text))
  if (types.has('string') || !isOfKind || !isWithinLimits(text)) return text
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
