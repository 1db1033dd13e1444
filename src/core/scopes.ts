// Scopes: what a named token or a login of the host may do.

import { groups, type ScopeGroup } from './groups.ts'

/**
 * What may be granted: `read` (every GET), `write` (every operation), or the same for a single group. A right to write
 * includes the right to read.
 */
export type Scope = 'read' | 'write' | `${ScopeGroup}:${'read' | 'write'}`

/** Groups of operations that can be granted one by one. */
export const scopeGroups = groups
  .filter(({ access }) => access === undefined)
  // `ScopeGroup` leaves out groups with `access`, too.
  .map(({ name }) => name as ScopeGroup)

/** All scopes. */
export const scopeNames: readonly Scope[] = [
  'read',
  'write',
  ...scopeGroups.flatMap((group): Scope[] => [`${group}:read`, `${group}:write`]),
]

/** Whether a value is the name of a scope. */
export const isScope = (value: unknown): value is Scope => scopeNames.some((name) => name === value)

/** The scope that an operation requires; `all` is granted only by the token of the installation or by the host. */
export type NeededScope = `${string}:${'read' | 'write'}` | 'all'

/** The scope that a route needs, by its group and methods. */
export function neededScope(group: string, methods: string | readonly string[]): NeededScope {
  const reads = [methods].flat().every((method) => method === 'GET' || method === 'HEAD')
  return `${group}:${reads ? 'read' : 'write'}`
}

/** Whether the granted scopes include the needed one. */
export function allows(granted: 'all' | readonly string[], needed: NeededScope): boolean {
  if (granted === 'all') return true
  if (needed === 'all') return false
  if (granted.includes(needed) || granted.includes('write')) return true
  const [group, right] = needed.split(':')
  return right === 'read' && (granted.includes('read') || granted.includes(`${group}:write`))
}
