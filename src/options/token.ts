// The API token: how it is stored, compared and made.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OptionsStore } from './store.ts'

export const tokenKey = 'svc_api_token'

/** The usable token of a stored text; undefined when PHP would call it empty (blank, `0`, a serialized empty text). */
export function tokenOf(stored: string | undefined): string | undefined {
  const serialized = stored?.match(/^s:\d+:"(.*)";$/s)
  const token = (serialized?.[1] ?? stored ?? '').trim()
  return token === '' || token === '0' ? undefined : token
}

/** Digest of equal length for tokens of any length, so that comparing takes the same time for all. */
export const digest = (token: string) => hash('sha256', token, 'buffer')

export const isSameDigest = (a: Uint8Array, b: Uint8Array) => timingSafeEqual(a, b)

/** Makes a token where none is stored. Any number of processes at once end up with the same one. */
export async function generateToken(store: OptionsStore): Promise<void> {
  await store.update(tokenKey, (stored) => (tokenOf(stored) ? undefined : randomBytes(32).toString('hex')))
}
