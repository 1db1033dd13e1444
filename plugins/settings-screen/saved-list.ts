// Saving what has a page of its own: with the tag that the form was opened with, and a sentence for everything wrong.
import type { FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { preconditionOf } from '../../src/http/etag.ts'
import { type Form, valueIn } from '../../src/pages/form-body.ts'
import { notice } from '../../src/pages/frame.ts'
import { type Html, html } from '../../src/pages/html.ts'
import type { Screen } from './screen.ts'

const overtaken =
  'Somebody else has changed this since you opened it. Your entries are below: saving again overwrites.'
const expired =
  'This form was opened too long ago, or by somebody else. Nothing was saved: please save again.'

/** A form that comes back, with what was wrong. */
interface Refused {
  status: number
  feedback: Html
}

/** Saves the form; undefined once it is saved. @throws what is no refusal of the entries */
export async function refusal(
  screen: Screen,
  request: FastifyRequest,
  form: Form,
  save: (check: (state: string) => void) => Promise<unknown>,
): Promise<Refused | undefined> {
  if (!screen.isOurs(request, form)) return { status: 403, feedback: notice('problem', expired) }
  try {
    const check = preconditionOf(`"${valueIn(form, '_state')}"`)
    await screen.reported(request, () => save(check))
    return undefined
  } catch (error) {
    if (!(error instanceof SvcError) || error.statusCode >= 500) throw error
    if (error.code === 'svc_precondition_failed')
      return { status: 412, feedback: notice('problem', overtaken) }
    const errors = error.errors ?? []
    const list = errors.length > 0 && html`<ul>${errors.map((each) => html`<li>${each}</li>`)}</ul>`
    return {
      status: 400,
      feedback: notice('problem', html`<p>Nothing was saved. ${error.message}</p>${list}`),
    }
  }
}
