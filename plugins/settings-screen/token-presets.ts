// Usual rights of a new token by the work of its user, each a link that fills in the form.
import { html } from '../../src/core/html.ts'
import type { Scope } from '../../src/core/scopes.ts'

interface Preset {
  label: string
  scopes: readonly Scope[]
}

/** By the value of the query parameter. The right to write includes the right to read. */
const presets: Readonly<Record<string, Preset>> = {
  reader: { label: 'Read only', scopes: ['read'] },
  editor: {
    label: 'Editor',
    scopes: [
      ...(['products:write', 'views:write', 'categories:write', 'design_categories:write'] as const),
      ...(['assets:write', 'fonts:write', 'text_templates:write', 'color_library:write'] as const),
    ],
  },
  'print-room': { label: 'Print room', scopes: ['read', 'orders:write', 'print_jobs:write'] },
  agent: { label: 'Agent', scopes: ['read', 'products:write', 'views:write', 'assets:write'] },
}

/** The name and scopes of a preset; undefined for any other name. */
export const presetNamed = (name: string): { name: string; scopes: readonly Scope[] } | undefined =>
  Object.hasOwn(presets, name) ? { name, scopes: presets[name]?.scopes ?? [] } : undefined

/** The links, one for each preset. */
export const presetLinks = html`<p>Fill in the form for: ${Object.entries(presets).map(
  ([name, { label }], index) =>
    html`${index > 0 && ', '}<a href="named-tokens?preset=${name}#section-new">${label}</a>`,
)}.</p>`
