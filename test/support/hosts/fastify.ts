// Fastify as the tests' hosts use it: a busy machine may take longer than its ten seconds to start a plugin.
import create, { type FastifyInstance, type FastifyServerOptions } from 'fastify'

/** A host whose plugins may take their time. */
export const Fastify = (options: FastifyServerOptions = {}): FastifyInstance =>
  create({ pluginTimeout: 120_000, ...options })
