// Named tokens: which there are, a form for a new one, and the new one itself.

import { randomUUID } from 'node:crypto'
import { scopeGroups } from '../../src/core/scopes.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { postForm, section, timeOf } from '../../src/pages/parts.ts'
import type { NamedToken } from '../../src/settings/named-tokens.ts'
import { copied, labelled } from './controls.ts'
import { titleOf } from './layout.ts'

/** What was entered for a new token. */
export interface TokenDraft {
  name: string
  scopes: readonly string[]
  /** A day as `2027-01-31`; empty for never. */
  expires: string
}

/** Of the fields. */
export const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  scopes: 'What it may do',
  expires: 'Expires',
}

interface View {
  tokens: readonly NamedToken[]
  draft: TokenDraft
  formToken: string
  /** The token that was made by this request, which is shown this once. */
  made?: { name: string; token: string } | undefined
  notice?: Html | undefined
  /** Why the draft could not be used, by field. */
  problems: Readonly<Record<string, string>>
}

export function namedTokensPage({ tokens, draft, formToken, made, notice, problems }: View): Html {
  const of = (id: string, text: string) => ({ id, label: labels[id], text, problem: problems[id] })
  const fields = [
    labelled(
      of('name', 'Tells whose token it is, here and in change events: 1 to 64 ASCII characters.'),
      (about) =>
        html`<input type="text" id="name" name="name" value="${draft.name}" maxlength="64" required autocomplete="off" spellcheck="false" ${about}>`,
    ),
    labelled({ ...of('scopes', 'Whoever may change may also read.'), isGroup: true }, (about) =>
      scopeBoxes(draft.scopes, about),
    ),
    labelled(
      of('expires', 'At the beginning of this day in UTC. Leave it empty for a token that never expires.'),
      (about) =>
        html`<input type="date" id="expires" name="expires" value="${draft.expires}" class="short" ${about}>`,
    ),
    html`<p><button class="main">Make the token</button></p>`,
  ]
  const known = html`
<p>Each may do what it was made for, and no more. No token of these changes secrets, the API token or where files and mails go.</p>
${tokens.length === 0 ? html`<p>There are none.</p>` : html`<ul class="found">${tokens.map(item)}</ul>`}`
  const hidden = { _form: formToken, _once: randomUUID() }
  return html`
${notice}
${made && madeSection(made)}
${section('section-tokens', 'Named tokens', known)}
${section('section-new', 'New token', postForm('named-tokens', hidden, fields))}`
}

const madeSection = ({ name, token }: { name: string; token: string }) =>
  section('section-made', `The token “${name}”`, [
    html`<p><label for="made">Copy it now: it is shown this once, and only its hash is stored.</label></p>`,
    copied('made', token),
  ])

function item({ name, scopes, createdAt, expiresAt, lastUsedAt }: NamedToken): Html {
  const isOver = expiresAt !== undefined && expiresAt <= Date.now() / 1000
  const expiry =
    expiresAt === undefined ? 'never expires' : html`${isOver ? 'expired' : 'expires'} ${time(expiresAt)}`
  return html`
<li><strong>${name}</strong> <code>${scopes.join(', ') || 'nothing'}</code>
<p class="remark">Made ${time(createdAt)}, ${expiry}, ${lastUsedAt === undefined ? 'never used' : html`last used ${time(lastUsedAt)}`}.</p>
<p><a href="revoke-token?name=${encodeURIComponent(name)}">Revoke <span class="unseen">${name}</span></a></p></li>`
}

const time = (seconds: number) => html`${timeOf(new Date(seconds * 1000).toISOString())} UTC`

const rights: [right: string, verb: string][] = [
  ['read', 'Read'],
  ['write', 'Change'],
]

function scopeBoxes(ticked: readonly string[], about: Html): Html {
  const cell = (scope: string, label: string) =>
    html`<td><label><input type="checkbox" name="scopes" value="${scope}"${ticked.includes(scope) && html` checked`}><span class="unseen"> ${label}</span></label></td>`
  const row = (name: string, scopeOf: (right: string) => string) =>
    html`<tr><th scope="row">${titleOf(name)}</th>${rights.map(([right, verb]) => cell(scopeOf(right), `${verb} ${name.replaceAll('_', ' ')}`))}</tr>`
  return html`<div class="boxes" id="scopes" tabindex="-1" role="group" aria-labelledby="scopes-label" ${about}>
<table>
<thead><tr><th scope="col"><span class="unseen">Group</span></th>${rights.map(([, verb]) => html`<th scope="col">${verb}</th>`)}</tr></thead>
<tbody>
${row('everything', (right) => right)}
${scopeGroups().map((group) => row(group, (right) => `${group}:${right}`))}
</tbody>
</table>
</div>`
}
