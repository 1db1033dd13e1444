// Settings tab `api`: the token of this API and which groups it serves.
import { groups } from '../../core/groups.ts'
import { checkbox, section, tab, text } from '../kinds.ts'
import type { SettingFacts } from '../setting.ts'
import { toggleKey, toggleNames, toggleOf } from '../toggles.ts'

export const api = tab('api', [
  section('token', 'API Token', [
    text('svc_api_token', 'API Token', '', { secret: true, readOnly: true }).says(
      'Token that every request to the API carries; clearing it makes a new one. The API never gives it out.',
    ),
  ]),
  section('enabled-controllers', 'Enabled Controllers', toggleNames.map(toggleSetting)),
])

function toggleSetting(name: string): SettingFacts {
  const served = groups.filter((group) => toggleOf(group) === name)
  const label = served.flatMap(({ toggle }) => (toggle && 'label' in toggle ? toggle.label : []))[0] ?? name
  return checkbox(toggleKey(name), label, true).says(
    `Serves ${served.map(({ path }) => path).join(' and ')}; when off, its routes respond with 404, as if they did not exist.`,
  )
}
