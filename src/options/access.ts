// What every request must know before anything else: the token and the switches, at most one second old.
import { requestTime, within } from '../deadline.ts'
import type { OptionsStore } from './store.ts'
import { isOn, type Toggle, toggleNames, toggles } from './toggles.ts'
import { digest, generateToken, tokenKey, tokenOf } from './token.ts'

export interface Access {
  /** Digest of the stored token; undefined while there is none. */
  token: Uint8Array | undefined
  enabled: Record<Toggle, boolean>
}

export interface AccessControl {
  /** The known state when it is fresh enough to be used without a query. */
  fresh(): Access | undefined
  /** The state as read now; requests that ask at once share one query. */
  read(): Promise<Access>
  /** Makes a token where none is stored; nobody can hold it yet. */
  generate(): Promise<void>
  /** To be called after own writes: the next request reads anew. */
  forget(): void
}

/** Below one second, so that a rotation elsewhere has taken effect within it. */
const maxAge = 900
const keys = [tokenKey, ...Object.values(toggles)]

export function accessControl(store: OptionsStore): AccessControl {
  let known: { access: Access; since: number } | undefined
  let reading: Promise<Access> | undefined
  let generation = 0

  async function load(): Promise<Access> {
    // The age counts from before the query: what changes while it runs may be missing in its answer.
    const since = performance.now()
    const started = generation
    const rows = await store.getMany(keys)
    const token = tokenOf(rows.get(tokenKey))
    const enabled = Object.fromEntries(toggleNames.map((name) => [name, isOn(rows.get(toggles[name]))]))
    const access: Access = {
      token: token === undefined ? undefined : digest(token),
      enabled: enabled as Access['enabled'],
    }
    if (started === generation) known = { access, since }
    return access
  }

  function current(): Promise<Access> {
    if (!reading) {
      // Bounded by itself: a query that never ends must not hold up those who ask after the database is back.
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
    // Who joined a query from before it does not share its failure: the database may be back.
    read: () => (reading ? reading.catch(current) : current()),
    async generate() {
      await generateToken(store)
      forget()
    },
    forget,
  }
}
