// The token and the switches of the groups, which every request needs first. At most one second old.
import { requestTime, within } from '../deadline.ts'
import type { OptionsStore } from './store.ts'
import { isOn, type Toggle, toggleNames, toggles } from './toggles.ts'
import { generateToken, tokenBytes, tokenKey, tokenOf } from './token.ts'

export interface Access {
  /** Bytes of the stored token; undefined if there is none. */
  token: Uint8Array | undefined
  enabled: Record<Toggle, boolean>
}

export interface AccessControl {
  /** The cached state, if it is recent enough. */
  fresh(): Access | undefined
  /** Reads the state; concurrent requests share one query. */
  read(): Promise<Access>
  /** Generates a token if none is stored. */
  generate(): Promise<void>
  /** Drops the cached state, after writes of our own. */
  forget(): void
}

/** Milliseconds. Below one second, so that a new token takes effect within one. */
const maxAge = 900
const keys = [tokenKey, ...Object.values(toggles)]

export function accessControl(store: OptionsStore): AccessControl {
  let known: { access: Access; since: number } | undefined
  let reading: Promise<Access> | undefined
  let generation = 0

  async function load(): Promise<Access> {
    // The age counts from before the query, whose result may lack changes made while it runs.
    const since = performance.now()
    const started = generation
    const rows = await store.getMany(keys)
    const token = tokenOf(rows.get(tokenKey))
    const enabled = Object.fromEntries(toggleNames.map((name) => [name, isOn(rows.get(toggles[name]))]))
    const access: Access = {
      token: token === undefined ? undefined : tokenBytes(token),
      enabled: enabled as Access['enabled'],
    }
    if (started === generation) known = { access, since }
    return access
  }

  function current(): Promise<Access> {
    if (!reading) {
      // Has its own deadline, so that a hanging query does not block later requests.
      const query = within(requestTime.gate, load).finally(() => {
        if (reading === query) reading = undefined
      })
      reading = query
    }
    return reading
  }

  function forget(): void {
    generation++
    known = undefined
    reading = undefined
  }

  return {
    fresh: () => (known && performance.now() - known.since < maxAge ? known.access : undefined),
    // A request that joined an earlier query retries if that fails, because the database may be back.
    read: () => (reading ? reading.catch(current) : current()),
    async generate() {
      await generateToken(store)
      forget()
    },
    forget,
  }
}
