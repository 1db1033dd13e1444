// What the host reads from its environment. A value that cannot be meant ends the start with one sentence that names it.
import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** How `npm start` is told where to listen and where the data is. Empty values count as absent. */
export function readEnvironment(variables: NodeJS.ProcessEnv) {
  const read = (name: string, form: RegExp, demand: string): string | undefined => {
    const value = variables[name] || undefined
    // Values are not repeated: some hold passwords.
    if (value !== undefined && !form.test(value)) throw new Error(`${name} ${demand}.`)
    return value
  }
  const address = (name: string): string | undefined => {
    const value = read(name, /^https?:\/\/[^\s?#]+$/, 'must be an http or https address without a query')
    if (value !== undefined && !URL.canParse(value)) throw new Error(`${name} must be an address.`)
    return value?.replace(/\/+$/, '')
  }
  const port = Number(read('PORT', /^\d{1,5}$/, portDemand) ?? 3000)
  if (port > 65535) throw new Error(`PORT ${portDemand}.`)
  return {
    port,
    host:
      read('HOST', /^[A-Za-z0-9.:_-]+$/, 'must be an address of this machine, such as 127.0.0.1') ??
      '127.0.0.1',
    baseUrl:
      read('BASE_URL', /^(\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as /wp-json') ??
      '/wp-json',
    siteUrl: address('SITE_URL'),
    database: database(read('DATABASE_URL', /^(mysql:\/\/.+|sqlite:.+)$/, databaseDemand)),
    tablePrefix:
      read('TABLE_PREFIX', /^[A-Za-z0-9_$]{1,32}$/, 'must be 1 to 32 letters, digits, "_" or "$"') ?? 'wp_',
    uploadsDir: resolve(variables.UPLOADS_DIR || '.data/uploads'),
    uploadsUrl: address('UPLOADS_URL'),
    /** Pairs from which print files are fetched although they are private. */
    printReadyAllow: read(
      'SVC_PRINT_READY_ALLOW',
      /^\s*(\[[^\s,\]]+\]|[^\s,:]+):\d{1,5}(\s*,\s*(\[[^\s,\]]+\]|[^\s,:]+):\d{1,5})*\s*$/,
      'must be pairs like router.internal:9000, separated by commas',
    )
      ?.split(',')
      .map((pair) => pair.trim()),
    exportServiceUrl: address('SVC_EXPORT_SERVICE_URL'),
    token: read('SVC_API_TOKEN', /^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits'),
    /** Demo content: `1` yes, `0` no, absent where no CMS is. */
    demo: read('SVC_DEMO', /^[01]$/, 'must be 0 or 1'),
    logLevel:
      read(
        'LOG_LEVEL',
        /^(fatal|error|warn|info|debug|trace|silent)$/,
        'must be one of fatal, error, warn, info, debug, trace, silent',
      ) ?? 'warn',
  }
}

const portDemand = 'must be a number from 0 to 65535; 0 takes any free port'
const databaseDemand =
  'must be mysql://user:password@host:port/name, user name and password percent-encoded, or sqlite:/path/to/file'

/** An address of either kind; a file's path is made absolute. */
function database(value = 'sqlite:.data/svc.sqlite'): string {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length)
    // In memory, each connection would see a database of its own.
    if (file === ':memory:') throw new Error('DATABASE_URL must name a file after "sqlite:".')
    return `sqlite:${resolve(file)}`
  }
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url?.hostname || url.pathname.length < 2) throw new Error(`DATABASE_URL ${databaseDemand}.`)
  return value
}

/** Why the host did not start, as a sentence that names the variable to look at where there is one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'PORT is taken by another process; choose another one.'
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `HOST or PORT cannot be listened on (${code}).`
  if (syscall === 'mkdir') return `DATABASE_URL or UPLOADS_DIR: ${path} cannot be made a folder (${code}).`
  // The plugin names its options, which are called otherwise here.
  return error.message
    .replace(/^database: /, 'DATABASE_URL: ')
    .replace(/^siteUrl: /, 'SITE_URL: ')
    .replace(/^printReady\.allow: /, 'SVC_PRINT_READY_ALLOW: ')
}

/** Makes a folder and those above it. Node's own recursive `mkdir` tries for ever below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent)) await makeFolder(parent)
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()
    if (!isThere) throw error
  })
}
