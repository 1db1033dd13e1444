// All differences between the engines. Everywhere else the SQL is the same for all.
import { type Expression, type QueryExecutorProvider, type RawBuilder, type SqlBool, sql } from 'kysely'
import { errorCode, membersOf } from '../core/foreign.ts'
import {
  denied,
  discreet,
  ended,
  errnoOf,
  full,
  isServerFailure,
  readOnly,
  retryable,
  unavailable,
} from './mysql-errors.ts'
import type { ColumnKind } from './table-shape.ts'

/** A column by its name (`p.title`) or as an expression. */
type TextRef = string | Expression<unknown>

/** A column in which to search. */
export interface SearchedColumn {
  ref: TextRef
  /** MySQL's name of its charset; undefined where it is unknown, or on SQLite. */
  charset?: string | undefined
}

/** SQL and errors of one engine. MySQL and MariaDB share one dialect. */
export interface Dialect {
  readonly name: 'mysql' | 'sqlite'
  /** Begins a transaction that may write; on SQLite it takes the write lock at once, or two writers would deadlock. */
  readonly begin: string
  /** The clock of the database in Unix seconds, which all processes share. */
  readonly now: RawBuilder<number>
  /** Directly after SELECT: tables are joined in the order in which the statement names them, by CROSS JOIN. */
  readonly inOrder: RawBuilder<unknown>
  /** Whether a select can lock the rows that it reads; on SQLite the transaction has locked the whole database. */
  readonly locksRows: boolean
  /** SQL type of a column that we create. */
  columnType(kind: ColumnKind): string
  /** Byte-exact equality, regardless of the column's collation. */
  sameBytes(column: TextRef | SearchedColumn, value: string): Expression<SqlBool>
  /**
   * Case-insensitive search for the term of `asciiPattern`.
   * @param folded what `asciiEquivalents` returns for the term
   */
  containsAscii(column: SearchedColumn, pattern: string, folded: string): Expression<SqlBool>
  /** The pattern for `containsAscii`, from an ASCII term. */
  asciiPattern(term: string): string
  /**
   * Case-insensitive search for `term` that may match more than `contains()` of fold.ts, but never less. The caller
   * filters the rows.
   */
  mayContain(column: SearchedColumn, term: string): Expression<SqlBool>
  /** The same for any of several terms, in one pass. */
  mayContainOneOf(column: TextRef, terms: readonly string[]): Expression<SqlBool>
  /** A term for ORDER BY that ignores case. */
  alphabetical(column: TextRef): Expression<unknown>
  /** Unix seconds of a `time` column; null for an invalid date. */
  epoch(column: TextRef): RawBuilder<number | null>
  /** Concatenates texts. */
  joined(parts: readonly Expression<unknown>[]): RawBuilder<string>
  /** Bytes of a string; 0 for NULL. Does not read the string if the engine knows its length. */
  byteLength(column: TextRef): RawBuilder<number>
  /** A short string that changes when the column changes (a checksum on MySQL), and possibly at other times. */
  contentSignature(column: TextRef): RawBuilder<string>
  /** A unique key has this value already. */
  isUnique(error: unknown): boolean
  isMissingTable(error: unknown): boolean
  isMissingColumn(error: unknown): boolean
  /** The transaction had no effect and may be retried. */
  isRetryable(error: unknown): boolean
  /** The transaction waited for a lock as long as the session may. */
  isLockTimeout(error: unknown): boolean
  /** The database is unreachable or not ready; the request may succeed later. */
  isUnavailable(error: unknown): boolean
  /** Whether the server may refuse writes: some users may write to a server that is read-only for all others. */
  isMaybeReadOnly(db: QueryExecutorProvider): Promise<boolean>
  /** The database takes reads, but no writes. */
  isReadOnly(error: unknown): boolean
  /** The database cannot read or write a file of its own. */
  isServerFailure(error: unknown): boolean
  /** The database, or the rights of its user, allow reads but not this write. */
  refusesWrites(error: unknown): boolean
  /** The storage has no room for the write. */
  isFull(error: unknown): boolean
  /** A COMMIT that failed with this error may have been done, or may be done later. */
  isOutcomeUnknown(error: unknown): boolean
  /** The message of the engine may contain values or parts of the statement. */
  quotesValues(error: unknown): boolean
}

/** A LIKE pattern with the escape character `!`: the backslash means different things on the engines and in their SQL modes. */
function likePattern(term: string): string {
  return `%${term.replace(/[!%_]/g, '!$&')}%`
}

/**
 * A pattern that does not depend on the engine's case folding. Characters outside ASCII match any string, because they may
 * be stored decomposed; k and s, which have equivalents outside ASCII, match any character.
 */
function loosePattern(term: string): string {
  return likePattern(term.normalize('NFC'))
    .replace(/[^ -~]+/g, '%')
    .replace(/[ks;`]/gi, '_')
}

/** Characters outside ASCII that fold to ASCII, upper-cased: the Kelvin sign, the long s and two that NFC replaces. */
const foldedToAscii = [
  ['\u212a', 'K'],
  ['\u017f', 'S'],
  ['\u037e', ';'],
  ['\u1fef', '`'],
] as const

/** The characters of a term that have equivalents outside ASCII, upper-cased: a part of `KS;` and the backtick. */
export const asciiEquivalents = (term: string): string =>
  foldedToAscii
    .map(([, ascii]) => ascii)
    .filter((ascii) => term.toUpperCase().includes(ascii))
    .join('')

/** Replaces the equivalents of the characters in `folded` by them, because engines fold the equivalents differently or not at all. */
function asciiFolded(text: Expression<unknown>, folded: string): Expression<unknown> {
  return foldedToAscii
    .filter(([, ascii]) => folded.includes(ascii))
    .reduce<Expression<unknown>>((inner, [from, to]) => sql`replace(${inner}, ${from}, ${to})`, text)
}

/** SQL types by `ColumnKind`; kinds that are not listed are SQL types themselves, such as `varchar(64)`. */
const types: Record<string, readonly [mysql: string, sqlite: string]> = {
  id: ['BIGINT UNSIGNED NOT NULL AUTO_INCREMENT', 'INTEGER PRIMARY KEY AUTOINCREMENT'],
  ref: ['BIGINT UNSIGNED NOT NULL', 'INTEGER NOT NULL'],
  int: ['INT NOT NULL', 'INTEGER NOT NULL'],
  flag: ['TINYINT NOT NULL', 'INTEGER NOT NULL'],
  text: ['TEXT NULL', 'TEXT NULL'],
  blob: ['LONGTEXT NULL', 'TEXT NULL'],
  time: ['TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP', 'TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP'],
  seconds: ['BIGINT NOT NULL', 'INTEGER NOT NULL'],
  bytes: ['BIGINT NOT NULL', 'INTEGER NOT NULL'],
  pixels: ['INT NULL', 'INTEGER NULL'],
  search: ['VARBINARY(20000) NOT NULL', 'TEXT NOT NULL'],
  key: ['VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL', 'TEXT NOT NULL'],
}

/** mysql2 marks errors that close a connection (refused, reset, timeout, closed by the server) as fatal. */
function isConnectionLost(error: unknown): boolean {
  return (
    membersOf(error).fatal === true ||
    ['SVC_POOL_EXHAUSTED', 'PROTOCOL_SEQUENCE_TIMEOUT'].includes(errorCode(error) ?? '') ||
    (error instanceof Error &&
      /closed state|queue limit|no connections available|pool is closed/i.test(error.message))
  )
}

/** Whether the disk is full: the storage engine names the error of the system, 28 or "No space left on device" (ENOSPC). */
const isNoSpace = (error: unknown): boolean =>
  isServerFailure(errnoOf(error)) &&
  /(?:error|errcode:) 28\b|no space/i.test(String(membersOf(error).message))

/**
 * The text in one collation, whatever the column's is. A column that is utf8mb4 already is not converted, which saves a tenth of the
 * time of a search.
 */
function generalText({ ref, charset }: SearchedColumn): Expression<unknown> {
  const text = charset === 'utf8mb4' ? sqlRef(ref) : sql`convert(${sqlRef(ref)} using utf8mb4)`
  return sql`${text} collate utf8mb4_general_ci`
}

/** MySQL and MariaDB. */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  begin: 'begin',
  now: sql<number>`unix_timestamp()`,
  inOrder: sql`straight_join`,
  locksRows: true,
  columnType: (kind) => types[kind]?.[0] ?? `${kind.toUpperCase()} NOT NULL`,
  sameBytes: (column, value) => {
    const { ref, charset } = searchedColumn(column)
    // Converting the column would double the time of a count.
    if (charset?.startsWith('utf8'))
      return sql<SqlBool>`${sqlRef(ref)} = cast(convert(${value} using utf8mb4) as binary)`
    // Columns with another charset compare by their characters.
    return sql<SqlBool>`cast(convert(${sqlRef(ref)} using utf8mb4) as binary) = cast(convert(${value} using utf8mb4) as binary)`
  },
  // Compared as bytes, because the column's collation may ignore accents.
  containsAscii: (column, pattern, folded) =>
    sql<SqlBool>`${asciiFolded(sql`upper(${generalText(column)})`, folded)} collate utf8mb4_bin like ${pattern} escape '!'`,
  asciiPattern: (term) => likePattern(term.toUpperCase()),
  mayContain: (column, term) => sql<SqlBool>`${generalText(column)} like ${loosePattern(term)} escape '!'`,
  // Five times faster than LIKE with a collation. Characters with a meaning in expressions match any character.
  mayContainOneOf: (column, terms) => {
    const pattern = terms.map((term) => term.replace(/[^A-Za-z0-9#_-]/gu, '.')).join('|')
    return sql<SqlBool>`${sqlRef(column)} regexp ${`(?is)${pattern}`}`
  },
  alphabetical: (column) => sqlRef(column),
  epoch: (column) => sql<number>`unix_timestamp(${sqlRef(column)})`,
  joined: (parts) => sql<string>`concat(${sql.join(parts)})`,
  byteLength: (column) => sql<number>`coalesce(length(${sqlRef(column)}), 0)`,
  contentSignature: (column) => sql<string>`coalesce(crc32(${sqlRef(column)}), 0)`,
  isUnique: (error) => errnoOf(error) === 1062,
  isMissingTable: (error) => errnoOf(error) === 1146,
  isMissingColumn: (error) => errnoOf(error) === 1054,
  isRetryable: (error) => retryable.has(errnoOf(error)),
  isLockTimeout: (error) => errnoOf(error) === 1205,
  isUnavailable: (error) =>
    unavailable.has(errnoOf(error)) || isServerFailure(errnoOf(error)) || isConnectionLost(error),
  // MySQL also sets read_only with super_read_only, and so does a group whose member is recovering.
  isMaybeReadOnly: async (db) => {
    const { rows } = await sql<{ flag: number | string }>`select @@global.read_only as flag`.execute(db)
    return !/^(?:0|off)$/i.test(String(rows[0]?.flag))
  },
  isReadOnly: (error) => readOnly.has(errnoOf(error)),
  refusesWrites: (error) => readOnly.has(errnoOf(error)) || denied.has(errnoOf(error)),
  isServerFailure: (error) => isServerFailure(errnoOf(error)),
  isFull: (error) => full.has(errnoOf(error)) || isNoSpace(error),
  isOutcomeUnknown: (error) => ended.has(errnoOf(error)) || isConnectionLost(error),
  // Only errors from the server, which have an SQL state, can quote values.
  quotesValues: (error) => membersOf(error).sqlState !== undefined && !discreet.has(errnoOf(error)),
}

const errcodeOf = (error: unknown) => Number(membersOf(error).errcode)

/** The primary result code of SQLite, from `errcode` (extended) of node:sqlite or the name in `code` of better-sqlite3; -1 for others. */
function sqliteCode(error: unknown): number {
  const extended = errcodeOf(error)
  if (!Number.isNaN(extended)) return extended & 0xff
  const name = errorCode(error) ?? ''
  const named: [string, number][] = [
    ['SQLITE_BUSY', 5],
    ['SQLITE_LOCKED', 6],
    ['SQLITE_READONLY', 8],
    ['SQLITE_IOERR', 10],
    ['SQLITE_FULL', 13],
    ['SQLITE_CANTOPEN', 14],
    ['SQLITE_CONSTRAINT', 19],
  ]
  return named.find(([prefix]) => name.startsWith(prefix))?.[1] ?? -1
}

/** SQLite of Node, or of the host's Kysely. Numbers of errors are result codes: 5 SQLITE_BUSY, 8 SQLITE_READONLY, 10 SQLITE_IOERR. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  begin: 'begin immediate',
  now: sql<number>`unixepoch()`,
  // SQLite never reorders a CROSS JOIN.
  inOrder: sql`all`,
  locksRows: false,
  columnType: (kind) => types[kind]?.[1] ?? `${kind.toUpperCase()} NOT NULL`,
  sameBytes: (column, value) =>
    sql<SqlBool>`cast(${sqlRef(searchedColumn(column).ref)} as blob) = cast(${value} as blob)`,
  containsAscii: (column, pattern, folded) =>
    sql<SqlBool>`${asciiFolded(sqlRef(column.ref), folded)} like ${pattern} escape '!'`,
  asciiPattern: likePattern,
  mayContain: ({ ref }, term) => sql<SqlBool>`${sqlRef(ref)} like ${loosePattern(term)} escape '!'`,
  mayContainOneOf: (column, terms) =>
    sql<SqlBool>`(${sql.join(
      terms.map((term) => sqliteDialect.mayContain({ ref: column }, term)),
      sql` or `,
    )})`,
  alphabetical: (column) => sql`${sqlRef(column)} collate nocase`,
  epoch: (column) => sql<number>`cast(strftime('%s', ${sqlRef(column)}) as integer)`,
  joined: (parts) => sql<string>`(${sql.join(parts, sql` || `)})`,
  byteLength: (column) => sql<number>`coalesce(octet_length(${sqlRef(column)}), 0)`,
  // Changes with any row, because SQLite has no hash function.
  contentSignature: () =>
    sql<string>`(select data_version from pragma_data_version) || '-' || total_changes()`,
  isUnique: (error) =>
    [2067, 1555].includes(errcodeOf(error)) || /UNIQUE|PRIMARYKEY/.test(errorCode(error) ?? ''),
  isMissingTable: (error) => error instanceof Error && /no such table/.test(error.message),
  isMissingColumn: (error) => error instanceof Error && /no such column/.test(error.message),
  isRetryable: (error) => [5, 6].includes(sqliteCode(error)),
  isLockTimeout: () => false,
  refusesWrites: (error) => sqliteCode(error) === 8,
  isFull: (error) => sqliteCode(error) === 13,
  isMaybeReadOnly: async () => false,
  isReadOnly: (error) => sqliteCode(error) === 8,
  isServerFailure: (error) => sqliteCode(error) === 10,
  // SQLite runs within the process: COMMIT has succeeded or failed when it returns.
  isOutcomeUnknown: () => false,
  isUnavailable: (error) =>
    [8, 10, 14].includes(sqliteCode(error)) || (errorCode(error) ?? '') === 'SVC_POOL_EXHAUSTED',
  // Values are bound, and messages name only columns.
  quotesValues: () => false,
}

const searchedColumn = (column: TextRef | SearchedColumn): SearchedColumn =>
  typeof column === 'object' && 'ref' in column ? column : { ref: column }

function sqlRef(column: TextRef): Expression<unknown> {
  return typeof column === 'string' ? sql.ref(column) : column
}
