// Parses arguments that are JSON text: many agents send an object or an array as a string.
import { parseExact } from '../json/parse.ts'
import { isWithinLimits } from '../json/text.ts'
import type { Json, Schema } from './document.ts'

/** The arguments, with a text parsed if its parameter can be an object or array, but no string. Other texts stay as they were sent. */
export const withParsedText = (args: Json, properties: Record<string, Schema>): Json =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? parsed(value, typesOf(properties[name])) : value,
    ]),
  )

/** All types that a schema admits. */
function typesOf({ type, anyOf = [] }: Schema = {}): Set<unknown> {
  return new Set([type, ...(anyOf as Schema[]).map((branch) => branch.type)].flat())
}

/** The value of the text if it is JSON of one of these types; otherwise the text. */
function parsed(text: string, types: Set<unknown>): unknown {
  const looksLikeType =
    (types.has('object') && /^\s*\{/.test(text)) || (types.has('array') && /^\s*\[/.test(text))
  if (types.has('string') || !looksLikeType || !isWithinLimits(text)) return text
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
