// What all pages of one registration share.
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { SvcContext } from '../../src/app/context.ts'
import { reporting } from '../../src/core/change.ts'
import { requestTime, within } from '../../src/core/deadline.ts'
import { requestIdOf } from '../../src/http/headers.ts'
import { settingsRepository } from '../../src/settings/stored-settings.ts'
import { formTokens } from './forgery.ts'
import { type Form, valueIn } from './form-body.ts'
import { layout, type Page } from './layout.ts'
import type { SettingsScreenOptions } from './options-schema.ts'
import { sendPage, userOf } from './scope.ts'

// What `authorize` returns may be a session, which must not get into an audit trail.
const administrator = {
  operation: 'settings_screen',
  principal: { kind: 'host', name: 'settings screen' },
} as const

export function screenOf(context: SvcContext, { secret, documentUrl }: SettingsScreenOptions) {
  const tokens = formTokens(secret)
  return {
    context,
    documentUrl,
    settings: settingsRepository(context),
    send: (reply: FastifyReply, page: Page) => sendPage(reply, layout(context.catalog.tabs, page)),
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

export type Screen = ReturnType<typeof screenOf>

/** The handler of a page; 503 if it exceeds the time of a request. */
export function page(
  draw: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
): RouteHandlerMethod {
  return (request, reply) => within(requestTime.handler, () => draw(request, reply))
}

/** The fields of a posted form; none where the body was empty. */
export const formOf = ({ body }: FastifyRequest): Form => (body instanceof Map ? body : new Map())
