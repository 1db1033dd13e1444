// Scopes: what a named token or a login of the host may do.

/** Groups of operations that can be granted one by one; named as their toggles are. */
export const scopeGroups = [
  'system',
  'products',
  'views',
  'assets',
  'categories',
  'settings',
  'text_templates',
  'color_library',
  'design_categories',
  'pricing_rules',
  'print_profiles',
  'user_interfaces',
  'fonts',
  'orders',
  'shortcode_orders',
  'print_jobs',
] as const

export type ScopeGroup = (typeof scopeGroups)[number]

/**
 * What may be granted: `read` (every GET), `write` (every operation), or the same for a single group. Whoever may write may
 * also read.
 */
export type Scope = 'read' | 'write' | `${ScopeGroup}:${'read' | 'write'}`

/** All scopes. */
export const scopeNames: readonly Scope[] = [
  'read',
  'write',
  ...scopeGroups.flatMap((group): Scope[] => [`${group}:read`, `${group}:write`]),
]

const known = new Set<unknown>(scopeNames)

export const isScope = (value: unknown): value is Scope => known.has(value)

/** What an operation needs: a scope of its group; `all` is granted by the token of the installation or the host only. */
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
