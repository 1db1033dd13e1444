// What the registrations in one host know of each other.
import type { FastifyInstance } from 'fastify'
import { contextIn, provideContext, type SvcContext } from '../app/context.ts'

interface Host {
  /** The APIs that run in it, in the order of their registration. */
  apis: SvcContext[]
  /** Paths below which clients that wait for "100 Continue" are let in by the gate; undefined until one is given. */
  gated: Set<string> | undefined
}

/** Keyed by server: nothing else is shared by all scopes of a host, and none of them may be decorated. */
const hosts = new WeakMap<object, Host>()

export function hostOf(server: object): Host {
  const host = hosts.get(server) ?? { apis: [], gated: undefined }
  hosts.set(server, host)
  return host
}

/** Provides the services to this scope and its child scopes, and announces them to other plugins of the host. */
export function provideApi(app: FastifyInstance, context: SvcContext): void {
  provideContext(app, context)
  hostOf(app.server).apis.push(context)
}

/**
 * The services of an API that was registered before in the same host: that of the scope, else the only one.
 * @param restPath path of its REST root, needed if there are several
 * @throws Error with a sentence if there is none, or more than one
 */
export function runningContext(app: FastifyInstance, restPath?: string): SvcContext {
  const scopeContext = contextIn(app)
  if (restPath === undefined && scopeContext) return scopeContext
  const all = hostOf(app.server).apis
  const [context, ...others] =
    restPath === undefined ? all : all.filter(({ site }) => site.restPath === restPath)
  if (context && others.length === 0) return context
  if (all.length === 0) throw new Error('svc-api: register svcApi or svcContext before this plugin.')
  const restPaths = all.map(({ site }) => site.restPath || '/').join(', ')
  throw new Error(`baseUrl: must name one of the APIs that were registered before (${restPaths}).`)
}
