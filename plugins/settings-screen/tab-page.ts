// A tab: one form over all its sections, and what the tabs of the API, exports, fonts and colors show beside their settings.
import type { SvcContext } from '../../src/app/context.ts'
import type { Toggle } from '../../src/core/groups.ts'
import { type Html, html } from '../../src/core/html.ts'
import { version } from '../../src/core/version.ts'
import { linkTo, notice, postForm, section } from '../../src/pages/html.ts'
import type { SettingsGroup } from '../../src/settings/catalog.ts'
import { MB } from '../../src/settings/master-profile.ts'
import { isObeyed } from '../../src/settings/obeyed.ts'
import { toggleKey, toggleNames } from '../../src/settings/toggles.ts'
import { tokenOf } from '../../src/settings/token.ts'
import { control, copied, type Entry, labelled, saveButton } from './controls.ts'
import { baseOf } from './saving.ts'

/** A tab as a request asked for it. */
export interface TabView {
  group: SettingsGroup
  entries: readonly Entry[]
  /** Tag of the stored state that the form was opened with. */
  state: string
  /** Token of the form. */
  formToken: string
  notice?: Html | undefined
}

/** Content of a tab beside its settings, read again for each page. */
export interface Surroundings {
  before?: Html | undefined
  /** By the key of a setting. */
  aside?: ReadonlyMap<string, Html>
}

/** The content of the page of a tab. */
export function tabPage(view: TabView, { before, aside }: Surroundings): Html {
  const { group, entries, state, formToken } = view
  const sections = sectionsOf(group, entries)
  const isFolded = entries.length > foldedFrom
  const drawn = sections.map(({ id, label, entries, isOpen }) => {
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
  { _form: formToken, _state: state, _base: baseOf(entries.map(({ field }) => field)) },
  [drawn, hasFields && saveButton],
  { look: 'settings' },
)}`
}

/** Which settings of the tab have an effect here; nothing if all have. */
function obeyedRemark(entries: readonly Entry[]): Html | undefined {
  const count = entries.filter(({ field }) => isObeyed(field.setting.id)).length
  if (count === entries.length) return undefined
  const others = 'stored for the designer, the PHP of the shop and your own code'
  if (count === 0)
    return html`<p class="remark">This API and its renderer obey none of these settings. They are ${others}.</p>`
  return html`<p class="remark"><span class="tag">Used here</span> marks what this API and its renderer obey. The other settings are ${others}.</p>`
}

/** Settings of a tab above which its sections are folded, and those with another value than the default come first. */
const foldedFrom = 40

interface DrawnSection {
  id: string
  label: string
  entries: Entry[]
  isOpen: boolean
}

/** The sections in the order of the page. Opened are those with something to look at. */
function sectionsOf({ sections }: SettingsGroup, entries: readonly Entry[]): DrawnSection[] {
  const byId = new Map(entries.map((entry) => [entry.field.setting.id, entry]))
  const isFolded = entries.length > foldedFrom
  const drawn = sections.map(({ sectionLabel, settings }, index) => {
    const sectionEntries = settings.flatMap(({ id }) => byId.get(id) ?? [])
    const drawnHere = isFolded ? sectionEntries.filter(({ field }) => !field.isChanged) : sectionEntries
    const isOpen = drawnHere.some(({ problem, sent }) => problem !== undefined || sent !== undefined)
    return { id: `section-${index}`, label: sectionLabel, entries: drawnHere, isOpen }
  })
  const changed = isFolded ? entries.filter(({ field }) => field.isChanged) : []
  return [
    { id: 'section-changed', label: 'Changed values', entries: [...changed], isOpen: true },
    ...drawn,
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
  const wrong = entries.filter(({ problem }) => problem !== undefined)
  if (wrong.length === 0) return undefined
  return notice(
    'problem',
    html`<p>Nothing was saved. Please correct:</p><ul>${wrong.map(
      ({ field, problem = '' }) =>
        html`<li><a href="#${field.setting.id}">${`${field.setting.label} ${problem}.`}</a></li>`,
    )}</ul>`,
  )
}

/** The state of the running API, the token, and which groups it currently serves. */
export async function apiSurroundings(context: SvcContext, documentUrl?: string): Promise<Surroundings> {
  const { access, options, groups, site } = context
  const [stored, { enabled }] = await Promise.all([options.get('svc_api_token'), access.read()])
  const token = tokenOf(stored)
  const ownDocument = groups.has('openapi') && html`<code>${site.restBase}/svc/v1/openapi.json</code>`
  const state = (name: Toggle) => {
    if (!groups.has(name)) return html`<span class="off">Not part of this app</span>`
    return enabled[name] ? html`<span class="on">Served</span>` : html`<span class="off">Switched off</span>`
  }
  const aside = new Map(
    toggleNames.map((name) => [
      toggleKey(name),
      html`<p class="remark">${state(name)} <output data-path="/svc/v1/${name.replaceAll('_', '-')}"></output></p>`,
    ]),
  )
  aside.set(
    'svc_api_token',
    html`${copied('svc_api_token', token ?? '')}
<p class="remark">${
      token === undefined
        ? 'There is none: the next request to the API generates one. Then load this page again.'
        : html`<a href="clear-token">Clear to rotate…</a>`
    }</p>
<p class="remark"><a href="named-tokens">Named tokens with limited rights…</a></p>`,
  )
  const before = html`
<section aria-labelledby="section-state" data-api="${site.restBase}" data-api-path="${site.restPath}">
<h2 id="section-state">This API</h2>
<dl>
<dt>Version</dt><dd>${version}</dd>
<dt>Base URL</dt><dd><code>${site.restBase}/svc/v1</code></dd>
<dt>OpenAPI document</dt><dd>${documentUrl ? html`<a href="${documentUrl}">${documentUrl}</a>` : ownDocument || 'not served by this app'}</dd>
</dl>
<p><button type="button" data-ask hidden>Ask every group of the API now</button></p>
</section>`
  return { before, aside }
}

/**
 * That the master print profile sets the size of uploads, and where that is changed.
 * @param profile its name @param referenceUrl of the API reference
 */
export function uploadPrecedence(bytes: number, profile: string, referenceUrl?: string): Html {
  const route = html`<code>PATCH /print-profiles/master</code>`
  const link = referenceUrl === undefined ? route : html`<a href="${referenceUrl}">${route}</a>`
  return html`The master print profile “${profile}” sets ${Number((bytes / MB).toFixed(2))} MB, which takes precedence. ${link} changes its <code>customImageParameters.maxSize</code>.`
}

/** Where fonts are uploaded. @param deskUrl undefined without a desk */
export const fontSurroundings = (deskUrl: string | undefined): Surroundings =>
  deskUrl === undefined
    ? {}
    : { before: html`<p><a href="${deskUrl.replace(/\/$/, '')}/fonts">Upload fonts on the desk</a></p>` }

/** Where the color library is edited. */
export const colorSurroundings: Surroundings = {
  before: html`<p><a href="edit-color-library">Open the color library</a></p>`,
}

/** The address to which the router reports finished files. */
export function exportSurroundings({ site, groups, renderer }: SvcContext): Surroundings {
  const url = `${site.restBase}/svc-export/v1.0/print_job/{print_job_id}`
  const text = html`Enter this URL in the cloud router. It calls it when a print-ready file was made, with the GUID of the print job in place of <code>{print_job_id}</code>.`
  const field = labelled({ id: 'print-ready-url', label: 'Print-ready URL', text }, () => [
    copied('print-ready-url', url),
    !groups.has('print_ready') && html`<p class="remark">This app does not serve it.</p>`,
  ])
  const before = html`${section('section-router', 'For the router', field)}
${renderer && html`<p><a href="edit-print-output">Color and marks of print files</a></p>`}`
  return { before }
}
