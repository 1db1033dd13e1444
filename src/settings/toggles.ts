// The switches of the groups: which option enables and disables which group.
import { type Declaration, groups, type Toggle } from '../core/groups.ts'

/** Key of the option that switches a group. */
export const toggleKey = (name: string) => `svc_api_${name}_enabled`

/** The group whose switch turns a group off; undefined if it is always on. */
export function toggleOf({ name, toggle }: Pick<Declaration, 'name' | 'toggle'>): Toggle | undefined {
  if (!toggle) return undefined
  return ('of' in toggle ? toggle.of : name) as Toggle
}

/** Groups with a switch of their own. */
export const toggleNames = groups
  .filter((group) => toggleOf(group) === group.name)
  .map(({ name }) => name as Toggle)

/** Whether a stored switch is on: a missing row, `yes`, `1`, `true` and `on` mean enabled; anything else means disabled. */
export function isOn(stored: string | undefined): boolean {
  return stored === undefined || ['yes', '1', 'true', 'on'].includes(stored.trim().toLowerCase())
}
