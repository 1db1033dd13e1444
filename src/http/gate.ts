// The first hook of every route, before the body is read: 404 for a disabled group or malformed id, then who sends the request (401,
// 403), then what the sender may do (403).
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
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
import { setResponseHeaders } from './headers.ts'
import { foreignPage, hostLogin, mayBeForged } from './host-login.ts'
import { connectionTurn } from './pipelining.ts'
import { setPrincipal, takeSender } from './principal.ts'

/** Replaces the ids and positions in the path by numbers; returns false if one has an invalid form, so that there is no such route. */
type ReadParams = (params: Record<string, unknown>) => boolean

/** @param schema of the parameters in the path */
function paramsReader(schema: TSchema | undefined): ReadParams {
  const ids = Object.entries<TSchema>(schema?.properties ?? {})
    .map(([name, property]) => ({ name, forms: (property.anyOf ?? [property]) as TSchema[] }))
    // A parameter may also be a fixed word, such as `latest`.
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
  const start = url.indexOf('?')
  return start < 0 ? noQuery : parseQuery(url.slice(start + 1))
}

/** The first hook of routes that need no token: the webhook of the print provider, and the index of the namespace. */
export const publicGate = inTurn((request, reply, done) => {
  setResponseHeaders(request, reply)
  request.query = sentQuery(request)
  done()
})

type Hook = (...args: Parameters<onRequestHookHandler>) => void

/** A hook that handles the pipelined requests of a connection one after the other. */
function inTurn(hook: Hook): onRequestHookHandler {
  return (request, reply, done) => {
    // Node assigns the connection to a response when those before it have been sent.
    const turn = reply.raw.socket === null ? connectionTurn(reply) : undefined
    if (turn) void turn.then(() => hook(request, reply, done))
    else hook(request, reply, done)
  }
}

// Created once, so that a flood of wrong tokens does not pay for stack traces.
const noRoute = new SvcError('rest_no_route')
/** 401: no token, or several. */
const unauthorized = new SvcError('svc_unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
/** 403: an invalid token. */
const forbidden = new SvcError('svc_forbidden')
/** 401: `authenticate` knows no sender, and the Authorization header has another scheme than Bearer. */
const unknownLogin = new SvcError('svc_unauthorized', {
  message: 'The login of this server does not know the sender of the Authorization header.',
})

/** The token in an Authorization header (RFC 6750 §2.1); undefined for another scheme or no token. */
export const bearerToken = (header = '') => /^bearer +(\S.*)$/i.exec(header)?.[1]

/** How often a request has a header. */
export const countOf = ({ rawHeaders }: IncomingMessage, header: string): number =>
  rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === header).length

/** Whether a token is the stored one. Takes the same time for all tokens of the same length; which length a token has is no secret. */
function isSameToken(token: string, stored: Uint8Array): boolean {
  if (token.length > stored.length) return false
  const bytes = Buffer.from(token)
  return bytes.length === stored.length && timingSafeEqual(bytes, stored)
}

/** The sender with the API token of the shop; a refusal; another token, which has to be looked up; undefined without a token. */
type Presented = Principal | SvcError | { token: string } | undefined

/** What the Authorization header of a request presents. Needs no statement. @param access with the API token of the shop */
function presented(request: IncomingMessage, access: Access): Presented {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const token = bearerToken(header)
  // Of two such headers Node keeps the first; a proxy may use the other.
  if (countOf(request, 'authorization') > 1) return unauthorized
  if (token === undefined) return undefined
  if (access.token && isSameToken(token, access.token)) return tokenPrincipal
  return { token }
}

/** Who sends a request, or why the request is refused. */
type Decision = Principal | SvcError

/**
 * The first hook of routes that need a token or a login.
 * @param params schema of the parameters in the path
 * @param needs what the sender must be allowed to do; undefined if any valid login suffices
 */
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
   * The first of two steps: decides by the tokens in memory. Undefined if that is not possible, because named tokens have to be
   * read from the database, or because the login of the host has to be asked: then `decideByAsking` decides.
   */
  function decideFromMemory(state: Access, request: FastifyRequest): Decision | undefined {
    if (toggle && !state.enabled[toggle]) return noRoute
    const credentials = presented(request.raw, state)
    if (credentials && !('token' in credentials)) return credentials
    if (credentials && isNamedToken(credentials.token)) {
      const tokens = namedTokens.fresh()
      return tokens && (namedTokens.find(tokens, credentials.token) ?? forbidden)
    }
    // A request that the MCP server sends itself (`sendAs`) has the sender of the MCP request, whom the host has admitted already.
    if (authenticate) return takeSender(context, request)
    return credentials ? forbidden : unauthorized
  }

  /** The second step: reads named tokens from the database, or asks the login of the host. */
  async function decideByAsking(state: Access, request: FastifyRequest): Promise<Decision> {
    const credentials = presented(request.raw, state)
    const token = credentials && 'token' in credentials ? credentials.token : undefined
    // A token of ours decides alone: a browser's session must not widen it.
    if (token !== undefined && isNamedToken(token))
      return namedTokens.find(await namedTokens.read(), token) ?? forbidden
    const login = authenticate && (await hostLogin(authenticate, request))
    if (login) return login
    if (token !== undefined) return forbidden
    return request.headers.authorization === undefined ? unauthorized : unknownLogin
  }

  /** Both steps, with the API token and the toggles read from the database unless they were read within the last second. */
  async function decide(request: FastifyRequest): Promise<Decision> {
    const fresh = access.fresh()
    const state = fresh?.token ? fresh : await access.read()
    const decision = decideFromMemory(state, request) ?? (await decideByAsking(state, request))
    // The shop has no API token yet. Nobody can know the one that is generated now, so this request fails in any case.
    if (!state.token && decision instanceof SvcError && decision !== noRoute) await access.generate()
    return decision
  }

  /** Why a known sender may not send this request; undefined if it is allowed. */
  function refusalOf(request: FastifyRequest, { kind, scopes }: Principal): SvcError | undefined {
    if (needs && !allows(scopes, needs)) return insufficientScope(needs)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return kind === 'host' && !isRead && mayBeForged(request, siteOrigin) ? foreignPage : undefined
  }

  return inTurn((request, reply, done) => {
    setResponseHeaders(request, reply)
    request.query = sentQuery(request)
    if (!readParams(request.params as Record<string, unknown>)) return done(new SvcError('rest_no_route'))
    const finish = (decision: Decision) => {
      if (decision instanceof SvcError) return done(decision)
      // The API token may do everything.
      if (decision === tokenPrincipal) return done()
      setPrincipal(request, decision)
      done(refusalOf(request, decision))
    }
    // Most requests are decided here, without a promise.
    const state = access.fresh()
    const decision = state?.token && decideFromMemory(state, request)
    if (decision) return finish(decision)
    within(requestTime.gate, () => decide(request)).then(finish, (cause: unknown) =>
      // A hook that fails with undefined would let the request pass.
      done(cause instanceof Error ? cause : new Error('The sender could not be determined.', { cause })),
    )
  })
}
