// The state part of an ETag: a short hash of what is stored.
import { createHash, type Hash, hash } from 'node:crypto'
import { mapInTurns } from '../core/turns.ts'
import { digestOf } from './stored-json.ts'

/** Characters that are hashed at once: joining many values would cost twice the hashing. */
const atOnce = 64 * 1024

type Tagged = string | number | null | undefined

/** Hash of the stored values in this order, the same in every process. */
export function stateTag(...values: Tagged[]): string {
  const { add, tag } = tagger()
  for (const value of values) add(value)
  return tag()
}

/** The same of values that are large together, with turns for other requests in between. */
export async function stateTagInTurns(values: readonly Tagged[]): Promise<string> {
  const { add, tag } = tagger()
  await mapInTurns(values, add)
  return tag()
}

function tagger() {
  let text = ''
  let before: Hash | undefined
  return {
    add(value: Tagged): void {
      const part = partOf(value)
      // Lengths distinguish ['ab', 'c'] from ['a', 'bc'].
      text += part === null || part === undefined ? '-;' : `${String(part).length}:${part};`
      if (text.length < atOnce) return
      before ??= createHash('sha256')
      before.update(text)
      text = ''
    },
    tag(): string {
      const digest = before ? before.update(text).digest('base64url') : hash('sha256', text, 'base64url')
      return digest.slice(0, 27)
    },
  }
}

/** Characters from which a value counts by its digest. */
const digestedFrom = 512 * 1024

function partOf(value: Tagged) {
  return typeof value === 'string' && value.length >= digestedFrom ? digestOf(value) : value
}
