// Functions of the package for the audit trail and the events of webhooks; each opens the database for itself.
import { checkOptions } from '../core/check-options.ts'
import { type Connection, connect, databaseOn } from '../db/connect.ts'
import type { DatabaseSettings } from '../db/options.ts'
import type { TableName } from '../db/tables.ts'
import { type AuditEntry, auditTrail } from './audit.ts'
import { outboxEvents, type WebhookEvent } from './outbox-events.ts'
import { type AuditQuery, auditQuery, replayQuery, type WebhookQuery, webhookQuery } from './queries.ts'

/** The option that needs each table. If the table is missing, the option is off, because a server would not start without it. */
const optionOfTable = { api_audit: 'the option audit', api_outbox: 'the option webhooks' } as const

/** Opens the database, runs `work`, and closes it. @throws Error if the table is missing */
async function withTable<T>(
  settings: DatabaseSettings,
  table: keyof typeof optionOfTable & TableName,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(settings)
  try {
    const { tables, t } = await databaseOn(connection)
    if (!tables.has(table))
      throw new Error(
        `database: ${t[table]} is missing, so ${optionOfTable[table]} is off in every server. Call migrate() once, or pass migrate: true, to create what is missing.`,
      )
    return await work(connection)
  } finally {
    await connection.close()
  }
}

/**
 * The entries of the audit trail, newest first.
 * @param query the database, see {@link DatabaseSettings}, and filters, see {@link AuditQuery}
 * @throws Error with one sentence if an option is wrong, the database cannot be used, or the table is missing
 * @example
 * const entries = await auditEntries({ database, resource: 'pricing_rule', id: 7, since: new Date('2026-01-01') })
 */
export async function auditEntries(query: DatabaseSettings & AuditQuery): Promise<AuditEntry[]> {
  checkOptions(auditQuery, query)
  return withTable(query, 'api_audit', (connection) => auditTrail(connection).list(query))
}

/**
 * The events of webhooks that wait or are dead, oldest first.
 * @throws Error with one sentence if an option is wrong, the database cannot be used, or the table is missing
 * @example
 * const dead = await webhookEvents({ database, dead: true })
 */
export async function webhookEvents(query: DatabaseSettings & WebhookQuery): Promise<WebhookEvent[]> {
  checkOptions(webhookQuery, query)
  return withTable(query, 'api_outbox', (connection) => outboxEvents(connection).list(query))
}

/**
 * Sends an event of a webhook again, or all dead ones, with the same ids as before. A running server delivers them.
 * @param query the database, and the `id` of an event or `dead: true`
 * @returns how many deliveries were started: an event has one for each endpoint
 * @throws Error with one sentence if an option is wrong, the database cannot be used, or the table is missing
 * @example
 * await replayWebhooks({ database, dead: true })
 */
export async function replayWebhooks(
  query: DatabaseSettings & ({ id: string } | { dead: true }),
): Promise<number> {
  checkOptions(replayQuery, query)
  const { id, dead } = query as { id?: string; dead?: boolean }
  if ((id === undefined) !== (dead === true)) throw new Error('id or dead: exactly one of them is required.')
  return withTable(query, 'api_outbox', async (connection) => {
    const events = outboxEvents(connection)
    return id === undefined ? events.replayDead() : events.replay(id)
  })
}
