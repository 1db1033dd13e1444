// Shared by all pages of one registration; and forms that have a page to themselves.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { reporting } from '../../src/core/change.ts'
import { SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { type Precondition, preconditionOf } from '../../src/http/etag.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { hidden } from '../../src/http/schema.ts'
import { formTokens } from '../../src/pages/forgery.ts'
import { linkTo, notice, type Page, postForm } from '../../src/pages/html.ts'
import {
  type Form,
  formOf,
  page,
  preparePages,
  queryValue,
  sendPage,
  valueIn,
} from '../../src/pages/scope.ts'
import { isSecret } from '../../src/settings/keys.ts'
import { settingsRepository } from '../../src/settings/stored-settings.ts'
import { layout } from './layout.ts'
import type { SettingsScreenOptions } from './options.ts'

// `authorize` may return a session, which must not get into an audit trail.
const administrator = {
  operation: 'settings_screen',
  principal: { kind: 'host', name: 'settings screen' },
} as const

/** Makes the screen that all route files of one scope share; called once, when the plugin is registered. */
export function screenOf(
  app: FastifyInstance,
  context: SvcContext,
  { authorize, secret, documentUrl, deskUrl, homeUrl, referenceUrl }: SettingsScreenOptions,
) {
  const tokens = formTokens('svc_settings_form', secret)
  const { tabs } = context.catalog
  /** Undefined without a desk, or for users who may not open it. */
  const deskUrlFor = (request: FastifyRequest) => (typeof deskUrl === 'function' ? deskUrl(request) : deskUrl)
  const otherPages = (request: FastifyRequest) => ({ homeUrl, deskUrl: deskUrlFor(request), referenceUrl })
  const userOf = preparePages(app, {
    context,
    purpose: 'administer this shop',
    // The name of the user; '' if the host names nobody.
    admit: async (request, reply) => {
      const user = await authorize(request, reply)
      if (user === true) return ''
      return typeof user === 'string' && user !== '' ? user : undefined
    },
    errorPage: ({ status, request, ...page }, user) => {
      const kept = user !== undefined && status >= 500 ? keptForm(context, request) : undefined
      const main = html`${page.main}${kept}`
      return user === undefined
        ? layout(undefined, { ...page, main }, {})
        : layout(tabs, { ...page, main }, otherPages(request))
    },
  })
  return {
    context,
    documentUrl,
    deskUrl: deskUrlFor,
    referenceUrl,
    settings: settingsRepository(context),
    send: (reply: FastifyReply, page: Page) => sendPage(reply, layout(tabs, page, otherPages(reply.request))),
    formToken: (request: FastifyRequest, reply: FastifyReply) =>
      tokens.issue(request, reply, userOf(request)),
    /** Whether the form comes from a page of ours in the same browser, for the same user. */
    isOurs: (request: FastifyRequest, form: Form) =>
      tokens.isRight(request, valueIn(form, '_form'), userOf(request)),
    /** Runs what changes settings or tokens, and reports what it has changed. */
    reported: <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
      context.database.reportsChanges
        ? reporting({ ...administrator, request_id: requestIdOf(request) }, work)
        : work(),
  }
}

/** What the route files share; see `screenOf`. */
export type Screen = ReturnType<typeof screenOf>

/**
 * The entries of a form that could not be saved because something failed, hidden, to be sent again with one button. Nothing for
 * requests that posted no tab. What was entered for a secret is not sent back: it has to be entered
 * again.
 */
function keptForm({ catalog }: SvcContext, request: FastifyRequest): Html | undefined {
  const tab: unknown = Reflect.get(Object(request.params), 'tab')
  const group = catalog.group(String(tab))
  const form = formOf(request)
  if (!group || group.tab !== tab || form.size === 0) return undefined
  const isLost = (name: string) => isSecret(name, catalog.find(name))
  const kept = [...form].filter(([name]) => !isLost(name))
  const lost = [...form].filter(([name, values]) => isLost(name) && values.some((value) => value !== ''))
  return postForm(linkTo(group.tab), {}, [
    kept.map(([name, values]) =>
      values.map(
        (value) => html`<textarea name="${name}" hidden>
${value}</textarea>`,
      ),
    ),
    html`<p>Your entries are still on this page. As soon as the shop responds, send it again; nothing is saved twice.</p>`,
    lost.length > 0 && html`<p>Secrets are left out: enter them again in the tab.</p>`,
    html`<p><button class="main">Save again</button></p>`,
  ])
}

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
  /** The page to show afterwards; the same page by default. */
  next?: string | ((entries: Entries) => string)
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
    expired = 'This form was opened too long ago, or by another user. Nothing was saved: please save again.',
    overtaken = 'Another user has changed this since you opened it. Your entries are below: saving again overwrites.',
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
        const list = errors.length > 0 && html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>`
        return refuse(400, html`<p>Nothing was saved. ${error.message}</p>${list}`)
      }
      return reply.redirect(typeof next === 'string' ? next : next(entries), 303)
    }),
  })
}
