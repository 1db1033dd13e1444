// The clock of the database, and stored times in the format of the API.
import { sql } from 'kysely'
import type { Connection } from './connect.ts'

/** The current time, to insert into a `time` column: in old installations its default is zero, which strict SQL modes refuse. */
export const currentTime = sql<string>`current_timestamp`

/** ISO 8601 in UTC with seconds; null for null or zero. @param epoch Unix seconds */
export function isoTime(epoch: number | string | null): string | null {
  const seconds = Number(epoch ?? 0)
  return seconds > 0 ? `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z` : null
}

/** ISO 8601 of a DATETIME column in UTC, such as `2026-04-29 10:11:12`; null for null or a zero date. */
export function isoOfUtc(text: string | null): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)/.exec(text ?? '') ?? []
  return date && !date.startsWith('0000') ? `${date}T${time}Z` : null
}

/** Unix seconds by the clock of the database. Times in rows are compared with this one, because the clocks of hosts may differ. */
export async function databaseTime({ db, dialect }: Pick<Connection, 'db' | 'dialect'>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${dialect.now} as ${sql.id('now')}`.execute(db)
  return Number(rows[0]?.now)
}
