// Reads the host's configuration from environment variables. An invalid value aborts startup with a sentence that names it.
import { existsSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type ReadVariable, type SvcApiOptions, storageFromEnvironment } from 'svc-api'
import { databaseAddress } from './database-address.ts'

/** The configuration of `npm start`. Empty values count as absent. */
export function readEnvironment(variables: NodeJS.ProcessEnv) {
  const read: ReadVariable = (name, form, demand) => {
    const value = variables[name] || undefined
    // Values are not quoted, since some contain passwords.
    if (value !== undefined && !form.test(value)) throw new Error(`${name} ${demand}.`)
    return value
  }
  const address = (name: string): string | undefined => {
    const value = read(name, /^https?:\/\/[^\s?#]+$/, 'must be an http or https address without a query')
    if (value !== undefined && !URL.canParse(value)) throw new Error(`${name} must be an address.`)
    return value?.replace(/\/+$/, '')
  }
  const whole = (name: string, standard: number, most: number, remark = ''): number => {
    const demand = `must be a whole number from 0 to ${most}${remark}`
    const value = Number(read(name, /^\d{1,5}$/, demand) ?? standard)
    if (value > most) throw new Error(`${name} ${demand}.`)
    return value
  }
  return {
    /** 0 means any free port; undefined: 3000 or the next free one. */
    port: variables.PORT ? whole('PORT', 0, 65535, '; 0 takes any free port') : undefined,
    host:
      read('HOST', /^[A-Za-z0-9.:_-]+$/, 'must be an address of this machine, such as 127.0.0.1') ??
      '127.0.0.1',
    baseUrl:
      read('BASE_URL', /^(\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, 'must be a path such as /wp-json') ??
      '/wp-json',
    siteUrl: address('SITE_URL'),
    database: databaseAddress(variables.DATABASE_URL || undefined),
    /** How long to wait for a database that is still starting, in seconds. */
    databaseWait: whole('DATABASE_WAIT', 60, 600),
    tablePrefix:
      read('TABLE_PREFIX', /^[A-Za-z0-9_$]{1,32}$/, 'must be 1 to 32 letters, digits, "_" or "$"') ?? 'wp_',
    uploadsDir: resolve(variables.UPLOADS_DIR || '.data/uploads'),
    uploadsUrl: address('UPLOADS_URL'),
    /** Private host:port pairs from which print files may be fetched. */
    printReadyAllow: read(
      'SVC_PRINT_READY_ALLOW',
      /^\s*(\[[^\s,\]]+\]|[^\s,:]+):\d{1,5}(\s*,\s*(\[[^\s,\]]+\]|[^\s,:]+):\d{1,5})*\s*$/,
      'must be pairs like router.internal:9000, separated by commas',
    )
      ?.split(',')
      .map((pair) => pair.trim()),
    /** Names beside those of SITE_URL, UPLOADS_URL and HOST under which requests may come, for proxies that pass their own. */
    hostNames:
      read(
        'SVC_HOST_NAMES',
        /^\s*[\w.-]+(:\d{1,5})?(\s*,\s*[\w.-]+(:\d{1,5})?)*\s*$/,
        'must be names like shop.internal, separated by commas',
      )
        ?.split(',')
        .map((name) => name.trim()) ?? [],
    exportServiceUrl: address('SVC_EXPORT_SERVICE_URL'),
    storage: storageFromEnvironment(read),
    /** Whether print files are drawn here; undefined: if the packages for it are installed. */
    renderer: { '0': false, '1': true }[read('SVC_RENDERER', /^[01]$/, 'must be 0 or 1') ?? ''],
    /** Tools that agents get; undefined: none. */
    mcp: ({ read: 'read', write: 'write', full: 'full' } as const)[
      read('SVC_MCP', /^(read|write|full)$/, 'must be read, write or full') ?? ''
    ],
    printfulUrl: address('SVC_PRINTFUL_URL'),
    changes: changesFrom(read),
    token: read('SVC_API_TOKEN', /^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits'),
    /** Password of the settings screen; default: a new one at each start, for requests from this machine only. */
    adminPassword: read('SVC_ADMIN_PASSWORD', /^[^\0-\x1f\x7f]{12,}$/, 'must have at least 12 characters'),
    /** Demo content: `1` yes, `0` no; default: only without a CMS. */
    demo: read('SVC_DEMO', /^[01]$/, 'must be 0 or 1'),
    logLevel:
      read(
        'LOG_LEVEL',
        /^(fatal|error|warn|info|debug|trace|silent)$/,
        'must be one of fatal, error, warn, info, debug, trace, silent',
      ) ?? 'warn',
  }
}

/** Who hears of changes, as options of the library. */
function changesFrom(read: ReadVariable): Pick<SvcApiOptions, 'audit' | 'webhooks'> {
  const audit = read('SVC_AUDIT', /^[01]$/, 'must be 0 or 1') === '1'
  const url = read('SVC_WEBHOOK_URL', /^https?:\/\/[^\s#@]+$/, 'must be an http or https address')
  const secret = read(
    'SVC_WEBHOOK_SECRET',
    /^(whsec_)?[A-Za-z0-9+/]{22,}={0,2}$/,
    'must be "whsec_" and at least 16 bytes in base64',
  )
  if (url === undefined) return { audit }
  if (!URL.canParse(url)) throw new Error('SVC_WEBHOOK_URL must be an address.')
  if (secret === undefined)
    throw new Error('SVC_WEBHOOK_SECRET must be set beside SVC_WEBHOOK_URL, because events are signed.')
  // The operator who writes http means a receiver beside this host, such as the example.
  return { audit, webhooks: [{ url, secret, allowInternal: url.startsWith('http:') }] }
}

/**
 * Creates a folder and its parents. Node's own recursive `mkdir` loops forever below /proc.
 * @param variable the environment variable to name in the error
 */
export async function makeFolder(path: string, variable: string): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent)) await makeFolder(parent, variable)
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    const isThere = error.code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()
    if (!isThere) throw new Error(`${variable}: ${path} cannot be made a folder (${error.code}).`)
  })
}
