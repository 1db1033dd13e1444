// The state tag of a group of settings. It changes with each secret of the group and reveals nothing about it.
import { createHmac, randomBytes } from 'node:crypto'
import { stateTag } from '../db/state-tag.ts'
import type { OptionsStore } from './option-rows.ts'

/** The row with the key of the digests below, which no settings route reads or writes. */
export const stateKey = 'svc_etag_key'

type Rows = ReadonlyMap<string, string>

const isStateKey = (stored: string | undefined) => stored !== undefined && /^[0-9a-f]{64}$/.test(stored)

/**
 * The rows with that key. If it is missing, it is created and stored, once in the life of an installation; concurrent processes end up
 * with the same one.
 */
export async function creatingStateKey(options: OptionsStore, rows: Rows): Promise<Rows> {
  if (isStateKey(rows.get(stateKey))) return rows
  const stored = await options.update(stateKey, (stored) =>
    isStateKey(stored) ? undefined : randomBytes(32).toString('hex'),
  )
  return new Map(rows).set(stateKey, stored ?? '')
}

/**
 * The tag of these rows. Secrets count by a keyed digest alone: a reader of the tag could otherwise try guesses
 * against it, unlimited and unnoticed.
 * @param rows with that of {@link stateKey}; without it no client has a tag yet, and the result equals no other one
 */
export function groupState(keys: readonly string[], isSecret: (key: string) => boolean, rows: Rows): string {
  const key = rows.get(stateKey)
  const secrets = createHmac('sha256', isStateKey(key) ? String(key) : randomBytes(32))
  for (const name of keys.filter(isSecret)) secrets.update(JSON.stringify([name, rows.get(name)]))
  return stateTag(...keys.map((name) => (isSecret(name) ? '' : rows.get(name))), secrets.digest('base64url'))
}
