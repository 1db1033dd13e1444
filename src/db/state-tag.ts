// The state part of an ETag: a short hash of what is stored.
import { hash } from 'node:crypto'
import { largeFrom } from '../off-thread/off-thread.ts'
import { digestOf } from './large-values.ts'

/** Hash of the stored values in this order, the same in every process. */
export function stateTag(...values: (string | number | null | undefined)[]): string {
  let text = ''
  for (const value of values) {
    // Lengths distinguish ['ab', 'c'] from ['a', 'bc'].
    const part = typeof value === 'string' && value.length >= largeFrom ? digestOf(value) : value
    text += part === null || part === undefined ? '-;' : `${String(part).length}:${part};`
  }
  return hash('sha256', text, 'base64url').slice(0, 27)
}
