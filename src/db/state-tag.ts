// The state part of an ETag: a short hash of what is stored.
import { createHash, type Hash, hash } from 'node:crypto'
import { largeFrom } from '../off-thread/off-thread.ts'
import { digestOf } from './large-values.ts'

/** Characters that are hashed at once: joining many values would cost twice the hashing. */
const atOnce = 64 * 1024

/** Hash of the stored values in this order, the same in every process. */
export function stateTag(...values: (string | number | null | undefined)[]): string {
  let text = ''
  let before: Hash | undefined
  for (const value of values) {
    // Lengths distinguish ['ab', 'c'] from ['a', 'bc'].
    const part = typeof value === 'string' && value.length >= largeFrom ? digestOf(value) : value
    text += part === null || part === undefined ? '-;' : `${String(part).length}:${part};`
    if (text.length < atOnce) continue
    before ??= createHash('sha256')
    before.update(text)
    text = ''
  }
  const digest = before ? before.update(text).digest('base64url') : hash('sha256', text, 'base64url')
  return digest.slice(0, 27)
}
