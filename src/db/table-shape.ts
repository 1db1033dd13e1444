// The words in which tables.ts describes a table.

/** What a column holds; each dialect knows its own SQL type for it. */
export type ColumnKind =
  | 'id' // the row's own auto-increment key
  | 'ref' // the id of another row
  | 'int'
  | 'flag' // 0 or 1
  | 'text' // titles, names, addresses
  | 'blob' // JSON text of any length
  | 'time' // moment of creation, set by the database
  | 'seconds' // moment as Unix seconds of the database's clock
  | 'bytes' // size of a file
  | 'pixels' // width or height, null where there is none
  | 'key' // at most 255 characters that differ where one byte does
  | `varchar(${number})`

export interface ColumnShape {
  kind: ColumnKind
  /** SQL literal used where the column is created. */
  default?: string
  /** Missing in old installations; added by migrate, never renamed or dropped. */
  addable?: true
}

export interface TableShape {
  /** Physical name without the CMS prefix. */
  name: string
  columns: Record<string, ColumnShape>
  /** Where the table has no `id` column of its own. */
  primaryKey?: readonly string[]
  /** Indexes that belong to the table's own definition. */
  keys?: Record<string, { columns: readonly string[]; unique?: true }>
  /** Additive indexes of ours, created on request only; each can be dropped again without loss. */
  speedups?: Record<string, readonly string[]>
}
