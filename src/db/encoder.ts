// Encodes values for the existing columns. A value that is too long for its column, or outside its charset, is refused, never truncated.
import { invalidParams, SvcError } from '../core/errors.ts'
import { isWithinLimits, maxDepth, maxValues } from '../json/text.ts'
import type { SearchedColumn } from './dialects.ts'
import type { ColumnLimits, Inspection } from './inspect.ts'
import { digestOf, hashedFrom, rememberJson } from './json-kind.ts'
import { maxStored } from './stored-json.ts'
import { type Row, shapes, type TableName, type Tables } from './tables.ts'
import { bindLongerThan } from './timeouts.ts'

/** Encodes values for the columns of the tables with these names; see the functions below. */
export type Encoder<Name extends string = TableName> = ReturnType<typeof encoderOf<Name>>

/** Matches the characters outside a charset; undefined if it has all. Unknown charsets are treated as ASCII. */
function unstorableCharacters(charset: string | undefined): RegExp | undefined {
  switch (charset) {
    case undefined:
    case 'utf8mb4':
      return undefined
    case 'utf8':
    case 'utf8mb3':
      return /[\ud800-\udfff]/g
    case 'latin1':
      // MySQL's name for Windows-1252, with the euro sign and typographic quotes.
      return /[^\0-\x7f\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g
    default:
      return /[^\0-\x7f]/g
  }
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Bytes of a string in a statement. Quotation marks are doubled there, except in long strings, which are bound. */
function packetSize(text: string): number {
  const isEscaped = text.length < bindLongerThan
  return Buffer.byteLength(text) + (isEscaped ? text.split("'").length - 1 : 0)
}

const sum = <T>(values: readonly T[], sizeOf: (value: T) => number) =>
  values.reduce((total, value) => total + sizeOf(value), 0)

/** Bytes of a packet reserved for the rest of the statement, whose longest part is the URL of a thumbnail. */
const packetMargin = 256 * 1024

/** The columns that the fields `F` become; optional where the field may be undefined. */
type Encoded<Row, F> = {
  [C in keyof Row & keyof F as undefined extends F[C] ? never : C]: Row[C]
} & { [C in keyof Row & keyof F as undefined extends F[C] ? C : never]?: Row[C] }

/**
 * The encoder of a database.
 * @param inspection lengths and charsets of the existing columns
 * @param maxPacket the server's `max_allowed_packet` in bytes; undefined on SQLite
 */
export function encoderOf<Name extends string = TableName>(
  inspection: Inspection<Name>,
  maxPacket = Number.POSITIVE_INFINITY,
) {
  /** The limits of a column; none if the column does not exist. */
  function limits(table: Name, column: string): ColumnLimits {
    return inspection.tables.get(table)?.columns.get(column.toLowerCase()) ?? {}
  }

  /** @throws SvcError 400 if the column is too short for the text */
  function assertFits({ chars, bytes }: ColumnLimits, field: string, text: string): void {
    if (chars !== undefined && [...text].length > chars) {
      throw invalidParams({ [field]: `is too long: this installation stores at most ${chars} characters` })
    }
    if (bytes !== undefined && Buffer.byteLength(text) > bytes) {
      throw invalidParams({ [field]: `is too long: this installation stores at most ${bytes} bytes` })
    }
  }

  /** @throws SvcError 413 if the values do not fit into one statement */
  function assertSendable(fields: string, values: readonly string[]): void {
    const maxBytes = maxPacket - packetMargin
    // A UTF-16 code unit takes at most three bytes, so most strings need not be counted.
    if (sum(values, (value) => value.length * 3) <= maxBytes) return
    if (sum(values, packetSize) <= maxBytes) return
    throw new SvcError('svc_body_too_large', {
      message: `The value of ${fields} is larger than the database accepts in one statement (${maxPacket} bytes).`,
    })
  }

  /**
   * The JSON text of a blob, with characters outside the column's charset escaped as `\u`.
   * @throws SvcError 413 if it is too large to be read again or to be sent, 400 if the column is too short
   */
  function json(table: Name, column: string, field: string, value: unknown): string {
    const limit = limits(table, column)
    const unstorable = unstorableCharacters(limit.charset)
    // In JSON text such characters occur only in strings, where an escape means the same character (RFC 8259 §7).
    const json = JSON.stringify(value)
    const text = unstorable ? json.replace(unstorable, escapeUnit) : json
    if (text.length > maxStored)
      throw new SvcError('svc_body_too_large', {
        message: `The value of ${field} would be larger than ${maxStored / 2 ** 20} MiB, and could not be read again.`,
      })
    // The limits of a request do not suffice: a patch is merged with what is stored already.
    if (!isWithinLimits(text))
      throw new SvcError('svc_body_too_large', {
        message: `The value of ${field} would hold more than ${maxValues.toLocaleString('en')} values or ${maxDepth} levels, and could not be read again.`,
      })
    assertFits(limit, field, text)
    assertSendable(field, [text])
    // Reading it back need not parse it to know that it is JSON.
    if (text.length >= hashedFrom) rememberJson(digestOf(text))
    return text
  }

  /**
   * The string unchanged, if the column of a title or name can store it.
   * @param field name of the property in the request, for the error
   * @throws SvcError 400 `rest_invalid_param` if it is too long, or contains NUL, a lone surrogate or characters outside the column's
   *   charset
   */
  function text(table: Name, column: string, field: string, value: string): string {
    const limit = limits(table, column)
    if (!value.isWellFormed() || value.includes('\0')) {
      throw invalidParams({ [field]: 'must not contain NUL or a lone surrogate' })
    }
    if (unstorableCharacters(limit.charset)?.test(value)) {
      throw invalidParams({
        [field]: `contains characters that this installation's charset ${limit.charset} cannot store`,
      })
    }
    assertFits(limit, field, value)
    return value
  }

  return {
    text,
    json,

    /** The fields that are not undefined, as their columns store them: texts checked, blobs as JSON. Fields have the names of columns. */
    row<T extends Name & TableName, F extends { [C in keyof Tables[T]]?: unknown }>(table: T, fields: F) {
      const { columns } = shapes[table]
      const encoded = Object.entries(fields).flatMap(([name, value]) => {
        const kind = columns[name]?.kind
        if (value === undefined) return []
        if (kind === 'blob') return [[name, json(table, name, name, value)]]
        return [[name, kind === 'text' ? text(table, name, name, String(value)) : value]]
      })
      // `Object.fromEntries` knows no names.
      return Object.fromEntries(encoded) as Encoded<Row<T>, F>
    },

    /**
     * The string with characters outside the column's charset replaced, for values without escapes: by U+FFFD where the
     * column has it, else by a question mark.
     */
    replaced(table: Name, column: string, value: string): string {
      const { charset } = limits(table, column)
      const unstorable = unstorableCharacters(charset)
      const replacement = charset === undefined || charset.startsWith('utf8') ? '\ufffd' : '?'
      const wellFormed = value.toWellFormed()
      if (!unstorable) return wellFormed
      // A surrogate pair is one character, so it gets one replacement.
      const characters = new RegExp(`[\\ud800-\\udbff][\\udc00-\\udfff]|${unstorable.source}`, 'g')
      return wellFormed.replace(characters, replacement)
    },

    /** Bytes that a value may have; undefined if there is no such limit. */
    maxBytes: (table: Name, column: string) => limits(table, column).bytes,

    has: (table: Name, column: string) =>
      inspection.tables.get(table)?.columns.has(column.toLowerCase()) === true,

    /** The column for a search. @param ref its name in the statement, such as `p.title`, if that differs */
    searched: (table: Name, column: string, ref = column): SearchedColumn => ({
      ref,
      charset: limits(table, column).charset,
    }),

    /**
     * Returns the values of a statement that writes several blobs, unchanged.
     * @throws SvcError 413 if they are too large together
     */
    sendable<Values extends object>(values: Values): Values {
      const texts = Object.entries(values).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      assertSendable(
        texts.map(([name]) => name).join(', '),
        texts.map(([, value]) => value),
      )
      return values
    },
  }
}
