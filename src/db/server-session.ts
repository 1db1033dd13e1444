// Reads engine, version and limits of the database at startup, and refuses connections whose settings would damage data.
import { type Kysely, sql } from 'kysely'
import { errorCode } from '../core/foreign.ts'
import { type Dialect, mysqlDialect, sqliteDialect } from './dialects.ts'
import { errnoOf } from './mysql-errors.ts'
import type { Tables } from './tables.ts'

/** Facts about the database that hold for all its connections. */
export interface ServerSession {
  dialect: Dialect
  /** Product and version, for people. @example 'MariaDB 10.11.19' */
  server: string
  /** Whether a transaction may write to tables with transactions and to others. */
  mixesEngines: boolean
  /** Maximum size of a statement in bytes; undefined on SQLite. */
  maxPacket: number | undefined
  /** Length from which a value of GROUP_CONCAT may have been truncated; undefined on SQLite, which never truncates. */
  maxConcat: number | undefined
}

/** Bytes after which MySQL truncates GROUP_CONCAT by default; MariaDB has a longer limit. */
const defaultConcat = 1024

/** @throws Error with one sentence if the server cannot be used as it is set up, or what the driver throws */
export async function inspectSession(db: Kysely<Tables>): Promise<ServerSession> {
  const sqlite = await sqliteVersion(db)
  if (sqlite !== undefined)
    return {
      dialect: sqliteDialect,
      server: `SQLite ${sqlite}`,
      mixesEngines: true,
      maxPacket: undefined,
      maxConcat: undefined,
    }
  const { rows } = await sql<
    Record<'version' | 'client' | 'results' | 'letter' | 'name', string | null> & {
      packet: unknown
      concat: unknown
    }
  >`
    select version() as version, @@character_set_client as client,
      @@character_set_results as results, @@max_allowed_packet as packet, @@group_concat_max_len as concat,
      hex('ä') as letter, database() as name`.execute(db)
  const session = rows[0]
  if (typeof session?.version !== 'string' || typeof session.packet !== 'number') {
    throw new Error(
      'database: the connection must return rows as objects, text as strings and BIGINT as numbers; do not set rowsAsArray, nestTables, typeCast or bigNumberStrings.',
    )
  }
  if (session.name === null) throw new Error('database: the connection has no database selected.')
  if (session.client !== 'utf8mb4' || session.results !== 'utf8mb4') {
    throw new Error(
      `database: the connection's charset is ${session.client}/${session.results}; it must be utf8mb4, or characters would be lost.`,
    )
  }
  // A driver that writes another charset than the server reads could end a value in its middle.
  if (session.letter !== 'C3A4') {
    throw new Error(
      'database: texts reach the server in another charset than utf8mb4; set it in the driver alone, without SET statements.',
    )
  }
  // Other connections of a host's pool may have MySQL's default.
  const maxConcat = Math.min(Number(session.concat), defaultConcat)
  const server = serverName(session.version)
  const mixesEngines = await mayMixEngines(db)
  return { dialect: mysqlDialect, server, mixesEngines, maxPacket: session.packet, maxConcat }
}

/** Whether one transaction may write to tables with and without transactions. MariaDB does not know the setting that forbids it. */
async function mayMixEngines(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ Value: string }>`show variables like 'enforce_gtid_consistency'`.execute(db)
  return rows[0]?.Value !== 'ON'
}

/** Product and version. The version string of MariaDB contains its name. */
const serverName = (version: string): string =>
  `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${/^[\d.]*\d/.exec(version)?.[0] ?? version}`

/** Errors for a wrong user, password or database: access denied (three kinds), no such database. */
const refusals = new Set([1044, 1045, 1698, 1049])

/** Messages of Node for a connection that broke before it was encrypted, as with a database that is just starting. */
const brokenConnection = /disconnected|hang up|ECONNRESET|EPIPE|ETIMEDOUT/i

/** Why a connection cannot be encrypted, which no retry changes; undefined for any other error. */
function tlsProblem(error: unknown): string | undefined {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'the server offers no TLS'
  if (code !== 'HANDSHAKE_SSL_ERROR' || brokenConnection.test(message)) return undefined
  return message.split(/[\n;]/)[0]?.trim()
}

/** The version of SQLite; undefined on MySQL and MariaDB. @throws Error with one sentence if the connection cannot be used */
async function sqliteVersion(db: Kysely<Tables>): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
    return rows[0]?.version ?? ''
  } catch (error) {
    const errno = errnoOf(error)
    // "No such function" on MySQL and MariaDB; MySQL first misses a database to look in.
    if ([1305, 1370, 1128, 1046].includes(errno)) return undefined
    const problem = tlsProblem(error)
    if (problem)
      throw new Error(`database: the connection cannot be encrypted: ${problem}.`, { cause: error })
    // A wrong password or name closes the connection, too, but a retry does not help.
    if (!refusals.has(errno) && mysqlDialect.isUnavailable(error)) throw error
    if (errno > 0)
      // The server's message names the user.
      throw new Error(`database: the server refuses the connection (${errorCode(error)}).`)
    throw new Error('database: this is neither MySQL, MariaDB nor SQLite.', { cause: error })
  }
}
