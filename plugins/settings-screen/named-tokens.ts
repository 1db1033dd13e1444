// The page of named tokens: lists them, creates one, and shows the new token once. `token-parts.ts` has what it shares with the page
// that rotates a token, `token-confirmations.ts` the pages that ask before a token is cleared or revoked.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { scopeGroups } from '../../src/core/scopes.ts'
import { timeIn } from '../../src/core/time-in.ts'
import { type Form, formOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { notice, postForm, section } from '../../src/pages/html.ts'
import type { NamedToken } from '../../src/settings/named-tokens.ts'
import { labelled } from './controls.ts'
import { titleOf } from './layout.ts'
import type { Screen } from './screen.ts'
import { expiredForm, newTokenSection, utcTime } from './token-parts.ts'
import { presetLinks, presetNamed } from './token-presets.ts'
import { usedForms } from './used-forms.ts'

/** The values of the form for a new token. */
interface TokenDraft {
  name: string
  scopes: readonly string[]
  /** A day as `2027-01-31`; empty for never. */
  expires: string
}

/** Labels by field name. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  scopes: 'What it may do',
  expires: 'Expires',
}

/** Days until a new token expires, unless the administrator enters another day. */
const defaultDays = 90

/** What the page shows beside the list of tokens. */
interface PageContent {
  /** Fills the form for a new token; an empty form by default. */
  draft?: TokenDraft
  /** The token that this request has created. No later page shows it. */
  newToken?: { name: string; token: string }
  feedback?: Html
  /** Why the token could not be created, by field. */
  problems?: Record<string, string>
}

/** Registers the page and the post of its form. */
export function namedTokenRoutes(screen: Screen): void {
  const { context } = screen
  const { namedTokens } = context
  const used = usedForms()

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    content: PageContent,
  ): Promise<FastifyReply> {
    const main = namedTokensPage(await namedTokens.list(), screen.formToken(request, reply), content)
    const title = content.problems ? 'Error: Named tokens' : 'Named tokens'
    return screen.send(reply, { title, heading: 'Named tokens', current: 'named-tokens', main })
  }

  screen.get('/named-tokens', async (request, reply) => {
    const isRevoked = queryValue(request, 'revoked') === '1'
    const preset = presetNamed(queryValue(request, 'preset'))
    return sendList(request, reply, {
      ...(isRevoked && { feedback: notice('done', 'The token was revoked.') }),
      ...(preset && { draft: { ...emptyDraft(), ...preset } }),
    })
  })

  screen.post('/named-tokens', async (request, reply) => {
    const form = formOf(request)
    const draft = draftIn(form)
    if (!screen.hasValidToken(request, form)) {
      reply.code(403)
      return sendList(request, reply, { draft, feedback: notice('problem', expiredForm) })
    }
    const once = valueIn(form, '_once')
    // A reload has sent the form again: its token exists already.
    if (used.has(once)) return reply.redirect('named-tokens', 303)
    try {
      const token = await screen.reported(request, () =>
        namedTokens.create({ ...draft, expiresAt: dayOf(draft.expires) }),
      )
      used.add(once)
      return await sendList(request, reply, {
        newToken: { name: draft.name, token },
        feedback: notice('done', 'The token was created.'),
      })
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'rest_invalid_param') throw error
      reply.code(400)
      // `invalidParams` has made the error, with a sentence for each field.
      const problems = membersOf(error.data.params) as Record<string, string>
      return sendList(request, reply, { draft, problems, feedback: notice('problem', reasons(problems)) })
    }
  })
}

function namedTokensPage(
  tokens: readonly NamedToken[],
  formToken: string,
  { draft = emptyDraft(), newToken, feedback, problems = {} }: PageContent,
): Html {
  const field = (id: string, text: string) => ({ id, label: labels[id], text, problem: problems[id] })
  const fields = [
    labelled(
      field('name', 'Shows in this list and in change events whose token it is: 1 to 64 ASCII characters.'),
      (attributes) =>
        html`<input type="text" id="name" name="name" value="${draft.name}" maxlength="64" required autocomplete="off" spellcheck="false" ${attributes}>`,
    ),
    labelled(
      { ...field('scopes', 'The right to change includes the right to read.'), isGroup: true },
      (attributes) => scopeBoxes(draft.scopes, attributes),
    ),
    labelled(
      field('expires', 'At the beginning of this day in UTC. Leave it empty for a token that never expires.'),
      (attributes) =>
        html`<input type="date" id="expires" name="expires" value="${draft.expires}" class="short" ${attributes}>`,
    ),
    html`<p><button class="main">Create token</button></p>`,
  ]
  const listed = html`
<p>Each token has only the rights that you choose. No named token can change secrets, the API token, or where files and mails go.</p>
${tokens.length === 0 ? html`<p>No named tokens yet.</p>` : html`<ul class="found">${tokens.map(tokenItem)}</ul>`}`
  const hidden = { _form: formToken, _once: randomUUID() }
  return html`
${feedback}
${newToken && newTokenSection(newToken)}
${section('section-tokens', 'Named tokens', listed)}
${section('section-new', 'New token', [presetLinks, postForm('named-tokens', hidden, fields)])}`
}

/** A token in the list, with links that rotate and revoke it. */
function tokenItem({ name, scopes, createdAt, expiresAt, isExpired, lastUsedAt }: NamedToken): Html {
  const expiry =
    expiresAt === undefined
      ? 'never expires'
      : html`${isExpired ? 'expired' : 'expires'} ${utcTime(expiresAt)}`
  return html`
<li><strong>${name}</strong> <code>${scopes.join(', ') || 'nothing'}</code>
<p class="remark">Made ${utcTime(createdAt)}, ${expiry}, ${lastUsedAt === undefined ? 'never used' : html`last used ${utcTime(lastUsedAt)}`}.</p>
<p class="buttons"><a href="rotate-token?name=${encodeURIComponent(name)}">Rotate <span class="unseen">${name}</span></a>
<a href="revoke-token?name=${encodeURIComponent(name)}">Revoke <span class="unseen">${name}</span></a></p></li>`
}

/** The rights of a scope, each with the heading of its column. */
const rights: [right: string, verb: string][] = [
  ['read', 'Read'],
  ['write', 'Change'],
]

/** A table of boxes: a row for each group, a column for each right. @param attributes that name the description and the problem */
function scopeBoxes(ticked: readonly string[], attributes: Html): Html {
  const cell = (scope: string, label: string) =>
    html`<td><label><input type="checkbox" name="scopes" value="${scope}"${ticked.includes(scope) && html` checked`}><span class="unseen"> ${label}</span></label></td>`
  const row = (name: string, scopeOf: (right: string) => string) =>
    html`<tr><th scope="row">${titleOf(name)}</th>${rights.map(([right, verb]) => cell(scopeOf(right), `${verb} ${name.replaceAll('_', ' ')}`))}</tr>`
  return html`<div class="boxes" id="scopes" tabindex="-1" role="group" aria-labelledby="scopes-label" ${attributes}>
<table>
<thead><tr><th scope="col"><span class="unseen">Group</span></th>${rights.map(([, verb]) => html`<th scope="col">${verb}</th>`)}</tr></thead>
<tbody>
${row('everything', (right) => right)}
${scopeGroups.map((group) => row(group, (right) => `${group}:${right}`))}
</tbody>
</table>
</div>`
}

/** Why no token was created, with links to the fields. */
const reasons = (problems: Readonly<Record<string, string>>) =>
  html`<p>No token was created. Please correct:</p><ul>${Object.entries(problems).map(
    ([field, problem]) => html`<li><a href="#${field}">${labels[field] ?? field} ${problem}.</a></li>`,
  )}</ul>`

const draftIn = (form: Form): TokenDraft => ({
  name: valueIn(form, 'name'),
  scopes: form.get('scopes') ?? [],
  expires: valueIn(form, 'expires').trim(),
})

const emptyDraft = (): TokenDraft => ({
  name: '',
  scopes: [],
  expires: new Date(Date.now() + defaultDays * 86_400_000).toISOString().slice(0, 10),
})

/** The beginning of the day as Unix seconds; undefined for an empty text, NaN if the text is not a day. */
function dayOf(text: string): number | undefined {
  if (text === '') return undefined
  return /^\d{4}-\d\d-\d\d$/.test(text) ? timeIn(text) / 1000 : Number.NaN
}
