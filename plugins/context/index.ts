// The context plugin: connects to the database, builds the services and provides them to the groups in its scope.
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { createContext } from '../../src/app/context.ts'
import { contextOptions, type SvcContextOptions } from '../../src/app/context-options.ts'
import { checkOptions } from '../../src/core/check-options.ts'
import { contextPlugin } from '../../src/http/group.ts'
import { provideApi } from '../../src/http/running-apis.ts'

export type { SvcContextOptions } from '../../src/app/context-options.ts'
export type { MetaChange } from '../../src/orders/source.ts'

/** Checks the options, and provides the services to the scope; exported below as a plugin of that scope. */
const svcContext: FastifyPluginAsync<SvcContextOptions> = async (app, options) => {
  checkOptions(contextOptions, options)
  const context = await createContext(app, options)
  provideApi(app, context)
}

/**
 * The services that every group needs. Register it once in a scope, then the groups you want in the same scope. It adds no
 * routes; each group brings its own authentication, error responses, parsers and validators, which affect no other
 * routes of the app.
 * @throws Error with one sentence when an option is invalid or the database cannot be used
 * @example
 * await app.register(async (scope) => {
 *   await scope.register(svcContext, { siteUrl: 'https://shop.example', database: 'sqlite:shop.sqlite' })
 *   await scope.register(products, { prefix: '/wp-json/svc/v1/products' })
 * })
 */
export default fp(svcContext, { name: contextPlugin, fastify: '5.x' })
