// The context plugin: connects, builds the services and makes them known to the groups of its scope. Adds no route.
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkOptions } from '../../src/check-options.ts'
import { createContext, provideContext, type SvcContextOptions } from '../../src/context.ts'
import { contextPlugin } from '../../src/http/group.ts'
import { contextOptions } from './options-schema.ts'

export type { MetaChange, SvcContextOptions } from '../../src/context.ts'

/**
 * Register it once in a scope, then the groups you want in the same scope. Each group brings its own authentication,
 * error answers, parsers and validators, so nothing of that reaches the rest of the app.
 * @throws Error with a sentence when an option is wrong or the database cannot be used
 */
const svcContext: FastifyPluginAsync<SvcContextOptions> = async (app, options) => {
  checkOptions(contextOptions, options)
  provideContext(app, await createContext(app, options))
}

export default fp(svcContext, { name: contextPlugin, fastify: '5.x' })
