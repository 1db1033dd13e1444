// The token and the switches of the groups, which every request needs first. At most one second old.

import type { Toggle } from '../core/groups.ts'
import type { OptionsStore } from './option-rows.ts'
import { type Recent, recent } from './recent.ts'
import { isOn, toggleKey, toggleNames } from './toggles.ts'
import { generateToken, tokenBytes, tokenKey, tokenOf } from './token.ts'

export interface Access {
  /** Bytes of the stored token; undefined if there is none. */
  token: Uint8Array | undefined
  enabled: Record<Toggle, boolean>
}

export interface AccessControl extends Recent<Access> {
  /** Generates a token if none is stored. */
  generate(): Promise<void>
}

export function accessControl(store: OptionsStore): AccessControl {
  const names = toggleNames()
  const keys = [tokenKey, ...names.map(toggleKey)]
  const access = recent(async (): Promise<Access> => {
    const rows = await store.getMany(keys)
    const token = tokenOf(rows.get(tokenKey))
    const enabled = Object.fromEntries(names.map((name) => [name, isOn(rows.get(toggleKey(name)))]))
    return {
      token: token === undefined ? undefined : tokenBytes(token),
      enabled: enabled as Access['enabled'],
    }
  })
  return {
    ...access,
    async generate() {
      await generateToken(store)
      access.forget()
    },
  }
}
