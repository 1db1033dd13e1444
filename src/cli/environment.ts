// The environment variables that the commands share with the example host.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { membersOf } from '../core/foreign.ts'
import { assertMysqlUrl } from '../db/database-url.ts'
import { fromJson } from '../json/parse.ts'
import { storageFromEnvironment } from '../storage/environment.ts'
import type { CheckOptions } from '../upkeep/check.ts'
import { UsageError } from './command.ts'
import { reasonOf } from './failure.ts'

/** The values of the environment variables, with defaults. */
export interface Environment {
  /** URL of the database; the path of an SQLite file is absolute. */
  database: string
  /** Path of the SQLite file if it does not exist yet; undefined for one that exists, and for a server. */
  absentFile: string | undefined
  /** Seconds to wait for a database that cannot be reached. */
  databaseWait: number
  tablePrefix: string
  siteUrl: string | undefined
  /** Path of the REST root. */
  baseUrl: string
  uploadsDir: string
  /** Whether the variable UPLOADS_DIR is set. */
  hasUploadsDir: boolean
  /** How messages begin a command line of this program in the current folder: `npx svc-api`, or the script of package.json. */
  commandLine: string
}

/** Reads the variables. @throws UsageError that names the variable and never quotes its value, since some contain passwords */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const database = databaseUrl(variables.DATABASE_URL || 'sqlite:.data/svc.sqlite')
  const file = database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : undefined
  return {
    database,
    absentFile: file !== undefined && !existsSync(file) ? file : undefined,
    databaseWait: secondsOf(variables.DATABASE_WAIT || '0'),
    tablePrefix: prefixOf(variables.TABLE_PREFIX || 'wp_'),
    siteUrl: httpUrl('SITE_URL', variables.SITE_URL || undefined),
    baseUrl: pathOf(variables.BASE_URL || '/wp-json'),
    uploadsDir: resolve(variables.UPLOADS_DIR || '.data/uploads'),
    hasUploadsDir: Boolean(variables.UPLOADS_DIR),
    commandLine: hasScript() ? 'npm run svc-api --' : 'npx svc-api',
  }
}

/** Whether package.json of the current folder has the script `svc-api`, as that of `svc-api init`, whose script reads `.env`. */
function hasScript(): boolean {
  try {
    const { scripts } = membersOf(fromJson(readFileSync('package.json', 'utf8')))
    return typeof membersOf(scripts)['svc-api'] === 'string'
  } catch {
    return false
  }
}

/** A URL without trailing slashes; undefined stays undefined. @param name of the variable @throws UsageError */
export function httpUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  if (!/^https?:\/\/[^\s?#@]+$/.test(value) || !URL.canParse(value))
    throw new UsageError(`${name} must be an http or https URL without a query or a password.`)
  return value.replace(/(?<!\/)\/+$/, '')
}

function databaseUrl(value: string): string {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length)
    if (file === '' || file === ':memory:')
      throw new UsageError('DATABASE_URL must name a file after "sqlite:".')
    return `sqlite:${resolve(file)}`
  }
  try {
    assertMysqlUrl(value)
  } catch (error) {
    throw new UsageError(reasonOf(error, value))
  }
  return value
}

function secondsOf(value: string): number {
  if (!/^\d{1,3}$/.test(value) || Number(value) > 600)
    throw new UsageError('DATABASE_WAIT must be a whole number of seconds from 0 to 600.')
  return Number(value)
}

function prefixOf(value: string): string {
  if (!/^[A-Za-z0-9_$]{1,32}$/.test(value))
    throw new UsageError('TABLE_PREFIX must be 1 to 32 letters, digits, "_" or "$".')
  return value
}

function pathOf(value: string): string {
  if (!/^(\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/.test(value))
    throw new UsageError('BASE_URL must be a path such as /wp-json.')
  return value
}

/** The database for display, without user and password. */
export function databaseLabel(url: string): string {
  if (url.startsWith('sqlite:')) return url.slice('sqlite:'.length)
  const { host, pathname } = new URL(url)
  return `${decodeURIComponent(pathname.slice(1))} on ${host}`
}

/**
 * The environment of a command that must not look at, or create, another database than that of the host.
 * @throws Error if neither DATABASE_URL names a database nor the default file exists
 */
export function namedInstallation(variables: NodeJS.ProcessEnv): Environment {
  const environment = readEnvironment(variables)
  const { absentFile, commandLine } = environment
  if (absentFile === undefined || variables.DATABASE_URL) return environment
  const remedy = commandLine.startsWith('npm run')
    ? `"${commandLine} …" runs a command with the settings of your host.`
    : 'Set it to the database of your host.'
  throw new Error(`DATABASE_URL is not set, and ${absentFile} does not exist. ${remedy}`)
}

/** The environment of a command that needs a database. @throws Error if the SQLite file does not exist, which opening would create */
export function existingInstallation(variables: NodeJS.ProcessEnv): Environment {
  const environment = namedInstallation(variables)
  const { absentFile } = environment
  if (absentFile === undefined) return environment
  throw new Error(`DATABASE_URL: ${absentFile} does not exist. "svc-api migrate" creates it.`)
}

/** The options `uploads` and `storage` of functions that work on files. */
export function fileStorages(
  variables: NodeJS.ProcessEnv,
  { uploadsDir, siteUrl }: Environment,
): Pick<CheckOptions, 'uploads' | 'storage'> {
  const site = siteUrl ?? 'http://127.0.0.1:3000'
  const url = httpUrl('UPLOADS_URL', variables.UPLOADS_URL || undefined) ?? `${site}/uploads`
  const storage = storageFromEnvironment((name) => variables[name] || undefined)
  return { uploads: { dir: uploadsDir, url }, storage }
}
