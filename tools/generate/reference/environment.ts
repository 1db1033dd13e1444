// environment.md: the variables of the example host and the commands. Which there are, and what they must be, the host says itself.
import { readEnvironment } from '../../../examples/host/environment.ts'
import { remoteStorages } from '../../../src/storage/remote-storages.ts'
import { code, pageHead, prose, table } from './markdown.ts'

/** Default and meaning. */
export const variables: Readonly<Record<string, readonly [standard: string, meaning: string]>> = {
  PORT: ['`3000`, or the next free port', 'Port to listen on.'],
  HOST: ['`127.0.0.1`', 'Interface to listen on.'],
  BASE_URL: ['`/wp-json`', 'Path of the REST root.'],
  SITE_URL: ['`http://HOST:PORT`, with `localhost` for `0.0.0.0` and `::`', 'Public URL.'],
  SVC_HOST_NAMES: [
    'none',
    'Names, separated by commas, that requests may have in `Host` beside those of `SITE_URL`, `UPLOADS_URL` and `HOST`, `localhost` and addresses; any other is 421.',
  ],
  DATABASE_URL: ['`sqlite:.data/svc.sqlite`', 'Database of the shop.'],
  DATABASE_WAIT: ['`60`', 'Seconds to wait for a database that is still starting.'],
  UPLOADS_DIR: ['`.data/uploads`', 'Served under `/uploads/`.'],
  UPLOADS_URL: ['`SITE_URL/uploads`', 'Public URL of that folder.'],
  SVC_API_TOKEN: ['the stored one, or a new one', 'Replaces the stored token at startup.'],
  SVC_ADMIN_PASSWORD: [
    'a new one at each start',
    'Password of the user `admin` of the settings screen under `/settings` and the desk under `/desk`.',
  ],
  SVC_PRINT_READY_ALLOW: [
    'none',
    'Pairs `host:port`, separated by commas, from which print files are downloaded although they are private.',
  ],
  SVC_RENDERER: ['`1` if `pdfkit` is installed', 'Whether print files and previews are drawn here.'],
  SVC_MCP: ['none', 'Serves the tools for agents in this mode.'],
  SVC_EXPORT_SERVICE_URL: ['none', 'URL of the export service.'],
  SVC_PRINTFUL_URL: ['`https://api.printful.com`', 'Base URL of the Printful API.'],
  SVC_AUDIT: ['`0`', '`1` keeps who changed what: `svc-api audit`, and the page Changes of the desk.'],
  SVC_WEBHOOK_URL: [
    'none',
    'Sends every change to this URL: `svc-api webhooks`, and the page Deliveries of the desk. An http URL, and only that, may name a private server.',
  ],
  SVC_WEBHOOK_SECRET: ['none', 'Signs the events (Standard Webhooks); the receiver needs the same.'],
  SVC_STORAGE: [
    "from the shop's settings",
    '`none` or the name of a remote storage: where uploads and print files go. Setting a bucket or Dropbox token selects that storage.',
  ],
  ...Object.fromEntries(
    remoteStorages.flatMap(({ variables }) =>
      Object.values(variables).map(({ name, standard, meaning }) => [name, [standard, meaning] as const]),
    ),
  ),
  SVC_DEMO: [
    'on unless the database belongs to a CMS',
    "`0` never adds demo content, `1` adds it to a CMS's database as well; only ever to an empty catalog.",
  ],
  LOG_LEVEL: ['`warn`', 'What is logged: this level and those above it.'],
  TABLE_PREFIX: ['`wp_`', 'Prefix of the tables of the CMS.'],
  SVC_API_URL: [
    'none',
    'URL of a running API whose tools `svc-api mcp` serves, instead of those of the database.',
  ],
}

/** Of the commands alone. */
export const commandVariables = ['SVC_API_URL'] as const

/** Names in the order in which the host reads them. */
export function variablesOfHost(): string[] {
  const names = new Set<string>()
  const spy = new Proxy({} as NodeJS.ProcessEnv, {
    get(_target, name) {
      names.add(String(name))
      return undefined
    },
  })
  readEnvironment(spy)
  return [...names]
}

/** The rest of the sentence with which the host refuses a value; empty if it takes any. */
function demandOf(name: string): string {
  try {
    readEnvironment({ [name]: '\u0001' })
    return ''
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    return message.startsWith(`${name} must `) ? message.slice(name.length + 1) : ''
  }
}

function row(name: string): string[] {
  const [standard = '', meaning = ''] = variables[name] ?? []
  const demand = demandOf(name)
  return [code(name), standard, [meaning, demand && `It ${prose(demand)}`].filter(Boolean).join(' ')]
}

export function environmentPage(): string {
  const text = `The example host (\`npm start\`, \`npx svc-api serve\`) and the [commands](commands.md) read these variables; the plugin itself reads
none. An empty value counts as absent. An invalid one aborts startup with one sentence that names the variable and never its
value. The commands take \`DATABASE_URL\`, \`DATABASE_WAIT\` (here 0), \`TABLE_PREFIX\`, \`SITE_URL\`, \`BASE_URL\` and
\`UPLOADS_DIR\`, and \`svc-api mcp\` takes \`SVC_API_URL\` and \`SVC_API_TOKEN\`.`
  const names = [...variablesOfHost(), ...commandVariables]
  return `${pageHead('Environment', 'the example host', text)}\n${table(['Variable', 'Default', 'Meaning'], names.map(row))}`
}
