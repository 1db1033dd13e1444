// Reads JSON of any origin in limited time: from other servers (a print provider, Dropbox), from agents, and from rows. Bodies of
// responses are read up to a limit.
import { fromJson } from './parse.ts'
import { extentOf, maxDepth } from './text.ts'

/** Twice as many values as a list of a thousand orders or files has. */
const maxValues = 200_000

/**
 * Parses the text. Returns undefined if it is not JSON, is nested deeper than 512 levels, or has more than 200,000 values
 * (as `extentOf` counts them).
 */
export function foreignJson(text: string): unknown {
  const { depth, values } = extentOf(text, { depth: maxDepth, values: maxValues })
  if (depth > maxDepth || values > maxValues) return undefined
  try {
    return fromJson(text)
  } catch {
    return undefined
  }
}

/** Reads the body of a response as text. A body longer than `maxBytes` is cut soon after them; the rest is not read. */
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
