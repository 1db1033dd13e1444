// Digests of JSON texts that need not be parsed again to know that they are JSON: stored values are returned as they are.
import { hash } from 'node:crypto'

/** Collision-free digest of a string. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64')

const generation = 20_000
let recent = new Set<string>()
let previous = new Set<string>()

export const isKnownJson = (digest: string): boolean => recent.has(digest) || previous.has(digest)

export function rememberJson(digest: string): void {
  if (recent.size >= generation) {
    previous = recent
    recent = new Set()
  }
  recent.add(digest)
}
