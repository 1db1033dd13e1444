// The APIs that run in a host, for plugins outside their scopes.
import type { FastifyInstance } from 'fastify'
import { contextIn, type SvcContext } from '../app/context.ts'

/** Keyed by server, which all scopes of a host share. */
const running = new WeakMap<object, SvcContext[]>()

/** To be called where a context is provided. */
export function announceApi(app: FastifyInstance, context: SvcContext): void {
  running.set(app.server, [...(running.get(app.server) ?? []), context])
}

/**
 * The services of an API that was registered before in the same host: that of the scope, else the only one.
 * @param restPath path of its REST root, needed if there are several
 * @throws Error with a sentence if there is none, or more than one
 */
export function runningContext(app: FastifyInstance, restPath?: string): SvcContext {
  const own = contextIn(app)
  if (restPath === undefined && own) return own
  const all = running.get(app.server) ?? []
  const [context, ...others] =
    restPath === undefined ? all : all.filter(({ site }) => site.restPath === restPath)
  if (context && others.length === 0) return context
  if (all.length === 0) throw new Error('svc-api: register svcApi or svcContext before this plugin.')
  const known = all.map(({ site }) => site.restPath || '/').join(', ')
  throw new Error(`baseUrl: must name one of the APIs that were registered before (${known}).`)
}
