// Reads JSON that servers of others send: in limited time, whatever it contains.
import { fromJson } from './parse.ts'
import { extentOf, maxDepth } from './text.ts'

/** A list of a thousand orders or files has 100,000. */
const maxValues = 200_000

/** The value; undefined if the text is not JSON, is nested deeper than 512 levels, or has more than 200,000 values. */
export function foreignJson(text: string): unknown {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth || values > maxValues) return undefined
  try {
    return fromJson(text)
  } catch {
    return undefined
  }
}

/** The body of a response as text; only its beginning if it is longer. */
export async function bodyOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxBytes) break
  }
  return Buffer.concat(chunks).toString()
}
