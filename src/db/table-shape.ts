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
  /** Overrides whether the kind may be NULL: true in legacy installations, false in tables of the CMS. */
  nullable?: boolean
  /** May be missing in legacy installations; migrate adds it. */
  addable?: true
}

export interface TableShape {
  /** Physical name without the CMS prefix. */
  name: string
  columns: Record<string, ColumnShape>
  /** The API works without the table; the functions that need it create it. */
  optional?: true
  /** Columns of the primary key, in tables without an `id` column. */
  primaryKey?: readonly string[]
  /** Indexes that belong to the definition of the table. */
  keys?: Record<string, { columns: readonly string[]; unique?: true }>
  /** Our additional indexes, created only on request; can be dropped at any time. */
  speedups?: Record<string, readonly string[]>
}

/** What a query returns for a column, by its kind. */
type Scalar<C extends ColumnShape> = C['kind'] extends 'text' | 'blob'
  ? string | null
  : C['kind'] extends 'pixels'
    ? number | null
    : C['kind'] extends 'time' | 'key' | 'search' | `varchar(${number})`
      ? string
      : number

/** The same, by its `nullable`. */
type Value<C extends ColumnShape> = C extends { nullable: true }
  ? Scalar<C> | null
  : C extends { nullable: false }
    ? NonNullable<Scalar<C>>
    : Scalar<C>

/** The type of a row for Kysely. Columns that the database fills in are `Generated`, so an INSERT may leave them out. */
export type RowType<Columns extends Record<string, ColumnShape>> = {
  [Name in keyof Columns]: Columns[Name] extends { kind: 'id' | 'time' } | { default: string }
    ? Generated<Value<Columns[Name]>>
    : Value<Columns[Name]>
}
