// What all pages of one desk share: rights of the visitor, forms and their actions, the declaration of routes, and what routes read.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { reporting } from '../../src/core/change.ts'
import { insufficientScope, SvcError } from '../../src/core/errors.ts'
import { type Html, html } from '../../src/core/html.ts'
import { allows, type NeededScope } from '../../src/core/scopes.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { hidden } from '../../src/http/schema.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { formTokens } from '../../src/pages/forgery.ts'
import { type Form, formOf, valueIn } from '../../src/pages/form.ts'
import { framed, type Page, postForm } from '../../src/pages/html.ts'
import { pageHandler, preparePages, sendHtml } from '../../src/pages/scope.ts'
import { jobOverview } from '../../src/print/job-overview.ts'
import { shopTimeZone } from '../../src/settings/time-zone.ts'
import { deskFrames, toggleOf } from './frame.ts'
import type { DeskOptions } from './options.ts'
import { productChecks } from './product-check.ts'
import { type Visitor, visitorFrom } from './visitor.ts'
import { deskWork } from './work.ts'

const expired =
  'This form was opened too long ago, or by another user. Nothing was done: go back, load the page again and repeat it.'

/** Makes the desk that all route files of one scope share; called once, when the plugin is registered. */
export function deskOf(app: FastifyInstance, context: SvcContext, options: DeskOptions) {
  const { authorize, secret, settingsUrl } = options
  const { firstPage, frameFor } = deskFrames(context, options)
  const tokens = formTokens('svc_desk_form', secret)
  const visitorOf = preparePages<Visitor>(app, {
    context,
    purpose: 'use this desk',
    admit: async (request, reply) => visitorFrom(await authorize(request, reply)),
    errorPage: (errorPage, visitor) => framed(frameFor(visitor), errorPage),
  })

  const checks = productChecks(context, (error, message) => app.log.warn({ err: error }, message))
  app.addHook('preClose', async () => checks.stop())

  const may = (request: FastifyRequest, scope: NeededScope) =>
    allows(visitorOf(request).principal.scopes, scope)

  function assertMay(request: FastifyRequest, scope: NeededScope): void {
    if (!may(request, scope))
      throw insufficientScope(scope, `You may not do this: it needs the right ${scope}.`)
  }

  const orders = ordersOf(context.database, context.cms)
  const jobs = jobOverview(context.database)
  const { room, work, dueOf, numbers, forgetNumbers } = deskWork(context, orders, jobs)

  /** @throws SvcError 403 unless a page of this desk made the form with this token for this visitor */
  function assertForm(request: FastifyRequest, token: string): void {
    if (!tokens.isRight(request, token, visitorOf(request).user))
      throw new SvcError('svc_forbidden', { message: expired })
  }

  /**
   * Runs the action of a form; the changes that it makes are reported with the visitor as their author. For routes that `post` does not
   * declare.
   * @param operation name in the audit trail
   * @returns what `action` returns: the page to show next
   * @throws SvcError 403 as `assertForm`
   */
  async function runAction(
    request: FastifyRequest,
    token: string,
    operation: string,
    action: () => Promise<string>,
  ): Promise<string> {
    assertForm(request, token)
    const { principal } = visitorOf(request)
    const author = { operation, principal, request_id: requestIdOf(request) }
    return context.database.reportsChanges ? reporting(author, action) : action()
  }

  /** Sends a page in the frame of the desk. */
  async function send(request: FastifyRequest, reply: FastifyReply, pageToSend: Page): Promise<FastifyReply> {
    const { enabled } = await context.access.read()
    return sendHtml(reply, framed(frameFor(visitorOf(request), enabled), pageToSend))
  }

  /** For every page and action. @throws SvcError 403 without the scope; 404 if the page belongs to a group that is switched off */
  async function assertOpen(request: FastifyRequest, scope: NeededScope): Promise<void> {
    assertMay(request, scope)
    const toggle = toggleOf(scope)
    if (toggle === undefined || (await context.access.read()).enabled[toggle]) return
    throw new SvcError('rest_no_route', { message: 'This page is switched off in the settings.' })
  }

  /** Returns a function that makes the forms of this response; all of them contain the same token. */
  function forms(request: FastifyRequest, reply: FastifyReply): FormMaker {
    let token: string | undefined
    return (scope, action, fields, content, options = {}) => {
      if (!may(request, scope)) return undefined
      token ??= tokens.issue(request, reply, visitorOf(request).user)
      return postForm(action, { _form: token, ...fields }, content, { className: 'act', ...options })
    }
  }

  return {
    app,
    context,
    assertForm,
    runAction,
    orders,
    jobs,
    room,
    work,
    dueOf,
    numbers,
    forgetNumbers,
    /** The check of all products, which runs in the background. */
    checks,
    /** The time zone in which the pages name times. */
    timeZone: () => shopTimeZone(context.cms),
    /** Why previews could not be drawn, as preview-routes.ts stores it; `until` on the clock of performance.now(). */
    failures: new Map<string, { reason: string; until: number }>(),
    /** A link to the settings, which does not depend on the rights of the visitor; undefined if the host has none. */
    settingsLink:
      settingsUrl === undefined ? undefined : html`<a href="${settingsUrl}">Open the settings</a>`,
    /** URL of a page of the settings; undefined if the host has none, or the visitor may not open them. */
    settingsPage: (request: FastifyRequest, slug: string) =>
      settingsUrl !== undefined && may(request, 'settings:read')
        ? `${settingsUrl.replace(/\/$/, '')}/${slug}`
        : undefined,
    /** Whether the visitor has the scope. */
    may,
    /** @throws SvcError 403 without the scope */
    assertMay,
    assertOpen,
    firstPage: (request: FastifyRequest) => firstPage(visitorOf(request)),
    send,
    forms,

    /**
     * Declares the route of a page that is made within the time of a request.
     * @param scope the right that the page needs
     * @param draw makes the page; `form` makes its forms
     */
    get(
      url: string,
      scope: NeededScope,
      draw: (request: FastifyRequest, form: FormMaker) => Promise<Page>,
    ): void {
      app.get(url, {
        schema: hidden,
        handler: pageHandler(async (request, reply) => {
          await assertOpen(request, scope)
          return send(request, reply, await draw(request, forms(request, reply)))
        }),
      })
    },

    /**
     * Declares the route to which a form without a file is sent; `receiveFile` declares those with one. Unlike a page it has no time
     * limit, because an export waits for its service, and actions on many items limit themselves.
     * @param options.scope the right that the action needs
     * @param options.operation name in the audit trail
     * @param act returns the page to show next
     */
    post(
      url: string,
      { scope, operation }: { scope: NeededScope; operation: string },
      act: (form: Form, request: FastifyRequest) => Promise<string>,
    ): void {
      const handler: RouteHandlerMethod = async (request, reply) => {
        await assertOpen(request, scope)
        const form = formOf(request)
        const action = () => act(form, request)
        return reply.redirect(await runAction(request, valueIn(form, '_form'), operation, action), 303)
      }
      app.post(url, { schema: hidden, bodyLimit: context.bodyLimits.json, handler })
    },

    /** Name of the principal, for notes and messages about an action: `desk` where the host named nobody. */
    nameOf: (request: FastifyRequest) => visitorOf(request).principal.name,
  }
}

/** What the route files share; see `deskOf`. */
export type Desk = ReturnType<typeof deskOf>
/**
 * Makes a form that is sent to `action`, with hidden `fields` and the visible `content`; undefined for visitors without the scope.
 * `className` is its class in the style sheet, default `act`.
 */
export type FormMaker = (
  scope: NeededScope,
  action: string,
  fields: Readonly<Record<string, string>>,
  content: Html,
  options?: { className?: string; hasFile?: boolean },
) => Html | undefined
