// What all pages of one settings screen share: form tokens, the frame, the settings, and the report of changes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { reporting } from '../../src/core/change.ts'
import { membersOf } from '../../src/core/foreign.ts'
import { type Html, html } from '../../src/core/html.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { hidden } from '../../src/http/schema.ts'
import { formTokens } from '../../src/pages/forgery.ts'
import { type Form, formOf, valueIn } from '../../src/pages/form.ts'
import { linkTo, type Page, postForm } from '../../src/pages/html.ts'
import { pageHandler, preparePages, sendHtml } from '../../src/pages/scope.ts'
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
    // The name of the user; '' if the host returns true.
    admit: async (request, reply) => {
      const user = await authorize(request, reply)
      if (user === true) return ''
      return typeof user === 'string' && user !== '' ? user : undefined
    },
    errorPage: ({ status, request, ...page }, user) => {
      const retry = user !== undefined && status >= 500 ? retryForm(context, request) : undefined
      const main = html`${page.main}${retry}`
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
    /** Declares the route of a page, which is made within the time of a request. */
    get: (url: string, draw: Draw) => void app.get(url, { schema: hidden, handler: pageHandler(draw) }),
    /** Declares the route to which a form is sent. `draw` checks the token of the form. */
    post: (url: string, draw: Draw) =>
      void app.post(url, {
        schema: hidden,
        bodyLimit: context.bodyLimits.json,
        handler: pageHandler(draw),
      }),
    send: (reply: FastifyReply, page: Page) => sendHtml(reply, layout(tabs, page, otherPages(reply.request))),
    formToken: (request: FastifyRequest, reply: FastifyReply) =>
      tokens.issue(request, reply, userOf(request)),
    /** Whether a page of this screen made the form, for the same user and in the same browser. */
    hasValidToken: (request: FastifyRequest, form: Form) =>
      tokens.isRight(request, valueIn(form, '_form'), userOf(request)),
    /** Runs an action, whose changes are reported with the settings screen as their author. */
    reported: <T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> =>
      context.database.reportsChanges
        ? reporting({ ...administrator, request_id: requestIdOf(request) }, work)
        : work(),
  }
}

/** Makes and sends a page, or redirects. */
type Draw = Parameters<typeof pageHandler>[0]

/** What the route files share; see `screenOf`. */
export type Screen = ReturnType<typeof screenOf>

/**
 * A form with the hidden entries of a tab that could not be saved because something failed: one button sends them again. Undefined for
 * requests that posted no tab. What was entered for a secret is not sent back, so it has to be entered again.
 */
function retryForm({ catalog }: SvcContext, request: FastifyRequest): Html | undefined {
  const tab: unknown = membersOf(request.params).tab
  const group = catalog.group(String(tab))
  const form = formOf(request)
  if (!group || group.tab !== tab || form.size === 0) return undefined
  const isHidden = (name: string) => isSecret(name, catalog.find(name))
  const repeated = [...form].filter(([name]) => !isHidden(name))
  const lost = [...form].filter(([name, values]) => isHidden(name) && values.some((value) => value !== ''))
  return postForm(linkTo(group.tab), {}, [
    repeated.map(([name, values]) =>
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
