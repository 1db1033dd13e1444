// Wraps routes as a group of this API: a plugin with a Fastify scope of its own.
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import fp from 'fastify-plugin'
import { contextOf, type SvcContext } from '../app/context.ts'
import { type Declaration, type GroupName, groups } from '../core/groups.ts'
import { prepareScope } from './group-scope.ts'
import type { TypeBoxProvider } from './schema.ts'

/** A Fastify scope whose routes are typed by their TypeBox schemas. */
export type GroupScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

/** The part of the path that `*` matches; never empty. */
export interface Rest {
  Params: { '*': string }
}

/** Name of the context plugin in Fastify. */
export const contextPlugin = 'svc-api-context'

/** A group as a plugin of Fastify, with its declaration. */
export type GroupPlugin = FastifyPluginAsync & { readonly declaration: Declaration }

/** Adds the routes of a group to its scope. */
type Routes = (app: GroupScope, context: SvcContext, declaration: Declaration) => void

/**
 * Wraps the routes of a group as a plugin that leaks nothing into the host and does not start without a context. Scopes,
 * toggle, error codes, events, counts, documents, tools and the client follow from `groups` in `src/core` and the schemas of
 * the routes.
 */
export function group(name: GroupName, routes: Routes): GroupPlugin {
  // Each `GroupName` has an entry.
  const declaration = groups.find((entry) => entry.name === name) as Declaration
  return Object.assign(asPlugin(declaration, routes), { declaration })
}

/** A group of undocumented routes: it has no toggle, and any valid token or login suffices. */
export const unscopedGroup = (name: string, routes: Routes): FastifyPluginAsync =>
  asPlugin({ name, path: '', access: 'login' }, routes)

function asPlugin(group: Declaration, routes: Routes): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = async (app) => {
    const context = contextOf(app)
    context.groups.add(group.name)
    const paths = prepareScope(app, context, group)
    routes(app.withTypeProvider<TypeBoxProvider>(), context, group)
    paths.addMethods(app)
  }
  return fp(plugin, {
    name: `svc-api-${group.name}`,
    fastify: '5.x',
    encapsulate: true,
    dependencies: [contextPlugin],
  })
}
