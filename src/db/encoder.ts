// Values as the existing columns store them: what is too long or outside the charset is refused, never truncated.
import { invalidParams, SvcError } from '../core/errors.ts'
import { isWithinLimits, maxDepth, maxValues } from '../json/text.ts'
import type { SearchedColumn } from './dialects.ts'
import type { ColumnLimits, Inspection } from './inspect.ts'
import { digestOf, hashedFrom, maxStored, rememberJson } from './stored-json.ts'
import { type Row, shapes, type TableName, type Tables } from './tables.ts'
import { bindLongerThan } from './timeouts.ts'

/** Encodes values for the columns of the tables with these names. */
export type Encoder<Name extends string = TableName> = ReturnType<typeof encoderOf<Name>>

/** Characters outside a charset; unknown charsets are treated as ASCII. */
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

/** Bytes of a string in a statement, where quotation marks may be doubled. Long strings are bound. */
function packetSize(text: string): number {
  let doubled = 0
  if (text.length < bindLongerThan) for (const _ of text.matchAll(/'/g)) doubled++
  return Buffer.byteLength(text) + doubled
}

const sum = <T>(values: readonly T[], sizeOf: (value: T) => number) =>
  values.reduce((total, value) => total + sizeOf(value), 0)

/** Bytes of a packet reserved for the rest of the statement, whose longest part is the URL of a thumbnail. */
const packetMargin = 256 * 1024

/** The columns that the fields `F` become; optional where the field may be undefined. */
type Encoded<Row, F> = {
  [C in keyof Row & keyof F as undefined extends F[C] ? never : C]: Row[C]
} & { [C in keyof Row & keyof F as undefined extends F[C] ? C : never]?: Row[C] }

/** @param maxPacket the server's `max_allowed_packet` in bytes; undefined on SQLite */
export function encoderOf<Name extends string = TableName>(
  inspection: Inspection<Name>,
  maxPacket = Number.POSITIVE_INFINITY,
) {
  function limits(table: Name, column: string): ColumnLimits {
    return inspection.tables.get(table)?.columns.get(column.toLowerCase()) ?? {}
  }

  function assertFits({ chars, bytes }: ColumnLimits, field: string, text: string): void {
    if (chars !== undefined && [...text].length > chars) {
      throw invalidParams({ [field]: `is too long: this installation stores at most ${chars} characters` })
    }
    if (bytes !== undefined && Buffer.byteLength(text) > bytes) {
      throw invalidParams({ [field]: `is too long: this installation stores at most ${bytes} bytes` })
    }
  }

  function assertSendable(what: string, values: readonly string[]): void {
    const maxBytes = maxPacket - packetMargin
    // A UTF-16 code unit takes at most three bytes, so most strings need not be counted.
    if (sum(values, (value) => value.length * 3) <= maxBytes) return
    if (sum(values, packetSize) <= maxBytes) return
    throw new SvcError('svc_body_too_large', {
      message: `The value of ${what} is larger than the database accepts in one statement (${maxPacket} bytes).`,
    })
  }

  /**
   * The JSON text of a blob, with characters outside the column's charset escaped as `\u`.
   * @throws SvcError 413 if it is too large to be read again
   */
  function json(table: Name, column: string, field: string, value: unknown): string {
    const limit = limits(table, column)
    const foreign = unstorableCharacters(limit.charset)
    // In JSON text such characters occur only in strings, where an escape means the same character.
    const json = JSON.stringify(value)
    const text = foreign ? json.replace(foreign, escapeUnit) : json
    if (text.length > maxStored)
      throw new SvcError('svc_body_too_large', {
        message: `The value of ${field} would be larger than ${maxStored / 2 ** 20} MiB, and could not be read again.`,
      })
    // Together with what is stored already, a request may pass the limits of one.
    if (!isWithinLimits(text))
      throw new SvcError('svc_body_too_large', {
        message: `The value of ${field} would hold more than ${maxValues.toLocaleString('en')} values or ${maxDepth} levels, and could not be read again.`,
      })
    assertFits(limit, field, text)
    assertSendable(field, [text])
    // Known to be JSON when it is read back.
    if (text.length >= hashedFrom) rememberJson(digestOf(text))
    return text
  }

  /**
   * The string, checked for a title or name column.
   * @param field its name in the request, for the error
   * @throws SvcError 400 `rest_invalid_param` if it is too long or contains characters outside the column's charset
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

    /** The fields that are not undefined, as their columns store them: texts checked, blobs as JSON. */
    row<T extends Name & TableName, F extends { [C in keyof Tables[T]]?: unknown }>(table: T, fields: F) {
      const { columns } = shapes[table]
      const encoded = Object.entries(fields).flatMap(([name, value]) => {
        const kind = columns[name]?.kind
        if (value === undefined) return []
        if (kind === 'blob') return [[name, json(table, name, name, value)]]
        return [[name, kind === 'text' ? text(table, name, name, String(value)) : value]]
      })
      return Object.fromEntries(encoded) as Encoded<Row<T>, F>
    },

    /**
     * The string with characters outside the column's charset replaced, for values without escapes: by U+FFFD where the
     * column has it, else by a question mark.
     */
    replaced(table: Name, column: string, value: string): string {
      const { charset } = limits(table, column)
      const foreign = unstorableCharacters(charset)
      const other = charset === undefined || charset.startsWith('utf8') ? '\ufffd' : '?'
      const wellFormed = value.toWellFormed()
      if (!foreign) return wellFormed
      return wellFormed.replace(
        new RegExp(`[\\ud800-\\udbff][\\udc00-\\udfff]|${foreign.source}`, 'g'),
        other,
      )
    },

    /** Bytes that a value may have; undefined if there is no such limit. */
    maxBytes: (table: Name, column: string) => limits(table, column).bytes,

    has: (table: Name, column: string) =>
      inspection.tables.get(table)?.columns.has(column.toLowerCase()) === true,

    /** The column for a search, by its name in the statement (`p.title`) where that differs. */
    searched: (table: Name, column: string, ref = column): SearchedColumn => ({
      ref,
      charset: limits(table, column).charset,
    }),

    /**
     * Returns the values of a statement that writes several blobs.
     * @throws SvcError 413 if they are too large together
     */
    together<Values extends object>(values: Values): Values {
      const large = Object.entries(values).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      )
      assertSendable(
        large.map(([name]) => name).join(', '),
        large.map(([, value]) => value),
      )
      return values
    },
  }
}
