// What all pages of one desk share: visitors and their rights, forms and their actions, and the declaration of routes.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { reporting } from '../../src/core/change.ts'
import { insufficientScope, SvcError } from '../../src/core/errors.ts'
import { membersOf } from '../../src/core/foreign.ts'
import type { Toggle } from '../../src/core/groups.ts'
import { type Html, html } from '../../src/core/html.ts'
import type { Principal } from '../../src/core/principal.ts'
import { allows, isScope, type NeededScope } from '../../src/core/scopes.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { hidden } from '../../src/http/schema.ts'
import { ordersOf } from '../../src/orders/orders.ts'
import { formTokens } from '../../src/pages/forgery.ts'
import { type Frame, framed, type Page, postForm } from '../../src/pages/html.ts'
import { type Form, formOf, page, preparePages, sendPage, valueIn } from '../../src/pages/scope.ts'
import { jobOverview } from '../../src/print/job-overview.ts'
import { shopTimeZone } from '../../src/settings/time-zone.ts'
import type { DeskOptions } from './options.ts'
import { productChecks } from './product-check.ts'
import { deskWork } from './work.ts'

/** A person whom `authorize` of the host has admitted. */
interface Visitor {
  /** The name or session to which forms are bound; '' if the host names none. */
  user: string
  principal: Principal
}

const expired =
  'This form was opened too long ago, or by another user. Nothing was done: go back, load the page again and repeat it.'

/** Makes the desk that all route files of one scope share; called once, when the plugin is registered. */
export function deskOf(
  app: FastifyInstance,
  context: SvcContext,
  { authorize, secret, homeUrl, settingsUrl, referenceUrl }: DeskOptions,
) {
  const tokens = formTokens('svc_desk_form', secret)
  const visitorOf = preparePages<Visitor>(app, {
    context,
    purpose: 'use this desk',
    admit: async (request, reply) => visitorFrom(await authorize(request, reply)),
    errorPage: (main, visitor) => framed(frameFor(visitor), main),
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

  const { keeps } = context
  /** The navigation: the pages that the visitor may open, and whose groups are served. */
  const linksFor = ({ principal: { scopes } }: Visitor, enabled?: Enabled) =>
    [
      { slug: 'orders', name: 'Orders', needs: 'orders:read' as const },
      { slug: 'queue', name: 'Queue', needs: 'print_jobs:read' as const },
      { slug: 'products', name: 'Products', needs: 'products:read' as const },
      ...(context.storage ? [{ slug: 'fonts', name: 'Fonts', needs: 'fonts:read' as const }] : []),
      { slug: 'library', name: 'Library', needs: 'assets:read' as const },
      ...(keeps.webhooks
        ? [{ slug: 'deliveries', name: 'Deliveries', needs: 'deliveries:read' as const }]
        : []),
      ...(keeps.audit ? [{ slug: 'audit', name: 'Changes', needs: 'audit:read' as const }] : []),
    ].filter(({ needs }) => allows(scopes, needs) && isServed(needs, enabled))

  /** @param enabled the toggles; undefined on the page of an error, which must not need the database */
  function frameFor(visitor: Visitor | undefined, enabled?: Enabled): Frame {
    if (!visitor) return { site: 'Desk' }
    const seesOrders = allows(visitor.principal.scopes, 'orders:read')
    const search = seesOrders ? { page: 'orders', label: 'Number, name, product, SKU' } : undefined
    const seesSettings = allows(visitor.principal.scopes, 'settings:read')
    const others = { homeUrl, settingsUrl: seesSettings ? settingsUrl : undefined, referenceUrl }
    return { site: 'Desk', inside: { search, links: linksFor(visitor, enabled), others } }
  }

  /** @throws SvcError 403 unless a page of this desk made the form with this token for this visitor */
  function assertForm(request: FastifyRequest, token: string): void {
    if (!tokens.isRight(request, token, visitorOf(request).user))
      throw new SvcError('svc_forbidden', { message: expired })
  }

  /**
   * Runs the action of a form; its changes are reported with the visitor as their author.
   * @param operation name in the audit trail
   * @returns what `work` returns: the page to show next
   * @throws SvcError 403 as `assertForm`
   */
  async function acting(
    request: FastifyRequest,
    token: string,
    operation: string,
    work: () => Promise<string>,
  ): Promise<string> {
    assertForm(request, token)
    const { principal } = visitorOf(request)
    const author = { operation, principal, request_id: requestIdOf(request) }
    return context.database.reportsChanges ? reporting(author, work) : work()
  }

  /** Sends a page in the frame of the desk. */
  async function send(request: FastifyRequest, reply: FastifyReply, pageToSend: Page): Promise<FastifyReply> {
    const { enabled } = await context.access.read()
    return sendPage(reply, framed(frameFor(visitorOf(request), enabled), pageToSend))
  }

  /** @throws SvcError 403 without the scope; 404 if the page belongs to a group that is switched off */
  async function assertOpen(request: FastifyRequest, scope: NeededScope): Promise<void> {
    assertMay(request, scope)
    if (toggleOf(scope) === undefined || isServed(scope, (await context.access.read()).enabled)) return
    throw new SvcError('rest_no_route', { message: 'This page is switched off in the settings.' })
  }

  /** Returns a function that makes the forms of this response; all of them contain one token. */
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
    acting,
    orders,
    jobs,
    ...deskWork(context, orders, jobs),
    checks,
    /** The time zone in which the pages name times. */
    timeZone: () => shopTimeZone(context.cms),
    /** Why previews could not be drawn, as preview-routes.ts stores it; `until` on the clock of performance.now(). */
    failures: new Map<string, { reason: string; until: number }>(),
    /** A link to the settings; undefined if the host has none. */
    settings: settingsUrl === undefined ? undefined : html`<a href="${settingsUrl}">Open the settings</a>`,
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
    /** The slug of the page to which the folder of the desk leads. */
    firstPage: (request: FastifyRequest) => linksFor(visitorOf(request))[0]?.slug ?? 'orders',

    send,
    forms,

    /**
     * Declares the route of a page, with the time limit of all pages.
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
        handler: page(async (request, reply) => {
          await assertOpen(request, scope)
          return send(request, reply, await draw(request, forms(request, reply)))
        }),
      })
    },

    /**
     * Declares the route to which a form is sent. It has no time limit, unlike a page, because exports, uploads and deletions have
     * limits of their own.
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
        const work = () => act(form, request)
        return reply.redirect(await acting(request, valueIn(form, '_form'), operation, work), 303)
      }
      app.post(url, { schema: hidden, bodyLimit: context.bodyLimits.json, handler })
    },

    /** Name of the principal, for notes and messages about an action: `desk` where the host named nobody. */
    nameOf: (request: FastifyRequest) => visitorOf(request).principal.name,
  }
}

type Enabled = Readonly<Record<Toggle, boolean>>

/** Groups whose toggle hides their pages. Orders, jobs and products are worked on even while the API does not serve them. */
const hiddenByToggle: readonly Toggle[] = ['fonts', 'assets']

const toggleOf = (scope: NeededScope): Toggle | undefined =>
  hiddenByToggle.find((toggle) => scope.startsWith(`${toggle}:`))

function isServed(scope: NeededScope, enabled: Enabled | undefined): boolean {
  const toggle = toggleOf(scope)
  return toggle === undefined || enabled === undefined || enabled[toggle]
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

// Visitors without a principal of their own share the name `desk`: what `authorize` returns as a string may be a session, which must not get into an audit trail.
const everything: Principal = { kind: 'host', name: 'desk', scopes: 'all' }

/** The visitor that the result of `authorize` describes; undefined if it denies access. */
function visitorFrom(admission: unknown): Visitor | undefined {
  if (admission === true) return { user: '', principal: everything }
  if (typeof admission === 'string')
    return admission === '' ? undefined : { user: admission, principal: everything }
  const { name, scopes } = membersOf(admission) as Record<'name' | 'scopes', unknown>
  if (typeof name !== 'string' || !/^[^\p{Cc}]{1,200}$/u.test(name)) return undefined
  if (scopes === 'all') return { user: name, principal: { kind: 'host', name, scopes } }
  if (!Array.isArray(scopes) || !scopes.every(isScope)) return undefined
  return { user: name, principal: { kind: 'host', name, scopes: [...scopes] } }
}
