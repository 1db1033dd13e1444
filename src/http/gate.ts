// Our first hook on every route: 404 for a disabled group or malformed id, then 401 and 403, before the body is read.
import { parse as parseQuery } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { SvcContext } from '../context.ts'
import { requestTime, within } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import type { Access } from '../options/access.ts'
import type { Toggle } from '../options/toggles.ts'
import { authError } from './bearer-auth.ts'
import { limitBodyTime } from './body-deadline.ts'
import { setResponseHeaders } from './headers.ts'

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

/** Parses the query, because the host may have configured another parser. */
export function readQuery(request: FastifyRequest): void {
  const url = request.raw.url ?? ''
  const at = url.indexOf('?')
  request.query = at < 0 ? noQuery : parseQuery(url.slice(at + 1))
}

/** The first hook of routes that need no token. */
export function publicGate({ bodySeconds }: SvcContext): onRequestHookHandler {
  return (request, reply, done) => {
    setResponseHeaders(request, reply)
    limitBodyTime(request, reply, bodySeconds)
    readQuery(request)
    done()
  }
}

/** @param toggle the switch of the route's group; undefined if the group is always on */
export function gate(
  context: SvcContext,
  toggle: Toggle | undefined,
  params: TSchema | undefined,
): onRequestHookHandler {
  const { access } = context
  const readParams = paramsReader(params)

  function verdict(state: Access, request: FastifyRequest): SvcError | undefined {
    if (toggle && !state.enabled[toggle]) return new SvcError('rest_no_route')
    return authError(request.raw, state)
  }

  async function pass(request: FastifyRequest): Promise<SvcError | undefined> {
    const state = await access.read()
    const error = verdict(state, request)
    // Nobody can know a token that is generated now, so this request fails in any case.
    if (!state.token && error && error.code !== 'rest_no_route') await access.generate()
    return error
  }

  return (request, reply, done) => {
    setResponseHeaders(request, reply)
    limitBodyTime(request, reply, context.bodySeconds)
    readQuery(request)
    if (!readParams(request.params as Record<string, unknown>)) return done(new SvcError('rest_no_route'))
    const state = access.fresh()
    if (state?.token) return done(verdict(state, request))
    within(requestTime.gate, () => pass(request)).then(done, done)
  }
}
