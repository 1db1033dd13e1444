// Pages that list named tokens, create one, and show the new token once; and pages that confirm that a token is cleared or revoked.
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html, timeOf } from '../../src/core/html.ts'
import { scopeGroups } from '../../src/core/scopes.ts'
import { timeIn } from '../../src/core/time-in.ts'
import { hidden } from '../../src/http/schema.ts'
import { notice, postForm, section } from '../../src/pages/html.ts'
import { type Form, formOf, page, queryValue, valueIn } from '../../src/pages/scope.ts'
import type { NamedToken } from '../../src/settings/named-tokens.ts'
import { tokenKey } from '../../src/settings/token.ts'
import { copied, labelled } from './controls.ts'
import { titleOf } from './layout.ts'
import { type Screen, savedForm } from './screen.ts'
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

export const expired =
  'This form was opened too long ago, or by another user. Nothing was changed: please send it again.'

/** Days until a new token expires, unless the administrator says otherwise. */
const usualDays = 90

interface Shown {
  draft?: TokenDraft
  /** The token that was made by this request, which is shown this once. */
  made?: { name: string; token: string }
  feedback?: Html
  /** Why the draft could not be used, by field. */
  problems?: Record<string, string>
}

export function namedTokenRoutes(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { namedTokens } = context
  const used = usedForms()

  async function sendList(request: FastifyRequest, reply: FastifyReply, shown: Shown): Promise<FastifyReply> {
    const main = namedTokensPage(await namedTokens.list(), screen.formToken(request, reply), shown)
    const title = shown.problems ? 'Error: Named tokens' : 'Named tokens'
    return screen.send(reply, { title, heading: 'Named tokens', current: 'named-tokens', main })
  }

  app.get('/named-tokens', {
    schema: hidden,
    handler: page(async (request, reply) => {
      const isRevoked = queryValue(request, 'revoked') === '1'
      const preset = presetNamed(queryValue(request, 'preset'))
      return sendList(request, reply, {
        ...(isRevoked && { feedback: notice('done', 'The token was revoked.') }),
        ...(preset && { draft: { ...emptyDraft(), ...preset } }),
      })
    }),
  })

  app.post('/named-tokens', {
    schema: hidden,
    bodyLimit: context.bodyLimits.json,
    handler: page(async (request, reply) => {
      const form = formOf(request)
      const draft = draftIn(form)
      if (!screen.isOurs(request, form)) {
        reply.code(403)
        return sendList(request, reply, { draft, feedback: notice('problem', expired) })
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
          made: { name: draft.name, token },
          feedback: notice('done', 'The token was created.'),
        })
      } catch (error) {
        if (!(error instanceof SvcError) || error.code !== 'rest_invalid_param') throw error
        reply.code(400)
        const problems = Object(error.data.params) as Record<string, string>
        return sendList(request, reply, { draft, problems, feedback: notice('problem', reasons(problems)) })
      }
    }),
  })
}

function namedTokensPage(
  tokens: readonly NamedToken[],
  formToken: string,
  { draft = emptyDraft(), made, feedback, problems = {} }: Shown,
): Html {
  const of = (id: string, text: string) => ({ id, label: labels[id], text, problem: problems[id] })
  const fields = [
    labelled(
      of('name', 'Tells whose token it is, here and in change events: 1 to 64 ASCII characters.'),
      (about) =>
        html`<input type="text" id="name" name="name" value="${draft.name}" maxlength="64" required autocomplete="off" spellcheck="false" ${about}>`,
    ),
    labelled({ ...of('scopes', 'The right to change includes the right to read.'), isGroup: true }, (about) =>
      scopeBoxes(draft.scopes, about),
    ),
    labelled(
      of('expires', 'At the beginning of this day in UTC. Leave it empty for a token that never expires.'),
      (about) =>
        html`<input type="date" id="expires" name="expires" value="${draft.expires}" class="short" ${about}>`,
    ),
    html`<p><button class="main">Create token</button></p>`,
  ]
  const listed = html`
<p>Each may do what it was made for, and no more. No token of these changes secrets, the API token or where files and mails go.</p>
${tokens.length === 0 ? html`<p>No named tokens yet.</p>` : html`<ul class="found">${tokens.map(item)}</ul>`}`
  const hidden = { _form: formToken, _once: randomUUID() }
  return html`
${feedback}
${made && madeSection(made)}
${section('section-tokens', 'Named tokens', listed)}
${section('section-new', 'New token', [presetLinks, postForm('named-tokens', hidden, fields)])}`
}

export const madeSection = ({ name, token }: { name: string; token: string }) =>
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
<p><a href="rotate-token?name=${encodeURIComponent(name)}">Rotate <span class="unseen">${name}</span></a>
<a href="revoke-token?name=${encodeURIComponent(name)}">Revoke <span class="unseen">${name}</span></a></p></li>`
}

export const time = (seconds: number) => html`${timeOf(new Date(seconds * 1000).toISOString())} UTC`

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
${scopeGroups.map((group) => row(group, (right) => `${group}:${right}`))}
</tbody>
</table>
</div>`
}

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
  expires: new Date(Date.now() + usualDays * 86_400_000).toISOString().slice(0, 10),
})

/** The day as Unix seconds; NaN if the text is not a day. */
function dayOf(text: string): number | undefined {
  if (text === '') return undefined
  return /^\d{4}-\d\d-\d\d$/.test(text) ? timeIn(text) / 1000 : Number.NaN
}

export function tokenPages(app: FastifyInstance, screen: Screen): void {
  const { context, settings } = screen
  const { namedTokens } = context

  savedForm(app, screen, {
    slug: 'clear-token',
    read: () => undefined,
    async show(request, reply, feedback) {
      const group = context.catalog.group('api')
      // The state of the tab, so that a form clears only the token that its page showed.
      const _state = group ? (await settings.group(group)).state : ''
      const warning = html`<p>The token is refused from now on, everywhere within one second. The next request to the API, which still fails, generates a
new one. It is shown in the API tab then. Clients that hold the old one must be updated.</p>`
      const button = html`<p><button class="danger">Clear the token</button> <a href="api">Keep it</a></p>`
      const form = postForm('clear-token', { _form: screen.formToken(request, reply), _state }, button)
      const main = html`${feedback}${section('section-clear', 'Every client needs the new token', [warning, form])}`
      return screen.send(reply, { title: 'Clear the API token', current: 'api', main })
    },
    save: (_none, precondition) => settings.save({ [tokenKey]: '' }, { precondition }),
    next: 'api?saved=1',
    expired: 'This form was opened too long ago, or by another user. Please confirm again.',
    overtaken: 'Another user has changed settings of the API since you opened this page.',
  })

  savedForm(app, screen, {
    slug: 'revoke-token',
    read: (form) => valueIn(form, 'name'),
    async show(request, reply, feedback, sent) {
      const name = sent ?? queryValue(request, 'name')
      const isKnown = (await namedTokens.list()).some((token) => token.name === name)
      if (!isKnown && sent === undefined)
        throw new SvcError('rest_no_route', { message: 'There is no such token.' })
      const warning = html`<p>The token is refused from now on, everywhere within one second. It cannot be brought back.</p>`
      const button = html`<p><button class="danger">Revoke the token</button> <a href="named-tokens">Keep it</a></p>`
      const form = postForm('revoke-token', { _form: screen.formToken(request, reply), name }, button)
      const main = html`${feedback}${section('section-revoke', `Revoke “${name}”?`, [warning, form])}`
      return screen.send(reply, { title: 'Revoke a token', current: 'named-tokens', main })
    },
    // If another user was faster, the token is revoked in any case.
    save: (name) => namedTokens.revoke(name),
    next: 'named-tokens?revoked=1',
    expired,
  })
}
