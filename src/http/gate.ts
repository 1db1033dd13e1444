// The first hook of every route: known route and switched on (404), then the token (401, 403), before any body is read.
import { parse as parseQuery } from 'node:querystring'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import type { SvcContext } from '../context.ts'
import { answerTime, within } from '../deadline.ts'
import { SvcError } from '../errors.ts'
import type { Access } from '../options/access.ts'
import type { Toggle } from '../options/toggles.ts'
import { refusal } from './bearer-auth.ts'
import { limitBodyTime } from './body-deadline.ts'
import { stamp } from './headers.ts'

/** Reads the path's ids and positions; false when one has no form that the schema allows, so that no such route exists. */
type ReadParams = (params: Record<string, unknown>) => boolean

function paramsReader(schema: TSchema | undefined): ReadParams {
  const ids = Object.entries<TSchema>(schema?.properties ?? {})
    .map(([name, member]) => ({ name, forms: (member.anyOf ?? [member]) as TSchema[] }))
    .map(({ name, forms }) => ({ name, forms, integer: forms.find((form) => form.type === 'integer') }))
    .filter(({ integer }) => integer !== undefined)
  return (params) =>
    // A router lets a parameter be empty.
    !Object.values(params).includes('') &&
    ids.every(({ name, forms, integer }) => {
      const text = String(params[name])
      if (forms.some((form) => form.const === text)) return true
      // Strict before SQL: a database takes "1abc" for 1.
      if (!/^(?:0|[1-9]\d{0,15})$/.test(text)) return false
      const number = Number(text)
      params[name] = number
      return number >= Number(integer?.minimum ?? 0) && Number.isSafeInteger(number)
    })
}

const noQuery = Object.freeze({})

/** The host may have brought its own parser for queries; our routes read them the same way in every host. */
export function readQuery(request: FastifyRequest): void {
  const url = request.raw.url ?? ''
  const at = url.indexOf('?')
  request.query = at < 0 ? noQuery : parseQuery(url.slice(at + 1))
}

/** The first hook of routes that need no token. */
export function openGate({ bodySeconds }: SvcContext): onRequestHookHandler {
  return (request, reply, done) => {
    stamp(request, reply)
    limitBodyTime(request, reply, bodySeconds)
    readQuery(request)
    done()
  }
}

/** @param toggle the switch of the route's group; undefined where the group is always on */
export function gate(
  context: SvcContext,
  toggle: Toggle | undefined,
  params: TSchema | undefined,
): onRequestHookHandler {
  const { access } = context
  const readParams = paramsReader(params)

  function verdict(state: Access, request: FastifyRequest): SvcError | undefined {
    if (toggle && !state.enabled[toggle]) return new SvcError('rest_no_route')
    return refusal(request.raw, state)
  }

  async function pass(request: FastifyRequest): Promise<SvcError | undefined> {
    const state = await access.read()
    const error = verdict(state, request)
    // Nobody can hold a token that is only made now, so this request fails all the same.
    if (!state.token && error && error.code !== 'rest_no_route') await access.generate()
    return error
  }

  return (request, reply, done) => {
    stamp(request, reply)
    limitBodyTime(request, reply, context.bodySeconds)
    readQuery(request)
    if (!readParams(request.params as Record<string, unknown>)) return done(new SvcError('rest_no_route'))
    const state = access.fresh()
    if (state?.token) return done(verdict(state, request))
    within(answerTime.gate, () => pass(request)).then(done, done)
  }
}
