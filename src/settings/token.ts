// Reads, stores and generates the API token.
import { randomBytes } from 'node:crypto'
import type { NotedChange } from '../core/change.ts'
import type { OptionsStore } from './option-rows.ts'

/** Key of the option that stores the API token. */
export const tokenKey = 'svc_api_token'

/**
 * The token in a stored value, as text or as the string that PHP serialized: 64 hexadecimal digits. Undefined for anything
 * else, such as `a:0:{}` or `null`, which could be guessed.
 */
export function tokenOf(stored: string | undefined): string | undefined {
  const serialized = stored?.match(/^s:64:"(.*)";$/s)
  const token = (serialized?.[1] ?? stored ?? '').trim()
  return /^[0-9a-f]{64}$/i.test(token) ? token : undefined
}

const noted = (): NotedChange => ({ resource: 'setting', action: 'updated', id: tokenKey })

/** Stores a token in place of the previous one. */
export async function storeToken(store: OptionsStore, token: string): Promise<void> {
  await store.update(tokenKey, () => token, { noted })
}

/** Generates a token if none is stored. Concurrent processes end up with the same one. */
export async function generateToken(store: OptionsStore): Promise<void> {
  const generated = (stored: string | undefined) =>
    tokenOf(stored) ? undefined : randomBytes(32).toString('hex')
  await store.update(tokenKey, generated, { noted })
}
