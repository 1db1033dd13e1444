// Reads, compares and generates the API token.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { OptionsStore } from './store.ts'

export const tokenKey = 'svc_api_token'

/** The token in a stored value; undefined if PHP would treat it as empty (whitespace, `0`, a serialized empty string). */
export function tokenOf(stored: string | undefined): string | undefined {
  const serialized = stored?.match(/^s:\d+:"(.*)";$/s)
  const token = (serialized?.[1] ?? stored ?? '').trim()
  return token === '' || token === '0' ? undefined : token
}

/** Digest of fixed length, so that comparing takes the same time for all tokens. */
export const digest = (token: string) => hash('sha256', token, 'buffer')

export const isSameDigest = (a: Uint8Array, b: Uint8Array) => timingSafeEqual(a, b)

/** Generates a token if none is stored. Concurrent processes end up with the same one. */
export async function generateToken(store: OptionsStore): Promise<void> {
  await store.update(tokenKey, (stored) => (tokenOf(stored) ? undefined : randomBytes(32).toString('hex')))
}
