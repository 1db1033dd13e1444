// The tables of the audit trail and of outbound webhooks, our own beside the CMS's. Needed only where they are enabled.
import type { TableShape } from './table-shape.ts'

const id = { kind: 'id' } as const

/** Their description, as a part of `schema` in tables.ts. */
export const changeTables = {
  // Who changed what, without values.
  api_audit: {
    name: 'svc_api_audit',
    optional: true,
    columns: {
      ID: id,
      at: { kind: 'seconds' },
      operation: { kind: 'varchar(64)' },
      resource: { kind: 'varchar(32)' },
      // '' for a resource without an id.
      resource_id: { kind: 'key' },
      action: { kind: 'varchar(16)' },
      principal_kind: { kind: 'varchar(16)', default: "''" },
      principal_name: { kind: 'varchar(255)', default: "''" },
      request_id: { kind: 'varchar(128)', default: "''" },
      before_etag: { kind: 'varchar(64)', default: "''" },
      after_etag: { kind: 'varchar(64)', default: "''" },
    },
    keys: { subject: { columns: ['resource', 'resource_id'] }, at: { columns: ['at'] } },
  },
  // Events on their way to the endpoints of webhooks: a row for each pair of event and endpoint.
  api_outbox: {
    name: 'svc_api_outbox',
    optional: true,
    columns: {
      ID: id,
      // The id in the payload: the same for all endpoints and all attempts.
      event_id: { kind: 'varchar(64)' },
      // Hash of the endpoint's URL.
      endpoint: { kind: 'varchar(64)' },
      // Scheme and host of the URL, for people.
      origin: { kind: 'varchar(255)' },
      // Hash of the resource that changed: events with the same subject keep their order.
      subject: { kind: 'varchar(64)' },
      type: { kind: 'varchar(64)' },
      // The body of the request, as JSON.
      payload: { kind: 'blob' },
      // Retries end a day after this time; a replay sets it again.
      created_at: { kind: 'seconds' },
      // pending, delivered, dead = not tried any more
      state: { kind: 'varchar(16)', default: "'pending'" },
      attempts: { kind: 'int', default: '0' },
      next_at: { kind: 'seconds', default: '0' },
      lease_owner: { kind: 'varchar(64)', default: "''" },
      lease_until: { kind: 'seconds', default: '0' },
      error: { kind: 'varchar(255)', default: "''" },
      done_at: { kind: 'seconds', default: '0' },
    },
    keys: {
      due: { columns: ['endpoint', 'state', 'next_at', 'ID'] },
      subject: { columns: ['endpoint', 'subject', 'state', 'ID'] },
      done: { columns: ['state', 'done_at'] },
    },
  },
} as const satisfies Record<string, TableShape>
