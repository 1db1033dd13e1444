// The audit trail: rows of `svc_api_audit`, written with each change, read back by filters, and removed after some time.
import type { Change } from '../core/change.ts'
import type { Connection } from '../db/connect.ts'
import { isoTime } from '../db/time.ts'
import type { AuditQuery } from './queries.ts'
import { removeOld, rowInserts } from './row-inserts.ts'

/** One entry of the audit trail: a change, and when it was made. */
export interface AuditEntry extends Change {
  /** Time by the database's clock, ISO 8601. */
  at: string
}

/** Columns of a new entry, besides its time. */
const entryColumns = [
  ...(['operation', 'resource', 'resource_id', 'action', 'principal_kind', 'principal_name'] as const),
  ...(['request_id', 'before_etag', 'after_etag'] as const),
]

/** Resources whose ids are strings, even if they consist of digits. */
const resourcesWithNames = new Set(['asset', 'font', 'setting', 'named_token', 'print_state'])

/** Writes, lists and sweeps the audit trail of one installation. */
export function auditTrail({ db, dialect, t }: Pick<Connection, 'db' | 'dialect' | 't'>) {
  const rowOf = (change: Change) => ({
    operation: change.operation,
    resource: change.resource,
    resource_id: String(change.id ?? '').slice(0, 255),
    action: change.action,
    principal_kind: change.principal?.kind ?? '',
    principal_name: (change.principal?.name ?? '').slice(0, 255),
    request_id: change.request_id ?? '',
    before_etag: change.before_etag ?? '',
    after_etag: change.after_etag ?? '',
  })
  const insertsOf = rowInserts(entryColumns, (rows) =>
    db.insertInto(t.api_audit).values(rows.map((row) => ({ at: dialect.now, ...row }))),
  )

  return {
    /** The inserts of the entries, for the transaction that makes the changes. */
    inserts: (changes: readonly Change[]) => insertsOf(changes.map(rowOf)),

    /** The entries that meet all conditions, newest first. */
    async list({ resource, id, since, limit = 100 }: AuditQuery): Promise<AuditEntry[]> {
      const rows = await db
        .selectFrom(t.api_audit)
        .selectAll()
        .$if(resource !== undefined, (query) => query.where('resource', '=', resource ?? ''))
        .$if(id !== undefined, (query) => query.where('resource_id', '=', String(id)))
        .$if(since !== undefined, (query) => query.where('at', '>=', Math.ceil(Number(since) / 1000)))
        .orderBy('ID', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        at: isoTime(row.at) ?? '',
        operation: row.operation,
        resource: row.resource as Change['resource'],
        action: row.action as Change['action'],
        id: idOf(row),
        principal:
          row.principal_kind === ''
            ? null
            : ({ kind: row.principal_kind, name: row.principal_name } as Change['principal']),
        request_id: row.request_id || null,
        before_etag: row.before_etag || null,
        after_etag: row.after_etag || null,
      }))
    },

    /** Removes entries that are older than so many days. */
    sweep: (keepDays: number) =>
      removeOld({ db, dialect }, { table: t.api_audit, column: 'at', seconds: keepDays * 86_400 }),
  }
}

/** The id of the changed resource as the API returns it: null for a resource without ids, a number or a string. */
function idOf({ resource, resource_id }: { resource: string; resource_id: string }): Change['id'] {
  if (resource_id === '') return null
  return resourcesWithNames.has(resource) ? resource_id : Number(resource_id)
}
