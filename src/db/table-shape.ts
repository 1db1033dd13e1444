// The types with which tables.ts describes the tables, and what they mean for rows.
import type { Generated } from 'kysely'

/** Kind of a column; each dialect has its SQL type for it. */
export type ColumnKind =
  | 'id' // the row's own auto-increment key
  | 'ref' // the id of another row
  | 'int'
  | 'flag' // 0 or 1
  | 'text' // titles, names, URLs
  | 'blob' // JSON text of any length
  | 'time' // time of creation, set by the database
  | 'seconds' // Unix seconds of the database's clock
  | 'bytes' // size of a file
  | 'pixels' // width or height, or null
  | 'key' // at most 255 characters, compared byte by byte
  | 'search' // folded text in which to search, compared byte by byte
  | `varchar(${number})`

export interface ColumnShape {
  kind: ColumnKind
  /** SQL literal for the default of a column that we create. */
  default?: string
  /** Whether rows may have none, where the kind does not say so: in legacy installations, or never in the CMS's own tables. */
  nullable?: boolean
  /** May be missing in legacy installations; migrate adds it. */
  addable?: true
}

export interface TableShape {
  /** Physical name without the CMS prefix. */
  name: string
  columns: Record<string, ColumnShape>
  /** The API works without it; what needs it creates it. */
  optional?: true
  /** For tables without an `id` column. */
  primaryKey?: readonly string[]
  /** Indexes that belong to the definition of the table. */
  keys?: Record<string, { columns: readonly string[]; unique?: true }>
  /** Our additional indexes, created only on request; can be dropped at any time. */
  speedups?: Record<string, readonly string[]>
}

type Scalar<C extends ColumnShape> = C['kind'] extends 'text' | 'blob'
  ? string | null
  : C['kind'] extends 'pixels'
    ? number | null
    : C['kind'] extends 'time' | 'key' | 'search' | `varchar(${number})`
      ? string
      : number

type Value<C extends ColumnShape> = C extends { nullable: true }
  ? Scalar<C> | null
  : C extends { nullable: false }
    ? NonNullable<Scalar<C>>
    : Scalar<C>

/** The row of a table: what the database fills in itself may be left out where one is inserted. */
export type RowType<Columns extends Record<string, ColumnShape>> = {
  [Name in keyof Columns]: Columns[Name] extends { kind: 'id' | 'time' } | { default: string }
    ? Generated<Value<Columns[Name]>>
    : Value<Columns[Name]>
}
