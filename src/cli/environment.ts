// The environment variables that the commands share with the example host, and the work that commands do on the database that
// they name: it waits for a database that is still starting, and reports progress after a second.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../db/connect.ts'
import { assertMysqlUrl } from '../db/database-url.ts'
import { storageFromEnvironment } from '../storage/environment.ts'
import type { CheckOptions } from '../upkeep/check.ts'
import { type Invocation, type Output, UsageError } from './command.ts'
import { reasonOf } from './failure.ts'

/** The values of the environment variables, with defaults. */
export interface Environment {
  /** URL of the database; the path of an SQLite file is absolute. */
  database: string
  /** Path of the SQLite file that does not exist yet. */
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

/** The environment of a command that needs a database. @throws Error if the SQLite file does not exist, which opening would create */
export function existingInstallation(variables: NodeJS.ProcessEnv): Environment {
  const environment = readEnvironment(variables)
  const { absentFile } = environment
  if (absentFile === undefined) return environment
  if (!variables.DATABASE_URL)
    throw new Error(
      `DATABASE_URL is not set, and ${absentFile} does not exist. Set it to the database of your host.`,
    )
  throw new Error(`DATABASE_URL: ${absentFile} does not exist. "svc-api migrate" creates it.`)
}

/** Milliseconds until the first progress line. */
const firstReport = 1000
/** Milliseconds between the following ones. */
const reportInterval = 5000
/** Milliseconds between two attempts to connect. */
const retryPause = 500

/** Sets how far the work is, for the next progress line. */
export type Report = (state: string) => void

/**
 * Runs `work` as soon as the database responds, or after the time of DATABASE_WAIT.
 * @param what begins the progress lines, for example `Reading the stored values`
 * @param work may report how far it is, for example `wp_svc_views, 1200 rows`
 */
export const whenDatabaseResponds = <T>(
  { say }: Output,
  environment: Environment,
  what: string,
  work: (report: Report) => Promise<T>,
): Promise<T> =>
  withProgress(say, what, async (report) => {
    await reachDatabase(environment)
    return work(report)
  })

/** Runs `work` on the installation of the environment, whose SQLite file must exist, as soon as the database responds. */
export function onExistingInstallation<T>(
  invocation: Pick<Invocation, keyof Output | 'variables'>,
  what: string,
  work: (installation: Pick<Environment, 'database' | 'tablePrefix'>, environment: Environment) => Promise<T>,
): Promise<T> {
  const environment = existingInstallation(invocation.variables)
  const { database, tablePrefix } = environment
  return whenDatabaseResponds(invocation, environment, what, () =>
    work({ database, tablePrefix }, environment),
  )
}

/** Runs `work`. If it takes longer than a second, prints what is being done, and again every five seconds. */
export async function withProgress<T>(
  say: Output['say'],
  what: string,
  work: (report: Report) => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  let state = ''
  const printProgress = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    say(`${what}${state && `: ${state}`} (${seconds} s)`)
    timer = setTimeout(printProgress, reportInterval).unref()
  }
  let timer = setTimeout(printProgress, firstReport).unref()
  try {
    return await work((newState) => {
      state = newState
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the database responds, after DATABASE_WAIT, or at once if another error shows that waiting is in vain. */
async function reachDatabase({ database, databaseWait, absentFile }: Environment): Promise<void> {
  const end = performance.now() + databaseWait * 1000
  while (absentFile === undefined && performance.now() < end) {
    const isUnreachable = await connect({ database }).then(
      async (connection) => {
        await connection.close()
        return false
      },
      (error) => Reflect.get(Object(error), 'code') === 'svc_unavailable',
    )
    if (!isUnreachable) return
    await delay(Math.max(0, Math.min(retryPause, end - performance.now())))
  }
}

/** The options of the functions of the library about files. */
export function fileStorages(
  variables: NodeJS.ProcessEnv,
  { uploadsDir, siteUrl }: Environment,
): Pick<CheckOptions, 'uploads' | 'storage'> {
  const site = siteUrl ?? 'http://127.0.0.1:3000'
  const url = httpUrl('UPLOADS_URL', variables.UPLOADS_URL || undefined) ?? `${site}/uploads`
  const storage = storageFromEnvironment((name) => variables[name] || undefined)
  return { uploads: { dir: uploadsDir, url }, storage }
}
