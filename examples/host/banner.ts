// What the host prints once it serves, and the commands that it also shows on its first page.
import { join, relative } from 'node:path'
import { databaseLabel } from './database-address.ts'
import type { readEnvironment } from './environment.ts'

interface Facts {
  env: ReturnType<typeof readEnvironment>
  /** Address of this host. */
  own: string
  /** Path of the API. */
  api: string
  /** The token where it was made by this start. */
  token?: string | undefined
  uploadsUrl: string
  admin: { user: string; password: string }
  hasRenderer: boolean
}

export const isLoopback = (host: string): boolean => /^(?:127\.|::1$|localhost$)/.test(host)

/** A request to list products, and one to print an order if there is one. */
export function commandsOf(
  { own, api, hasRenderer }: Facts,
  authorization: string,
  order: number | undefined,
) {
  const list = { about: 'List the products', line: `curl -H ${authorization} '${own}${api}/products'` }
  if (order === undefined || !hasRenderer) return [list]
  const body = '{"type":"shortcode"}'
  return [
    list,
    {
      about: 'Print file of an order',
      line: `curl -H ${authorization} -H 'Content-Type: application/json' -d '${body}' '${own}${api}/orders/${order}/export'`,
    },
  ]
}

/** The header, with a command in place of the token. */
export const authorizationByCommand = () => `"Authorization: Bearer $(${tokenCommand()})"`

export function banner(facts: Facts, order: number | undefined): string {
  const { env, own, api, token, uploadsUrl, admin, hasRenderer } = facts
  // Elsewhere the output may go to a log that others read.
  const shown = isLoopback(env.host) ? token : undefined
  const authorization = shown ? `'Authorization: Bearer ${shown}'` : authorizationByCommand()
  const commands = commandsOf(facts, authorization, order)
  const password = env.adminPassword ? 'as SVC_ADMIN_PASSWORD says' : admin.password
  return `
Open first    ${own}/
Listening on  ${own}
API token     ${shown ?? 'is not shown here'}
              To see it, in this environment: ${tokenCommand()}
Database      ${databaseLabel(env.database)}, table prefix ${env.tablePrefix}
Uploads       ${env.uploadsDir}, served as ${uploadsUrl}
${hasRenderer || env.renderer === false ? '' : 'Print files   are not drawn here: npm install pdfkit, and start again\n'}Desk          ${own}/desk, for those who print
Settings      ${own}/settings, user ${admin.user}, password ${password}${env.mcp ? `\nAgent tools   ${own}${api}/mcp, mode ${env.mcp}` : ''}

First request:
${commands.map(({ line }) => line).join('\n\nPrint file of an order:\n')}
`
}

/** The command that prints the token, matching how and where this host was started. */
function tokenCommand(): string {
  if (process.argv[2] === 'serve') return 'npx svc-api token'
  if (process.env.npm_lifecycle_event === 'start') return 'npm run --silent token'
  const program = [process.execPath, relative(process.cwd(), join(import.meta.dirname, 'token.ts'))]
  return program
    .map((path) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`))
    .join(' ')
}
