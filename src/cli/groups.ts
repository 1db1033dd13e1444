// The groups of this API, for commands that know scopes, toggles or events. Others start without them.

/** Lets the groups declare themselves. */
export const loadGroups = () => import('../../plugins/groups.ts')
