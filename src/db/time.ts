// Times in the format of the API.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

/** Now, for a column with a time: tables of old installations have a default of zero, which strict modes refuse. */
export const currentTime = sql<string>`current_timestamp`

/** ISO 8601 in UTC with seconds; null if the column has no time. */
export function isoTime(epoch: number | string | null): string | null {
  const seconds = Number(epoch ?? 0)
  return seconds > 0 ? `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z` : null
}

/** The same for a DATETIME column in UTC, such as `2026-04-29 10:11:12`. */
export function isoOfUtc(text: string | null): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text ?? '') ?? []
  return date && !date.startsWith('0000') ? `${date}T${time}Z` : null
}

/** Unix seconds by the clock of the database, with which rows are compared: the clocks of hosts may differ. */
export async function databaseTime({ db, dialect }: Pick<Connection, 'db' | 'dialect'>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${dialect.now} as ${sql.id('now')}`.execute(db)
  return Number(rows[0]?.now)
}
