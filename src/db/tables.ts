// The only description of the schema: the tables that are shared with the CMS, our own beside them, their columns, and what legacy
// installations may lack.
import type { Insertable, Selectable, Updateable } from 'kysely'
import { changeTables } from './change-tables.ts'
import { printTables } from './print-tables.ts'
import type { RowType, TableShape } from './table-shape.ts'

const id = { kind: 'id' } as const
const text = { kind: 'text' } as const
const blob = { kind: 'blob' } as const

/** All tables by logical name. Types of rows, migrations and checks derive from it. */
export const schema = {
  options: {
    name: 'options',
    columns: {
      option_id: id,
      option_name: { kind: 'varchar(191)', default: "''" },
      option_value: { kind: 'blob', nullable: false },
      autoload: { kind: 'varchar(20)', default: "'yes'" },
    },
    keys: { option_name: { columns: ['option_name'], unique: true }, autoload: { columns: ['autoload'] } },
  },
  products: {
    name: 'svc_products',
    columns: {
      ID: id,
      title: text,
      options: blob,
      thumbnail: text,
      user_id: { kind: 'ref', default: '0', nullable: true, addable: true },
      type: { kind: 'varchar(32)', default: "'catalog'", nullable: true, addable: true },
    },
    speedups: { svc_idx_products_type: ['type'] },
  },
  views: {
    name: 'svc_views',
    columns: {
      ID: id,
      product_id: { kind: 'ref' },
      title: text,
      thumbnail: text,
      elements: blob,
      view_order: { kind: 'int', default: '0', nullable: true },
      options: { kind: 'blob', addable: true },
    },
    keys: { product_id: { columns: ['product_id'] } },
    speedups: { svc_idx_views_product: ['product_id', 'view_order'] },
  },
  categories: {
    name: 'svc_categories',
    columns: { ID: id, title: text, user_id: { kind: 'ref', default: '0', nullable: true } },
  },
  category_products: {
    name: 'svc_category_products_rel',
    columns: { category_id: { kind: 'ref' }, product_id: { kind: 'ref' } },
    primaryKey: ['category_id', 'product_id'],
    keys: { product_id: { columns: ['product_id'] } },
    speedups: {
      svc_idx_rel_category: ['category_id', 'product_id'],
      svc_idx_rel_product: ['product_id', 'category_id'],
    },
  },
  designs: {
    name: 'svc_designs',
    columns: {
      ID: id,
      title: text,
      options: blob,
      thumbnail: text,
      designs: blob,
      parent_id: { kind: 'ref', default: '0', nullable: true },
      category_order: { kind: 'int', default: '0', nullable: true },
    },
    speedups: { svc_idx_designs_parent: ['parent_id', 'category_order'] },
  },
  orders: {
    name: 'svc_orders',
    columns: {
      ID: id,
      customer_name: { kind: 'varchar(300)', nullable: true },
      customer_mail: { kind: 'varchar(100)', nullable: true },
      views: blob,
      created_date: { kind: 'time', addable: true },
      print_order: { kind: 'blob', addable: true },
    },
  },
  print_jobs: {
    name: 'svc_print_jobs',
    columns: {
      ID: id,
      guid: { kind: 'varchar(64)' },
      details: { kind: 'blob', addable: true },
      data: { kind: 'blob', addable: true },
      status: { kind: 'varchar(32)', nullable: true },
      created_at: { kind: 'time' },
    },
    keys: { guid: { columns: ['guid'] } },
    speedups: { svc_idx_print_jobs_status: ['status'] },
  },
  print_job_steps: {
    name: 'svc_print_job_steps',
    columns: {
      job_id: { kind: 'ref' },
      step: { kind: 'varchar(16)', default: "''" },
      lease_owner: { kind: 'varchar(64)', default: "''" },
      lease_until: { kind: 'seconds', default: '0' },
      attempts: { kind: 'int', default: '0' },
      file: text,
      provider_order: text,
      error: blob,
      order_ref: { kind: 'varchar(64)', default: "''" },
      item_id: { kind: 'ref', default: '0' },
      storage: { kind: 'varchar(32)', default: "'local'", addable: true },
      location: { ...text, addable: true },
    },
    primaryKey: ['job_id'],
    keys: { order_ref: { columns: ['order_ref'] } },
  },
  // A table of our own: what lists of a large shop select and count orders by. If it is dropped, it is filled again.
  order_index: {
    name: 'svc_order_index',
    columns: {
      source: { kind: 'varchar(16)' },
      order_id: { kind: 'ref' },
      // Unix seconds; 0 if none is stored.
      created: { kind: 'seconds', default: '0' },
      status: { kind: 'varchar(64)', default: "''" },
      is_printed: { kind: 'flag', default: '0' },
      // 1 once the order was read.
      is_listed: { kind: 'flag', default: '0' },
      // 1 if the order has to be read again.
      is_stale: { kind: 'flag', default: '1' },
      // Another random number after each change of the row. No time: the kind stands for 64 bits.
      version: { kind: 'seconds', default: '0' },
      search: { kind: 'search', default: "''" },
    },
    primaryKey: ['source', 'order_id'],
    keys: {
      pages: { columns: ['source', 'is_listed', 'created', 'order_id', 'status', 'is_printed'] },
      stale: { columns: ['source', 'is_stale', 'order_id'] },
    },
  },
  pricing_rules: {
    name: 'svc_pricing_rules',
    columns: { ID: id, name: text, data: blob },
  },
  print_profiles: {
    name: 'svc_print_profiles',
    columns: { ID: id, name: text, data: blob, is_master: { kind: 'flag', default: '0' } },
  },
  user_interfaces: {
    name: 'svc_user_interfaces',
    columns: { ID: id, name: text, data: blob, is_default: { kind: 'flag', default: '0' } },
  },
  // A table of our own: the index of the folders below svc/uploads. If it is dropped, it is filled again.
  assets: {
    name: 'svc_assets',
    columns: {
      key: { kind: 'key' },
      title: text,
      size: { kind: 'bytes', default: '0' },
      width: { kind: 'pixels' },
      height: { kind: 'pixels' },
      mime_type: { kind: 'varchar(32)', default: "''" },
      modified: { kind: 'seconds', default: '0' },
      storage: { kind: 'varchar(32)', default: "'local'" },
      location: { ...text, addable: true },
      url: { ...text, addable: true },
    },
    primaryKey: ['key'],
    keys: { modified: { columns: ['modified', 'key'] } },
  },
  // Requests with an Idempotency-Key and their outcomes. Also a table of our own.
  idempotency: {
    name: 'svc_idempotency',
    columns: {
      key_hash: { kind: 'varchar(64)' },
      operation: { kind: 'varchar(64)' },
      request_hash: { kind: 'varchar(64)' },
      owner: { kind: 'varchar(36)' },
      running_until: { kind: 'seconds' },
      expires_at: { kind: 'seconds' },
      // What finds the created resource again, as JSON; null while the request runs.
      made: blob,
    },
    primaryKey: ['key_hash'],
  },
  ...printTables,
  ...changeTables,
  // Named tokens with limited rights. Also a table of our own, in use only after the first one was created.
  api_tokens: {
    name: 'svc_api_tokens',
    optional: true,
    columns: {
      name: { kind: 'key' },
      token_hash: { kind: 'varchar(64)' },
      scopes: text,
      created_at: { kind: 'seconds' },
      // 0: never.
      expires_at: { kind: 'seconds', default: '0' },
      last_used_at: { kind: 'seconds', default: '0' },
    },
    primaryKey: ['name'],
  },
} as const satisfies Record<string, TableShape>

/** Logical name of a table. */
export type TableName = keyof typeof schema

export const tableNames = Object.keys(schema) as TableName[]

/** The same description, widened for code that walks over all tables. */
export const shapes: Record<TableName, TableShape> = schema

/** Row types by logical table name, as Kysely sees them. Blobs are JSON, in any of the encodings that installations contain. */
export type Tables = { [T in TableName]: RowType<(typeof schema)[T]['columns']> }

/** A row as a query returns it. */
export type Row<T extends TableName> = Selectable<Tables[T]>

/** A row as a statement inserts it. */
export type NewRow<T extends TableName> = Insertable<Tables[T]>

/** Columns of a row as a statement updates them. */
export type Written<T extends TableName> = Updateable<Tables[T]>

/** Physical table names, typed as the logical ones so that queries are checked while no query pays for a mapping. */
export type PhysicalNames = { readonly [T in TableName]: T }

/**
 * Physical table names from the CMS prefix and the host's map.
 * @param prefix the CMS table prefix, e.g. `wp_`
 * @param map logical to physical table name, used without the prefix
 * @throws Error if a name is not an identifier that is safe on every engine, or that of two tables
 */
export function physicalNames(prefix: string, map: Partial<Record<TableName, string>> = {}): PhysicalNames {
  const names = Object.fromEntries(
    tableNames.map((table) => [table, map[table] ?? prefix + shapes[table].name]),
  )
  const owners = new Map<string, string>()
  for (const [table, name] of Object.entries(names)) {
    // A prefix may be valid and too long before a name.
    if (!/^[A-Za-z0-9_$]{1,64}$/.test(name)) {
      throw new Error(
        `tablePrefix or tables: "${name}" (for ${table}) is not a table name of 1 to 64 letters, digits, "_" or "$".`,
      )
    }
    const owner = owners.get(name)
    if (owner !== undefined) {
      throw new Error(`tablePrefix or tables: "${name}" is the table of both ${owner} and ${table}.`)
    }
    owners.set(name, table)
  }
  // See `PhysicalNames`: the values are physical names, typed as logical ones.
  return names as unknown as PhysicalNames
}
