// Work that commands do on the database of the environment: it waits for a database that is still starting, and reports progress after
// a second.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../core/foreign.ts'
import { connect } from '../db/connect.ts'
import type { Invocation, Output } from './command.ts'
import { type Environment, existingInstallation } from './environment.ts'

/** Milliseconds until the first progress line. */
const firstReport = 1000
/** Milliseconds between the following ones. */
const reportInterval = 5000
/** Milliseconds between two attempts to connect. */
const retryPause = 500

/** Sets how far the work is, for the next progress line. */
export type ReportProgress = (state: string) => void

/**
 * Runs `work` as soon as the database responds, or after the time of DATABASE_WAIT in any case: its error then says what is wrong.
 * @param what begins the progress lines, for example `Reading the stored values`
 * @param work may report how far it is, for example `wp_svc_views, 1200 rows`
 */
export const whenDatabaseResponds = <T>(
  { say }: Output,
  environment: Environment,
  what: string,
  work: (report: ReportProgress) => Promise<T>,
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
  work: (report: ReportProgress) => Promise<T>,
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

/** Resolves when the database responds, after DATABASE_WAIT, or at once if it fails for another reason than being unreachable. */
async function reachDatabase({ database, databaseWait, absentFile }: Environment): Promise<void> {
  const end = performance.now() + databaseWait * 1000
  while (absentFile === undefined && performance.now() < end) {
    const isUnreachable = await connect({ database }).then(
      async (connection) => {
        await connection.close()
        return false
      },
      (error) => errorCode(error) === 'svc_unavailable',
    )
    if (!isUnreachable) return
    await delay(Math.max(0, Math.min(retryPause, end - performance.now())))
  }
}
