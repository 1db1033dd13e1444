// Who uses the desk, from what the host's `authorize` returns.
import { membersOf } from '../../src/core/foreign.ts'
import type { Principal } from '../../src/core/principal.ts'
import { isScope } from '../../src/core/scopes.ts'

/** A person whom `authorize` of the host has admitted. */
export interface Visitor {
  /** The name or session that `authorize` returned, to which forms are bound; '' if it returned `true`. */
  user: string
  principal: Principal
}

/**
 * All rights. What `authorize` returns as a string may be a session, which must not get into an audit trail, so its visitors share the
 * name `desk`.
 */
const everything: Principal = { kind: 'host', name: 'desk', scopes: 'all' }

/** The visitor that the result of `authorize` describes; undefined if it denies access, or is none of the documented values. */
export function visitorFrom(admission: unknown): Visitor | undefined {
  if (admission === true) return { user: '', principal: everything }
  if (typeof admission === 'string')
    return admission === '' ? undefined : { user: admission, principal: everything }
  const { name, scopes } = membersOf(admission) as Record<'name' | 'scopes', unknown>
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name)) return undefined
  if (scopes === 'all') return { user: name, principal: { kind: 'host', name, scopes } }
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return undefined
  return { user: name, principal: { kind: 'host', name, scopes: [...scopes] } }
}
