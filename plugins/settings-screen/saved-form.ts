// Forms with a page of their own: saved with the tag that they were opened with, or shown again with a sentence for everything wrong.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Precondition, preconditionOf } from '../../src/http/etag.ts'
import { hidden } from '../../src/http/schema.ts'
import { type Form, valueIn } from '../../src/pages/form-body.ts'
import { type Html, html } from '../../src/pages/html.ts'
import { notice } from '../../src/pages/parts.ts'
import { formOf, page, queryValue } from '../../src/pages/scope.ts'
import type { Screen } from './screen.ts'

/** Sends the page of a form, with the entries that could not be saved. */
export type Show<Entries> = (
  request: FastifyRequest,
  reply: FastifyReply,
  feedback: Html | undefined,
  sent?: Entries,
) => Promise<FastifyReply>

interface SavedForm<Entries> {
  /** Slug of the page. */
  slug: string
  read(form: Form): Entries
  show: Show<Entries>
  /** @param check throws if what is stored is no longer what the form was opened with */
  save(entries: Entries, check: Precondition): Promise<unknown>
  /** Said after it was saved. */
  saved?: string
  /** What is shown then, if not the same page. */
  next?: string
  expired?: string
  overtaken?: string
}

/** The page of a form, and the post that saves it. */
export function savedForm<Entries>(
  app: FastifyInstance,
  screen: Screen,
  {
    slug,
    read,
    show,
    save,
    saved = '',
    next = `${slug}?saved=1`,
    expired = 'This form was opened too long ago, or by somebody else. Nothing was saved: please save again.',
    overtaken = 'Somebody else has changed this since you opened it. Your entries are below: saving again overwrites.',
  }: SavedForm<Entries>,
): void {
  app.get(`/${slug}`, {
    schema: hidden,
    handler: page((request, reply) => {
      const isSaved = queryValue(request, 'saved') === '1'
      return show(request, reply, isSaved ? notice('done', saved) : undefined)
    }),
  })

  app.post(`/${slug}`, {
    schema: hidden,
    bodyLimit: screen.context.bodyLimits.json,
    handler: page(async (request, reply) => {
      const form = formOf(request)
      const entries = read(form)
      const refuse = (status: number, words: Html | string) =>
        show(request, reply.code(status), notice('problem', words), entries)
      if (!screen.isOurs(request, form)) return refuse(403, expired)
      try {
        const check = preconditionOf(`"${valueIn(form, '_state')}"`)
        await screen.reported(request, () => save(entries, check))
      } catch (error) {
        if (!(error instanceof SvcError) || error.statusCode >= 500) throw error
        if (error.code === 'svc_precondition_failed') return refuse(412, overtaken)
        const errors = error.errors ?? []
        const list = errors.length > 0 && html`<ul>${errors.map((each) => html`<li>${each}</li>`)}</ul>`
        return refuse(400, html`<p>Nothing was saved. ${error.message}</p>${list}`)
      }
      return reply.redirect(next, 303)
    }),
  })
}
