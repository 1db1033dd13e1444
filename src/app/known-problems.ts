// Problems of tables and of Node.js with which the API works, but which the host should know.
import type { Database } from '../db/connect.ts'
import { misreadsNames } from '../json/parse.ts'

const nonTransactional =
  'These tables have no transactions (MyISAM): a write to several rows that fails may be left half done.'

const refusesMixed =
  'These tables have no transactions (MyISAM), and this server (enforce_gtid_consistency) refuses to write to them and to others in one transaction: many writes will fail until they are converted with ALTER TABLE … ENGINE=InnoDB.'

const misreading =
  'This version of Node.js misreads escaped names in JSON once it has read certain others (nodejs/node#63785). svc-api reads JSON in a way that avoids the fault; other routes of this app are exposed to it.'

interface Log {
  warn(details: object, message: string): void
  info(message: string): void
}

/** Logs the problems, once when a context is built. */
export function logKnownProblems(log: Log, database: Database): void {
  const { tablesWithoutTransactions: tables, mixesEngines } = database
  if (tables.length > 0) log.warn({ tables }, mixesEngines ? nonTransactional : refusesMixed)
  if (misreadsNames()) log.info(misreading)
}
