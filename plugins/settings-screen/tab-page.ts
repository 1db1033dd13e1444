// The page of a tab: one form over all its sections.
import { type Html, html } from '../../src/core/html.ts'
import { linkTo, notice, postForm, section } from '../../src/pages/html.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { isObeyed } from '../../src/settings/obeyed.ts'
import { control, type Entry, saveButton } from './controls.ts'
import { baseOf } from './saving.ts'
import type { Surroundings } from './tab-surroundings.ts'

/** What the page of a tab shows. */
export interface TabView {
  group: SettingsGroup
  entries: readonly Entry[]
  /** Tag of the stored values beside which the entries are shown; the form sends it back. */
  state: string
  /** Token of the form. */
  formToken: string
  notice?: Html | undefined
}

/** The content of the page of a tab. */
export function tabPage(view: TabView, { before, aside }: Surroundings): Html {
  const { group, entries, state, formToken } = view
  const sections = sectionsOf(group, entries)
  const isFolded = entries.length > foldedFrom
  const sectionParts = sections.map(({ id, label, entries, isOpen }) => {
    const fields = entries.map((entry) => control({ ...entry, aside: aside?.get(entry.field.setting.id) }))
    return isFolded ? fold(id, label, fields, isOpen) : section(id, label, fields)
  })
  const hasFields = entries.some(({ field }) => field.kind !== 'fixed' && field.kind !== 'token')
  return html`
${view.notice}
${problemList(entries)}
${!isFolded && jumpList(sections)}
${obeyedRemark(entries)}
${before}
${postForm(
  linkTo(group.tab),
  // For saving.ts: `_state` shows whether another user has saved the tab since, `_base` which fields this user has changed.
  { _form: formToken, _state: state, _base: baseOf(entries.map(({ field }) => field)) },
  [sectionParts, hasFields && saveButton],
  { className: 'settings' },
)}`
}

/** Which settings of the tab have an effect here; nothing if all have. */
function obeyedRemark(entries: readonly Entry[]): Html | undefined {
  const count = entries.filter(({ field }) => isObeyed(field.setting.id)).length
  if (count === entries.length) return undefined
  const purpose = 'stored for the designer, the PHP of the shop and your own code'
  if (count === 0)
    return html`<p class="remark">None of these settings takes effect in this API or its renderer. They are ${purpose}.</p>`
  return html`<p class="remark">Settings marked <span class="tag">Used here</span> take effect in this API and its renderer. The others are ${purpose}.</p>`
}

/** A tab with more settings than this folds its sections, and lists first the settings whose values differ from the default. */
const foldedFrom = 40

interface DrawnSection {
  id: string
  label: string
  entries: Entry[]
  isOpen: boolean
}

/** The sections in the order of the page. In a folded tab those are open that have changed values, problems or unsaved entries. */
function sectionsOf(group: SettingsGroup, entries: readonly Entry[]): DrawnSection[] {
  const byId = new Map(entries.map((entry) => [entry.field.setting.id, entry]))
  const isFolded = entries.length > foldedFrom
  const catalogSections = group.sections.map(({ sectionLabel, settings }, index) => {
    const allEntries = settings.flatMap(({ id }) => byId.get(id) ?? [])
    const sectionEntries = isFolded ? allEntries.filter(({ field }) => !field.isChanged) : allEntries
    const isOpen = sectionEntries.some(({ problem, sent }) => problem !== undefined || sent !== undefined)
    return { id: `section-${index}`, label: sectionLabel, entries: sectionEntries, isOpen }
  })
  const changed = isFolded ? entries.filter(({ field }) => field.isChanged) : []
  return [
    { id: 'section-changed', label: 'Changed values', entries: [...changed], isOpen: true },
    ...catalogSections,
  ].filter(({ entries }) => entries.length > 0)
}

/** A section that opens on a click. Browsers open it for links to what is inside, such as those of the search. */
const fold = (id: string, label: string, fields: readonly Html[], isOpen: boolean): Html => html`
<details class="fold"${isOpen && html` open`}><summary><h2>${label}</h2> <span class="place">${fields.length}</span></summary>
<div id="${id}">${fields}</div></details>`

/** Links to the sections, where there are several. */
function jumpList(sections: readonly DrawnSection[]): Html | undefined {
  if (sections.length < 2) return undefined
  return html`<nav class="jump" aria-label="Sections of this page"><ul>${sections.map(
    ({ id, label, entries }) =>
      html`<li><a href="#${id}">${label}</a> <span class="place">${entries.length}</span></li>`,
  )}</ul></nav>`
}

/** The fields that could not be saved, with links to them; undefined if there are none. */
function problemList(entries: readonly Entry[]): Html | undefined {
  const refused = entries.filter(({ problem }) => problem !== undefined)
  if (refused.length === 0) return undefined
  return notice(
    'problem',
    html`<p>Nothing was saved. Please correct:</p><ul>${refused.map(
      ({ field, problem = '' }) =>
        html`<li><a href="#${field.setting.id}">${`${field.setting.label} ${problem}.`}</a></li>`,
    )}</ul>`,
  )
}
