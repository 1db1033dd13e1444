// The part of an ETag (RFC 9110 §8.8.3) that stands for the state of a resource: a short hash of what is stored.
import { createHash, type Hash, hash } from 'node:crypto'
import { mapInTurns } from '../core/turns.ts'
import { digestOf } from './json-kind.ts'

/** Characters that are hashed at once: joining many values would cost twice the hashing. */
const atOnce = 64 * 1024

type StoredValue = string | number | null | undefined

/** Hash of the stored values in this order: 27 characters, the same in every process. */
export function stateTag(...values: StoredValue[]): string {
  const { add, tag } = tagger()
  for (const value of values) add(value)
  return tag()
}

/** The same for many or large values, with turns for other requests in between. */
export async function stateTagInTurns(values: readonly StoredValue[]): Promise<string> {
  const { add, tag } = tagger()
  await mapInTurns(values, add)
  return tag()
}

/** Hashes values one after the other; the values so far are joined until they are worth a call of the hash function. */
function tagger() {
  let pending = ''
  let hashed: Hash | undefined
  return {
    add(value: StoredValue): void {
      const token = tokenOf(value)
      // Lengths distinguish ['ab', 'c'] from ['a', 'bc'].
      pending += token === null || token === undefined ? '-;' : `${String(token).length}:${token};`
      if (pending.length < atOnce) return
      hashed ??= createHash('sha256')
      hashed.update(pending)
      pending = ''
    },
    tag(): string {
      const digest = hashed
        ? hashed.update(pending).digest('base64url')
        : hash('sha256', pending, 'base64url')
      return digest.slice(0, 27)
    },
  }
}

/** Strings from this length on are replaced by their digest: they would be copied to be hashed together with the other values. */
const digestedFrom = 512 * 1024

/** What is hashed for a value. */
function tokenOf(value: StoredValue) {
  return typeof value === 'string' && value.length >= digestedFrom ? digestOf(value) : value
}
