// The tables of the print room, our own beside the CMS's: items to print automatically, print states of items, and deliveries of files.
import type { TableShape } from './table-shape.ts'

const text = { kind: 'text' } as const

/** Their description, as a part of `schema` in tables.ts. */
export const printTables = {
  // The items of orders that were, or are to be, printed automatically: a row for each, so that each is printed once. In use only
  // with automatic printing.
  auto_prints: {
    name: 'svc_auto_prints',
    optional: true,
    columns: {
      order_type: { kind: 'varchar(16)' },
      order_id: { kind: 'ref' },
      // 0 for a whole order.
      item_id: { kind: 'ref', default: '0' },
      // waiting, printed, failed; empty = nothing to print; earlier = printable before automatic printing began.
      state: { kind: 'varchar(16)', default: "'waiting'" },
      added_at: { kind: 'seconds' },
      next_at: { kind: 'seconds', default: '0' },
      attempts: { kind: 'int', default: '0' },
      lease_owner: { kind: 'varchar(64)', default: "''" },
      lease_until: { kind: 'seconds', default: '0' },
      job_id: { kind: 'ref', default: '0' },
      error: { kind: 'varchar(255)', default: "''" },
    },
    primaryKey: ['order_type', 'order_id', 'item_id'],
    keys: { due: { columns: ['state', 'next_at'] } },
  },
  // The print state that a user has set for an item. In use only after the first one was set.
  print_states: {
    name: 'svc_print_states',
    optional: true,
    columns: {
      order_ref: { kind: 'varchar(64)' },
      // 0 for orders without items.
      item_id: { kind: 'ref', default: '0' },
      // to_print, printed, reprint, problem
      state: { kind: 'varchar(16)' },
      note: { kind: 'varchar(500)', default: "''" },
      // Digest of pieces and design at that time.
      content: { kind: 'varchar(64)', default: "''" },
      changed_by: { kind: 'varchar(255)', default: "''" },
      changed_at: { kind: 'seconds', default: '0' },
    },
    primaryKey: ['order_ref', 'item_id'],
    keys: { state: { columns: ['state', 'changed_at'] } },
  },
  // Copies of finished print files for the press: a row for each job whose file is, or is to be, delivered. In use only with `deliver`.
  print_deliveries: {
    name: 'svc_print_deliveries',
    optional: true,
    columns: {
      job_id: { kind: 'ref' },
      // pending, delivered, failed
      state: { kind: 'varchar(16)', default: "'pending'" },
      attempts: { kind: 'int', default: '0' },
      next_at: { kind: 'seconds', default: '0' },
      lease_owner: { kind: 'varchar(64)', default: "''" },
      lease_until: { kind: 'seconds', default: '0' },
      // Path below the folder for deliveries; set once the file is complete under its temporary name.
      path: text,
      error: { kind: 'varchar(255)', default: "''" },
    },
    primaryKey: ['job_id'],
    keys: { due: { columns: ['state', 'next_at', 'job_id'] } },
  },
} as const satisfies Record<string, TableShape>
