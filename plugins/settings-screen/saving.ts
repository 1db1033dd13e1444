// Saves the form of a tab: the fields that the user changed, all or none. None if another user changed the tab meanwhile, or a value is
// invalid.
import { SvcError } from '../../src/core/errors.ts'
import { preconditionOf } from '../../src/http/etag.ts'
import { type Form, valueIn } from '../../src/pages/form.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import type { GroupValues, settingsRepository } from '../../src/settings/stored-settings.ts'
import type { Entry } from './controls.ts'
import { digestOf, type Field, fieldsOf } from './fields.ts'
import { parsedValue, problemIn, sentFor } from './sent-values.ts'

type Settings = ReturnType<typeof settingsRepository>

/** The result of a save. With `entries` nothing was saved, and the form is shown again with them beside the values of `state`. */
export type Outcome =
  | { kind: 'saved'; keys: string[] }
  | { kind: 'overlapped' | 'refused'; entries: Entry[]; state: string; message?: string }

/** The hidden field `_base`: a digest of the stored value of each field, by which `entriesOf` later finds what was changed. */
export const baseOf = (fields: readonly Field[]): string =>
  fields.map(({ setting, storedText }) => `${setting.id}=${digestOf(storedText)}`).join(' ')

/** Saves the touched fields of a form, all or none. @throws SvcError for a failure that is not about the entries */
export async function saveForm(settings: Settings, group: SettingsGroup, form: Form): Promise<Outcome> {
  const values = await settings.group(group)
  const state = valueIn(form, '_state')
  const entries = entriesOf(group, values, form)
  const touched = entries.filter(isTouched)
  if (touched.length === 0) return { kind: 'saved', keys: [] }
  const broken = entries.map((entry) => ({
    ...entry,
    problem: isTouched(entry) ? brokenIn(entry) : undefined,
  }))
  if (broken.some(({ problem }) => problem !== undefined)) return { kind: 'refused', entries: broken, state }
  if (state !== values.state) return { kind: 'overlapped', entries, state: values.state }
  const patch = Object.fromEntries(
    touched.map(({ field, sent = '' }) => [field.setting.id, parsedValue(field, sent)]),
  )
  try {
    await settings.save(patch, { precondition: preconditionOf(`"${state}"`) })
    return { kind: 'saved', keys: Object.keys(patch) }
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    if (error.code === 'svc_precondition_failed') {
      const now = await settings.group(group)
      return { kind: 'overlapped', entries: entriesOf(group, now, form), state: now.state }
    }
    const problems = error.code === 'rest_invalid_param' ? error.data.params : undefined
    if (!problems) throw error
    const byId = new Map(Object.entries(problems as Record<string, string>))
    const refused = entries.map((entry) => ({ ...entry, problem: byId.get(entry.field.setting.id) }))
    // Problems without a field of the form must still be shown.
    const isNamed = refused.some(({ problem }) => problem !== undefined)
    return { kind: 'refused', entries: refused, state, ...(!isNamed && { message: error.message }) }
  }
}

/** The form as it was sent, next to the stored values; untouched fields show the stored value. */
export function entriesOf(group: SettingsGroup, values: GroupValues, form: Form): Entry[] {
  const base = new Map(
    valueIn(form, '_base')
      .split(' ')
      .map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.slice(pair.lastIndexOf('=') + 1)]),
  )
  const removed = new Set(form.get('_remove'))
  return fieldsOf(group, values).map((field) => {
    const { id } = field.setting
    const sent = sentFor(field, form.get(id))
    const opened = base.get(id) ?? digestOf(field.storedText)
    const isRemoved = field.kind === 'secret' && removed.has(id)
    if (sent === undefined || (digestOf(sent) === opened && !isRemoved)) return { field }
    return { field, sent, removed: isRemoved, isOverlapped: digestOf(field.storedText) !== opened }
  })
}

/** An entry equal to the stored value is not saved. A removed secret is an empty one, which differs from the shown value. */
const isTouched = ({ field, sent, removed = false }: Entry) =>
  sent !== undefined && (removed || sent !== field.storedText || field.isUnreadable)

const brokenIn = ({ field, sent = '' }: Entry) => (sent === '' ? undefined : problemIn(field, sent))
