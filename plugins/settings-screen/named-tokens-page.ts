// Named tokens: which there are, a form for a new one, the new one itself, and the question before one is revoked.

import { randomUUID } from 'node:crypto'
import { scopeGroups } from '../../src/core/scopes.ts'
import { type Html, html } from '../../src/pages/html.ts'
import type { NamedToken } from '../../src/settings/named-tokens.ts'
import { copied } from './controls.ts'
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
  return html`
${notice}
${made && madeSection(made)}
<section aria-labelledby="section-tokens">
<h2 id="section-tokens">Named tokens</h2>
<p>Each may do what it was made for, and no more. No token of these changes secrets, the API token or where files and mails go.</p>
${tokens.length === 0 ? html`<p>There are none.</p>` : html`<ul class="found">${tokens.map(item)}</ul>`}
</section>
<section aria-labelledby="section-new">
<h2 id="section-new">New token</h2>
<form method="post" action="named-tokens" accept-charset="utf-8">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="_once" value="${randomUUID()}">
${field('name', 'Tells whose token it is, here and in change events: 1 to 64 ASCII characters.', problems, (about) => html`<input type="text" id="name" name="name" value="${draft.name}" maxlength="64" required autocomplete="off" spellcheck="false" ${about}>`)}
${field('scopes', 'Whoever may change may also read.', problems, (about) => scopeBoxes(draft.scopes, about))}
${field('expires', 'At the beginning of this day in UTC. Leave it empty for a token that never expires.', problems, (about) => html`<input type="date" id="expires" name="expires" value="${draft.expires}" class="short" ${about}>`)}
<p><button class="main">Make the token</button></p>
</form>
</section>`
}

const madeSection = ({ name, token }: { name: string; token: string }) => html`
<section aria-labelledby="section-made">
<h2 id="section-made">The token “${name}”</h2>
<p><label for="made">Copy it now: it is shown this once, and only its hash is stored.</label></p>
${copied('made', token)}
</section>`

function item({ name, scopes, createdAt, expiresAt, lastUsedAt }: NamedToken): Html {
  const isOver = expiresAt !== undefined && expiresAt <= Date.now() / 1000
  const expiry =
    expiresAt === undefined ? 'never expires' : html`${isOver ? 'expired' : 'expires'} ${time(expiresAt)}`
  return html`
<li><strong>${name}</strong> <code>${scopes.join(', ') || 'nothing'}</code>
<p class="remark">Made ${time(createdAt)}, ${expiry}, ${lastUsedAt === undefined ? 'never used' : html`last used ${time(lastUsedAt)}`}.</p>
<p><a href="revoke-token?name=${encodeURIComponent(name)}">Revoke <span class="unseen">${name}</span></a></p></li>`
}

function time(seconds: number): Html {
  const iso = new Date(seconds * 1000).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

function field(
  id: string,
  hint: string,
  problems: Readonly<Record<string, string>>,
  control: (about: Html) => Html,
): Html {
  const [problem, label] = [problems[id], labels[id]]
  const about = html`aria-describedby="${id}-hint${problem !== undefined && ` ${id}-problem`}"${problem !== undefined && html` aria-invalid="true"`}`
  return html`<div class="field"><div class="about"><p class="name">${
    id === 'scopes'
      ? html`<span id="scopes-label">${label}</span>`
      : html`<label for="${id}">${label}</label>`
  }</p><p id="${id}-hint">${hint}</p></div>
<div class="control">${control(about)}${problem !== undefined && html`<p class="problem" id="${id}-problem">${label} ${problem}.</p>`}</div></div>`
}

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

/** @param name of the token that is to be revoked */
export function revokePage(name: string, formToken: string, notice?: Html): Html {
  return html`
${notice}
<section aria-labelledby="section-revoke">
<h2 id="section-revoke">Revoke “${name}”?</h2>
<p>The token is refused from now on, everywhere within one second. It cannot be brought back.</p>
<form method="post" action="revoke-token" class="confirm" accept-charset="utf-8">
<input type="hidden" name="_form" value="${formToken}">
<input type="hidden" name="name" value="${name}">
<p><button class="danger">Revoke the token</button> <a href="named-tokens">Keep it</a></p>
</form>
</section>`
}
