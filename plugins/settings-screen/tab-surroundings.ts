// What some tabs show beside their settings: the tabs of the API, exports, fonts and colors, and the one with the size of uploads.
import type { SvcContext } from '../../src/app/context.ts'
import type { Toggle } from '../../src/core/groups.ts'
import { type Html, html } from '../../src/core/html.ts'
import { version } from '../../src/core/version.ts'
import { section } from '../../src/pages/html.ts'
import { MB } from '../../src/settings/master-profile.ts'
import { toggleKey, toggleNames } from '../../src/settings/toggles.ts'
import { tokenOf } from '../../src/settings/token.ts'
import { copied, labelled } from './controls.ts'

/** Content of a tab beside its settings, read again for each page. */
export interface Surroundings {
  /** Above the form. */
  before?: Html | undefined
  /** Below the control of a setting, by its key. */
  aside?: ReadonlyMap<string, Html>
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
        ? 'No token yet: the next request to the API generates one. Then reload this page.'
        : html`<a href="clear-token">Rotate token…</a>`
    }</p>
<p class="remark"><a href="named-tokens">Create tokens with limited rights…</a></p>`,
  )
  const before = html`
<section aria-labelledby="section-state" data-api="${site.restBase}" data-api-path="${site.restPath}">
<h2 id="section-state">This API</h2>
<dl>
<dt>Version</dt><dd>${version}</dd>
<dt>Base URL</dt><dd><code>${site.restBase}/svc/v1</code></dd>
<dt>OpenAPI document</dt><dd>${documentUrl ? html`<a href="${documentUrl}">${documentUrl}</a>` : ownDocument || 'not served by this app'}</dd>
</dl>
<p><button type="button" data-ask hidden>Test all routes</button></p>
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
