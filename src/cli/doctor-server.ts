// The findings of `svc-api doctor` about the database server: rights, indexes, clock, SQL modes, size of statements.
import type { Connection } from '../db/connect.ts'
import { inspect } from '../db/inspect.ts'
import { migrateTables } from '../db/migrate.ts'
import { clockLead, missingRights, sqlModes } from '../db/server-settings.ts'
import { shortList } from './command.ts'
import { type Finding, finding } from './finding.ts'

/** Bytes of the largest statement that the API sends: an insert of the largest body. */
const enoughPacket = 64 * 1024 * 1024
/** Seconds by which clocks may differ. */
const tolerableLead = 5
/** Seconds. Receivers of signed webhooks refuse events that are older or newer than five minutes. */
const refusedLead = 300

export async function checkServer(connection: Connection, commandLine = 'npx svc-api'): Promise<Finding[]> {
  return [
    ...(await checkRights(connection)),
    ...(await checkIndexes(connection, commandLine)),
    ...checkPacket(connection),
    ...(connection.dialect.name === 'sqlite' ? [] : [await checkClock(connection)]),
    ...modeFindings(await sqlModes(connection)),
  ]
}

async function checkRights(connection: Connection): Promise<Finding[]> {
  const { db, dialect, t, prefix } = connection
  const inspection = await inspect(db, dialect, t)
  if (inspection.tables.size === 0) return []
  const missing = await missingRights(connection, inspection)
  if (missing === 'read-only')
    return [
      finding(
        'problem',
        'rights',
        'The database is read-only: name the server, or the file, that takes writes.',
      ),
    ]
  if (missing.length === 0) return [finding('ok', 'rights', `The tables ${prefix}… can be read and written.`)]
  const byTable = Map.groupBy(missing, ({ table }) => table)
  const lines = [...byTable].map(([table, rights]) => ({
    table,
    rights: rights.map(({ right }) => right).join(', '),
  }))
  const message = `The user of DATABASE_URL lacks rights: ${shortList(lines.map(({ table, rights }) => `${rights} on ${table}`))}.`
  const repair = lines.map(({ table, rights }) => `GRANT ${rights} ON ${table} TO …;`)
  return [finding('problem', 'rights', message, missing, repair)]
}

async function checkIndexes({ db, dialect, t }: Connection, commandLine: string): Promise<Finding[]> {
  const plan = await migrateTables(db, dialect, t, { dryRun: true, indexes: true })
  const isIndex = (statement: string) => /^CREATE INDEX /.test(statement)
  // Tables that are missing are reported by the check of the tables; "migrate --indexes" creates both.
  if (!plan.every(isIndex)) return []
  if (plan.length === 0) return [finding('ok', 'indexes', 'All indexes exist.')]
  const message = `${plan.length} indexes are missing, so that lists and counts of large shops take longer.`
  return [finding('warning', 'indexes', message, plan, [`${commandLine} migrate --indexes`])]
}

function checkPacket({ maxPacket }: Connection): Finding[] {
  if (maxPacket === undefined || maxPacket >= enoughPacket) return []
  const megabytes = Math.round(maxPacket / 1024 / 1024)
  const message = `max_allowed_packet is ${megabytes} MB: a larger design is refused with 413.`
  return [
    finding('warning', 'packet', message, { maxPacket }, [
      `SET GLOBAL max_allowed_packet = ${enoughPacket};`,
    ]),
  ]
}

async function checkClock(connection: Connection): Promise<Finding> {
  const lead = await clockLead(connection)
  const seconds = Math.abs(lead)
  if (seconds <= tolerableLead)
    return finding('ok', 'clock', 'The clocks of the database and of this machine agree.')
  const message = `The clock of the database is ${seconds} seconds ${lead > 0 ? 'ahead of' : 'behind'} that of this machine.`
  return finding(seconds > refusedLead ? 'problem' : 'warning', 'clock', message, { lead }, [
    'timedatectl set-ntp true',
  ])
}

/** The finding about strict mode. @param modes undefined on SQLite, which has none */
export function modeFindings(modes: readonly string[] | undefined): Finding[] {
  if (modes === undefined) return []
  if (modes.some((mode) => /^STRICT_(TRANS|ALL)_TABLES$/.test(mode)))
    return [finding('ok', 'sql mode', 'The server refuses values that do not fit (strict mode).', modes)]
  const message =
    'The server truncates values that do not fit, because it is not in strict mode. This API checks lengths; other writers may not.'
  return [
    finding('warning', 'sql mode', message, modes, [
      "SET GLOBAL sql_mode = CONCAT(@@GLOBAL.sql_mode, ',STRICT_TRANS_TABLES');",
    ]),
  ]
}
