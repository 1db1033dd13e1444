// Our first hook on every route: 404 for a disabled group or malformed id, then 401, 403 and the scopes, before the body is read.
import { parse as parseQuery } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { SvcContext } from '../app/context.ts'
import { requestTime, within } from '../core/deadline.ts'
import { insufficientScope, SvcError } from '../core/errors.ts'
import type { Declaration } from '../core/groups.ts'
import { type Principal, tokenPrincipal } from '../core/principal.ts'
import { allows, type NeededScope } from '../core/scopes.ts'
import type { Access } from '../settings/access.ts'
import { isNamedToken } from '../settings/named-tokens.ts'
import { toggleOf } from '../settings/toggles.ts'
import { forbidden, presented, unauthorized } from './bearer-auth.ts'
import { setResponseHeaders } from './headers.ts'
import { foreignPage, hostLogin, mayBeForged } from './host-login.ts'
import { connectionTurn } from './pipelining.ts'
import { setPrincipal, takeSender } from './principal.ts'

/** Converts the ids and positions in the path; false if one has an invalid form, so that there is no such route. */
type ReadParams = (params: Record<string, unknown>) => boolean

function paramsReader(schema: TSchema | undefined): ReadParams {
  const ids = Object.entries<TSchema>(schema?.properties ?? {})
    .map(([name, property]) => ({ name, forms: (property.anyOf ?? [property]) as TSchema[] }))
    .map(({ name, forms }) => ({ name, forms, integer: forms.find((form) => form.type === 'integer') }))
    .filter(({ integer }) => integer !== undefined)
  return (params) =>
    // The router allows empty parameters.
    !Object.values(params).includes('') &&
    ids.every(({ name, forms, integer }) => {
      const text = String(params[name])
      if (forms.some((form) => form.const === text)) return true
      // Strict, because a database reads "1abc" as 1.
      if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return false
      const number = Number(text)
      params[name] = number
      return number >= Number(integer?.minimum ?? 0) && Number.isSafeInteger(number)
    })
}

const noQuery = Object.freeze({})

/** The query, parsed here because the host may have configured another parser. */
export function sentQuery({ raw: { url = '' } }: FastifyRequest): Record<string, unknown> {
  const at = url.indexOf('?')
  return at < 0 ? noQuery : parseQuery(url.slice(at + 1))
}

/** The first hook of routes that need no token. */
export const publicGate = inTurn((request, reply, done) => {
  setResponseHeaders(request, reply)
  request.query = sentQuery(request)
  done()
})

type Enter = (...parts: Parameters<onRequestHookHandler>) => void

/** The hook, one request of a connection after the other. */
function inTurn(enter: Enter): onRequestHookHandler {
  return (request, reply, done) => {
    const turn = connectionTurn(reply)
    if (turn) void turn.then(() => enter(request, reply, done))
    else enter(request, reply, done)
  }
}

const noRoute = new SvcError('rest_no_route')

/** @param needs what the sender must be allowed to do; undefined if any valid login suffices */
export function gate(
  context: SvcContext,
  group: Declaration,
  params: TSchema | undefined,
  needs: NeededScope | undefined,
): onRequestHookHandler {
  const { access, namedTokens, authenticate } = context
  const siteOrigin = new URL(context.site.url).origin
  const toggle = toggleOf(group)
  const readParams = paramsReader(params)

  /**
   * The sender, or the refusal, by the tokens that were read within the last second. Undefined if the database or the login
   * of the host has to decide.
   */
  function decideFromMemory(state: Access, request: FastifyRequest): Principal | SvcError | undefined {
    if (toggle && !state.enabled[toggle]) return noRoute
    const credentials = presented(request.raw, state)
    if (credentials && !('token' in credentials)) return credentials
    if (credentials && isNamedToken(credentials.token)) {
      const tokens = namedTokens.fresh()
      return tokens && (namedTokens.find(tokens, credentials.token) ?? forbidden)
    }
    // A tool for agents sends its request in the name of a sender who was admitted before.
    if (authenticate) return takeSender(context)
    return credentials ? forbidden : unauthorized
  }

  /** The same with a statement, where memory does not decide. */
  async function decide(request: FastifyRequest): Promise<Principal | SvcError> {
    const fresh = access.fresh()
    const state = fresh?.token ? fresh : await access.read()
    const decided = decideFromMemory(state, request) ?? (await ask(state, request))
    // Nobody can know a token that is generated now, so this request fails in any case.
    if (!state.token && decided instanceof SvcError && decided !== noRoute) await access.generate()
    return decided
  }

  /** Reads named tokens from the database, and asks the login of the host. */
  async function ask(state: Access, request: FastifyRequest): Promise<Principal | SvcError> {
    const credentials = presented(request.raw, state)
    const token = credentials && 'token' in credentials ? credentials.token : undefined
    // A token of ours decides alone: a browser's session must not widen it.
    if (token !== undefined && isNamedToken(token))
      return namedTokens.find(await namedTokens.read(), token) ?? forbidden
    const login = authenticate && (await hostLogin(authenticate, request))
    return login ?? (token === undefined ? unauthorized : forbidden)
  }

  function refusalOf(request: FastifyRequest, { kind, scopes }: Principal): SvcError | undefined {
    if (needs && !allows(scopes, needs)) return insufficientScope(needs)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return kind === 'host' && !isRead && mayBeForged(request, siteOrigin) ? foreignPage : undefined
  }

  return inTurn((request, reply, done) => {
    setResponseHeaders(request, reply)
    request.query = sentQuery(request)
    if (!readParams(request.params as Record<string, unknown>)) return done(new SvcError('rest_no_route'))
    const admit = (decided: Principal | SvcError) => {
      if (decided instanceof SvcError) return done(decided)
      if (decided === tokenPrincipal) return done()
      setPrincipal(request, decided)
      done(refusalOf(request, decided))
    }
    const state = access.fresh()
    const decided = state?.token && decideFromMemory(state, request)
    if (decided) return admit(decided)
    within(requestTime.gate, () => decide(request)).then(admit, (cause: unknown) =>
      // A hook that fails with undefined would let the request pass.
      done(cause instanceof Error ? cause : new Error('The sender could not be determined.', { cause })),
    )
  })
}
