// The options of the MCP server.
import { Type } from '@sinclair/typebox'
import { type OptionsOf, oneOf, optionsObject } from '../../src/core/check-options.ts'
import { modes } from '../../src/mcp/tools.ts'

const origins = Type.Array(Type.String({ must: 'be an origin such as https://agent.example' }), {
  must: 'be an array of origins',
})

/** Schema of the options. */
export const mcpOptions = optionsObject(
  {
    /**
     * Tools that are offered: `read` only reads, `write` also creates and updates, `full` also deletes. A client may ask for
     * less by `?mode=read`. Default `full`.
     */
    mode: Type.Optional(oneOf(modes, 'be "read", "write" or "full"')),
    /** Origins of browsers that may connect, in addition to the site's own. Default none. @example ['https://agent.example'] */
    origins: Type.Optional(Type.Unsafe<readonly string[]>(origins)),
  },
  'be an object with mode and origins',
)

/** The options of the MCP server. */
export interface McpOptions extends OptionsOf<(typeof mcpOptions)['properties']> {}
