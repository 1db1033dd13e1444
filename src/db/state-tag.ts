// A short hash over what is stored, the state part of an ETag.
import { hash } from 'node:crypto'

/** Hash of the stored values in this order; the same values give the same tag in every process. */
export function stateTag(...values: (string | number | null | undefined)[]): string {
  let text = ''
  for (const value of values) {
    // Lengths keep ['ab', 'c'] and ['a', 'bc'] apart.
    text += value === null || value === undefined ? '-;' : `${String(value).length}:${value};`
  }
  return hash('sha256', text, 'base64url').slice(0, 27)
}
