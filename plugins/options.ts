// The options of the root plugin.
import { Type } from '@sinclair/typebox'
import { contextProperties, type SvcContextOptions } from '../src/app/context-options.ts'
import { fastifyOptions, type OptionsOf, optionsObject } from '../src/core/check-options.ts'
import { type McpOptions, mcpOptions } from './mcp/options.ts'

const rootOptions = {
  /**
   * Path of a readiness route without a token, e.g. `/ready`: 200 `{"ready": true}` when the database responds, else 503.
   * Default: no such route.
   */
  readinessPath: Type.Optional(
    Type.String({ pattern: '^/[^\\s?#:*]*$', must: 'be a path that starts with "/", such as "/ready"' }),
  ),
  /**
   * Serves the operations as tools for agents under `{baseUrl}/svc/v1/mcp`. Needs `@modelcontextprotocol/server`. Default
   * off. @example { mode: 'read' }
   */
  mcp: Type.Optional(
    Type.Union([Type.Boolean(), Type.Unsafe<McpOptions>(mcpOptions)], {
      must: 'be true, false or an object such as { mode: "read" }',
    }),
  ),
}

const properties = { ...contextProperties, ...rootOptions }

/** The options of the whole API. Only `database` is required. */
export interface SvcApiOptions extends SvcContextOptions, OptionsOf<typeof rootOptions> {}

/** The schema of the options of the API plugin, checked when it is registered. */
export const apiOptions = optionsObject(
  {
    ...properties,
    ...fastifyOptions,
    prefix: Type.Optional(
      Type.String({
        pattern: '^(/.*)?$',
        must: 'be a path that starts with "/"; the prefix of the tables is the option tablePrefix',
      }),
    ),
  },
  'be an object that names the database',
)
