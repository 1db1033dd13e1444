// The page that replaces a named token: it asks how long the previous one still works, and shows the new one once.
import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { formOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { choices, notice, postForm, section } from '../../src/pages/html.ts'
import { isOverlap, type Overlap, type RotatedToken } from '../../src/settings/token-rotation.ts'
import { labelled } from './controls.ts'
import type { Screen } from './screen.ts'
import { expiredForm, newTokenSection, utcTime } from './token-parts.ts'
import { usedForms } from './used-forms.ts'

/** What may happen to the current token, as the page offers it. */
const overlapLabels: Readonly<Record<Overlap, string>> = {
  now: 'Stops now',
  '1h': 'Works for 1 more hour',
  '1d': 'Works for 1 more day',
  '7d': 'Works for 7 more days',
}

/** Registers the page and the post of its form. */
export function rotationRoutes(screen: Screen): void {
  const { namedTokens } = screen.context
  const used = usedForms()
  const send = (reply: FastifyReply, main: Html) =>
    screen.send(reply, { title: 'Rotate token', current: 'named-tokens', main })

  /** Sends the page that asks. @param problem why the previous form was refused */
  async function sendQuestion(request: FastifyRequest, reply: FastifyReply, name: string, problem?: string) {
    if (!(await namedTokens.list()).some((token) => token.name === name)) throw noToken()
    const form = { _form: screen.formToken(request, reply), _once: randomUUID(), name }
    return send(reply, html`${problem && notice('problem', problem)}${questionForm(name, form)}`)
  }

  screen.get('/rotate-token', (request, reply) => sendQuestion(request, reply, queryValue(request, 'name')))

  screen.post('/rotate-token', async (request, reply) => {
    const form = formOf(request)
    const [name, overlap, once] = [valueIn(form, 'name'), valueIn(form, 'overlap'), valueIn(form, '_once')]
    if (!screen.hasValidToken(request, form)) return sendQuestion(request, reply.code(403), name, expiredForm)
    if (!isOverlap(overlap))
      return sendQuestion(request, reply.code(400), name, 'Choose what happens to the current token.')
    // A reload has sent the form again: the token is rotated already.
    if (used.has(once)) return reply.redirect('named-tokens', 303)
    try {
      const rotated = await screen.reported(request, () => namedTokens.rotate(name, overlap))
      if (!rotated) throw noToken()
      used.add(once)
      return await send(reply, resultPage(name, rotated))
    } catch (error) {
      if (!(error instanceof SvcError) || ![400, 412].includes(error.statusCode)) throw error
      return sendQuestion(request, reply.code(error.statusCode), name, reasonOf(error))
    }
  })
}

/** Why the token was not rotated. Problems of parameters begin with a verb, so they get a subject. */
function reasonOf({ data, message }: SvcError): string {
  const problems = Object.values(membersOf(data.params))
  return problems.length > 0 ? `The new token ${problems.join(', ')}.` : message
}

const noToken = () => new SvcError('rest_no_route', { message: 'There is no such token.' })

/** @param form hidden fields */
const questionForm = (name: string, form: Readonly<Record<string, string>>) =>
  section('section-rotate', `Rotate “${name}”?`, [
    html`<p>Creates a new token with the same name, rights and lifetime. It is shown once and works immediately.</p>`,
    postForm('rotate-token', form, [
      labelled(
        {
          id: 'overlap',
          label: 'Current token',
          text: 'Give clients time to switch. Until it stops, the list shows it with “(replaced)” behind its name.',
        },
        (attributes) =>
          html`<select id="overlap" name="overlap" ${attributes}>${choices(overlapLabels, '1d')}</select>`,
      ),
      html`<p><button class="main">Rotate token</button> <a href="named-tokens">Cancel</a></p>`,
    ]),
  ])

/** The new token, and what has become of the previous one. */
const resultPage = (name: string, { token, previous }: RotatedToken) => html`
${notice('done', 'The token was rotated.')}
${newTokenSection({ name, token })}
<p>${
  previous
    ? html`The previous token is now called “${previous.name}”. It works until ${utcTime(previous.expiresAt)}.`
    : 'The previous token was revoked.'
} <a href="named-tokens">Back to the named tokens</a></p>`
