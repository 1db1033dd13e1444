// The API token and the toggles of the groups, which every request checks first. They are cached for at most one second.
import type { Toggle } from '../core/groups.ts'
import { cachedQuery } from './cached-query.ts'
import type { OptionsStore } from './option-rows.ts'
import { isOn, toggleKey, toggleNames } from './toggles.ts'
import { generateToken, tokenKey, tokenOf } from './token.ts'

/** The state that every request needs before its group runs. */
export interface Access {
  /** Bytes of the stored token; undefined if there is none. */
  token: Uint8Array | undefined
  /** Whether each group that has a switch is on. */
  enabled: Record<Toggle, boolean>
}

/** Reads the token and the toggles from the database; `cachedQuery` says how they are cached. */
export function accessControl(store: OptionsStore) {
  const keys = [tokenKey, ...toggleNames.map(toggleKey)]
  const access = cachedQuery(async (): Promise<Access> => {
    const rows = await store.getMany(keys)
    const token = tokenOf(rows.get(tokenKey))
    const enabled = Object.fromEntries(toggleNames.map((name) => [name, isOn(rows.get(toggleKey(name)))]))
    const bytes = token === undefined ? undefined : Buffer.from(token)
    return { token: bytes, enabled: enabled as Access['enabled'] }
  })
  return {
    ...access,
    /** Generates a token if none is stored; called by the gate for a request that finds none. */
    async generate() {
      await generateToken(store)
      access.forget()
    },
  }
}
