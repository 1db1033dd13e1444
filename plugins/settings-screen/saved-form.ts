// Forms that have a page to themselves, unlike those of the tabs: GET shows the form, POST saves all entries or shows them again with
// the reason why none was saved.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { type Precondition, preconditionOf } from '../../src/http/etag.ts'
import { type Form, formOf, queryValue, valueIn } from '../../src/pages/form.ts'
import { notice } from '../../src/pages/html.ts'
import type { Screen } from './screen.ts'

/** Sends the page of a form, for both routes. @param sent the entries that could not be saved; undefined to show what is stored */
export type Show<Entries> = (
  request: FastifyRequest,
  reply: FastifyReply,
  feedback: Html | undefined,
  sent?: Entries,
) => Promise<FastifyReply>

interface SavedForm<Entries> {
  /** Slug of the page, one of `fixedPages`. */
  slug: string
  /** Reads the entries of a sent form. */
  read(form: Form): Entries
  show: Show<Entries>
  /**
   * Saves the entries. An SvcError below 500 is shown above the form.
   * @param check throws if what is stored is no longer in the state that the form carries in its hidden field `_state`
   */
  save(entries: Entries, check: Precondition): Promise<unknown>
  /** Message after a save, for forms that lead to their own page. */
  saved?: string
  /** The page to show afterwards; the same page by default. */
  next?: string | ((entries: Entries) => string)
  /** Message for a form whose token has expired, or belongs to another user. */
  expired?: string
  /** Message for a form whose `check` has failed. */
  overtaken?: string
}

/** Registers the page of a form, and the post that saves it. */
export function savedForm<Entries>(
  screen: Screen,
  {
    slug,
    read,
    show,
    save,
    saved = '',
    next = `${slug}?saved=1`,
    expired = 'This form was opened too long ago, or by another user. Nothing was saved: please save again.',
    overtaken = 'Another user has changed this since you opened it. Your entries are below: saving again overwrites.',
  }: SavedForm<Entries>,
): void {
  screen.get(`/${slug}`, (request, reply) => {
    const isSaved = queryValue(request, 'saved') === '1'
    return show(request, reply, isSaved ? notice('done', saved) : undefined)
  })

  screen.post(`/${slug}`, async (request, reply) => {
    const form = formOf(request)
    const entries = read(form)
    const refuse = (status: number, message: Html | string) =>
      show(request, reply.code(status), notice('problem', message), entries)
    if (!screen.hasValidToken(request, form)) return refuse(403, expired)
    try {
      const check = preconditionOf(`"${valueIn(form, '_state')}"`)
      await screen.reported(request, () => save(entries, check))
    } catch (error) {
      if (!(error instanceof SvcError) || error.statusCode >= 500) throw error
      if (error.code === 'svc_precondition_failed') return refuse(412, overtaken)
      const errors = error.errors ?? []
      const list = errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>`
      return refuse(400, html`<p>Nothing was saved. ${error.message}</p>${list}`)
    }
    return reply.redirect(typeof next === 'string' ? next : next(entries), 303)
  })
}

/** What a page shows in place of a form that would be too long. @param operation of the API that changes the list, such as "PUT /text-templates" */
export const tooLong = (operation: string): Html =>
  notice('problem', `This list is too long for a page. ${operation} of the API changes it.`)
