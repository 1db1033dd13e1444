// The page that lists named tokens and makes them.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { timeIn } from '../../src/core/time-in.ts'
import { hidden } from '../../src/http/schema.ts'
import { type Form, valueIn } from '../../src/pages/form-body.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { notice } from '../../src/pages/parts.ts'
import { formOf, page, queryValue } from '../../src/pages/scope.ts'
import { labels, namedTokensPage, type TokenDraft } from './named-tokens-page.ts'
import type { Screen } from './screen.ts'

const expired =
  'This form was opened too long ago, or by somebody else. Nothing was changed: please send it again.'

/** Days until a new token expires, unless the administrator says otherwise. */
const usualDays = 90

interface Shown {
  draft?: TokenDraft
  made?: { name: string; token: string }
  feedback?: Html | undefined
  problems?: Record<string, string>
}

export function namedTokenRoutes(app: FastifyInstance, screen: Screen): void {
  const { context } = screen
  const { namedTokens } = context
  const used = new Set<string>()

  async function sendList(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: Shown = {},
  ): Promise<FastifyReply> {
    const { draft = emptyDraft(), made, feedback, problems = {} } = shown
    const tokens = await namedTokens.list()
    const formToken = screen.formToken(request, reply)
    const main = namedTokensPage({ tokens, draft, formToken, made, notice: feedback, problems })
    const title = Object.keys(problems).length > 0 ? 'Error: Named tokens' : 'Named tokens'
    return screen.send(reply, { title, heading: 'Named tokens', current: 'named-tokens', main })
  }

  app.get('/named-tokens', {
    schema: hidden,
    handler: page(async (request, reply) => {
      const isRevoked = queryValue(request, 'revoked') === '1'
      return sendList(request, reply, isRevoked ? { feedback: notice('done', 'The token was revoked.') } : {})
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
      // The same form again, by a reload of its page: the token that it made is there already.
      if (used.has(once)) return reply.redirect('named-tokens', 303)
      try {
        const token = await screen.reported(request, () =>
          namedTokens.create({ ...draft, expiresAt: dayOf(draft.expires) }),
        )
        remember(used, once)
        return await sendList(request, reply, {
          made: { name: draft.name, token },
          feedback: notice('done', 'The token was made.'),
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

/** How many forms are remembered. */
const maxUsed = 1000

function remember(used: Set<string>, once: string): void {
  const [oldest] = used
  if (oldest !== undefined && used.size >= maxUsed) used.delete(oldest)
  used.add(once)
}

const reasons = (problems: Readonly<Record<string, string>>) =>
  html`<p>No token was made. Please correct:</p><ul>${Object.entries(problems).map(
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

/** Unix seconds; NaN for what is no day. */
function dayOf(text: string): number | undefined {
  if (text === '') return undefined
  return /^\d{4}-\d\d-\d\d$/.test(text) ? timeIn(text) / 1000 : Number.NaN
}
