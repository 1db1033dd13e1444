// The state part of an ETag: a short hash of what is stored.
import { hash } from 'node:crypto'
import { JsonText, type StoredJson } from '../json-text.ts'
import { largeFrom } from '../off-thread/off-thread.ts'
import { digestOf } from './large-values.ts'

/** Hash of the stored values in this order, the same in every process. */
export function stateTag(...values: (StoredJson | number | null | undefined)[]): string {
  let text = ''
  for (const value of values) {
    // Lengths distinguish ['ab', 'c'] from ['a', 'bc'].
    const part = partOf(value)
    text += part === null || part === undefined ? '-;' : `${String(part).length}:${part};`
  }
  return hash('sha256', text, 'base64url').slice(0, 27)
}

/** A large value counts by its digest. */
function partOf(value: StoredJson | number | null | undefined) {
  if (value instanceof JsonText) return value.digest
  return typeof value === 'string' && value.length >= largeFrom ? digestOf(value) : value
}
