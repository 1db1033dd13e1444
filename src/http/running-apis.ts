// The registrations of this API in one host, so that other plugins find them.
import type { FastifyInstance } from 'fastify'
import { contextIn, provideContext, type SvcContext } from '../app/context.ts'

interface Host {
  /** In the order of their registration. */
  apis: SvcContext[]
  /** Path prefixes for which `deferContinue` has been called; undefined before the first call. */
  gated: Set<string> | undefined
}

/** By HTTP server: nothing else is shared by all scopes of a host, and no scope of the host may be decorated. */
const hosts = new WeakMap<object, Host>()

/** The entry of the host with this HTTP server. */
export function hostOf(server: object): Host {
  const host = hosts.get(server) ?? { apis: [], gated: undefined }
  hosts.set(server, host)
  return host
}

/** Provides the services of a registration to this scope and its child scopes, and lists them for `runningContext`. */
export function provideApi(app: FastifyInstance, context: SvcContext): void {
  provideContext(app, context)
  hostOf(app.server).apis.push(context)
}

/**
 * The services of a registration for a plugin beside it, such as the desk: those of the scope, or else of the only registration before
 * in the same host.
 * @param restPath path of the REST root of the registration; required if there are several
 * @throws Error with a sentence if there is none, or more than one
 */
export function runningContext(app: FastifyInstance, restPath?: string): SvcContext {
  const scopeContext = contextIn(app)
  if (restPath === undefined && scopeContext) return scopeContext
  const { apis } = hostOf(app.server)
  const matching = restPath === undefined ? apis : apis.filter(({ site }) => site.restPath === restPath)
  const [context] = matching
  if (context && matching.length === 1) return context
  if (apis.length === 0) throw new Error('svc-api: register svcApi or svcContext before this plugin.')
  const restPaths = apis.map(({ site }) => site.restPath || '/').join(', ')
  throw new Error(`baseUrl: must name one of the APIs that were registered before (${restPaths}).`)
}
