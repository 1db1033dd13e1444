// A short hash over what is stored, the state part of an ETag.
import { hash } from 'node:crypto'
import { largeFrom } from '../off-thread/off-thread.ts'
import { digestOf } from './large-values.ts'

/** Hash of the stored values in this order; the same values give the same tag in every process. */
export function stateTag(...values: (string | number | null | undefined)[]): string {
  let text = ''
  for (const value of values) {
    // Lengths keep ['ab', 'c'] and ['a', 'bc'] apart.
    const part = typeof value === 'string' && value.length >= largeFrom ? digestOf(value) : value
    text += part === null || part === undefined ? '-;' : `${String(part).length}:${part};`
  }
  return hash('sha256', text, 'base64url').slice(0, 27)
}
