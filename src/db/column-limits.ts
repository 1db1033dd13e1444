// What a column of the existing table can hold: too long a value or a letter outside its charset is said, never cut.
import { invalidParams, SvcError } from '../errors.ts'
import { JsonText, jsonTextOf } from '../json.ts'
import { largeFrom, offThreadAhead } from '../off-thread/off-thread.ts'
import type { ColumnLimits, Inspection } from './inspect.ts'
import { rememberJson } from './large-values.ts'
import type { TableName } from './tables.ts'
import { unescapedFrom } from './timeouts.ts'

export interface Columns {
  /**
   * The text as it may be stored in a title or name column.
   * @param field the request's name for it, used in the error
   * @throws SvcError 400 `rest_invalid_param` when it is too long or holds letters that the column cannot
   */
  text(table: TableName, column: string, field: string, value: string): string
  /** The same for a blob: JSON text of the value, with letters that the column cannot hold escaped as `\u`. */
  json(table: TableName, column: string, field: string, value: unknown): string
  /**
   * The values of one statement, as they are; for statements that write several blobs.
   * @throws SvcError 413 when they are too large together
   */
  together<Row extends object>(values: Row): Row
}

/** Letters that each charset cannot hold; unknown charsets are taken as ASCII. */
function foreignLetters(charset: string | undefined): RegExp | undefined {
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

/** The letters as escapes; of a large text that holds any, off the main thread where that can be. */
export function escaped(json: string, letters: RegExp): string {
  const here = () => json.replace(letters, escapeUnit)
  if (json.length < largeFrom || json.search(letters) === -1) return here()
  return offThreadAhead(import.meta.url, 'escapedText', [json, letters.source], here)
}

/** Runs on the other thread. */
export const escapedText = (json: string, letters: string): string =>
  json.replace(new RegExp(letters, 'g'), escapeUnit)

/** Size of a string as it travels inside a statement, where these characters are escaped; long ones travel as they are. */
function packetSize(text: string): number {
  let escaped = 0
  if (text.length < unescapedFrom) for (const _ of text.matchAll(/[\0\n\r\x1a"'\\]/g)) escaped++
  return Buffer.byteLength(text) + escaped
}

/** Room in a packet for the rest of the statement, whose longest part is a thumbnail's address. */
const packetMargin = 256 * 1024

/** @param maxPacket the server's `max_allowed_packet` in bytes; undefined on SQLite */
export function columnsOf(inspection: Inspection, maxPacket = Number.POSITIVE_INFINITY): Columns {
  function limits(table: TableName, column: string): ColumnLimits {
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

  function assertSendable(what: string, text: string): void {
    const most = maxPacket - packetMargin
    // No letter takes more than three bytes for each of its units, so that most texts need no counting.
    if (text.length * 3 <= most || packetSize(text) <= most) return
    throw new SvcError('svc_body_too_large', {
      message: `The value of ${what} is larger than this installation's database accepts in one statement (${maxPacket} bytes).`,
    })
  }

  return {
    text(table, column, field, value) {
      const limit = limits(table, column)
      if (!value.isWellFormed() || value.includes('\0')) {
        throw invalidParams({ [field]: 'must not contain NUL or half of a surrogate pair' })
      }
      if (foreignLetters(limit.charset)?.test(value)) {
        throw invalidParams({
          [field]: `contains letters that this installation's charset ${limit.charset} cannot store`,
        })
      }
      assertFits(limit, field, value)
      return value
    },

    json(table, column, field, value) {
      const limit = limits(table, column)
      const foreign = foreignLetters(limit.charset)
      // Inside JSON text such letters stand in strings only, where an escape means the same letter.
      const json = jsonTextOf(value)
      const text = foreign ? escaped(json, foreign) : json
      assertFits(limit, field, text)
      assertSendable(field, text)
      // What is read back need not be looked at again.
      if (value instanceof JsonText && text === json) rememberJson(value.digest, value.items)
      return text
    },

    together(values) {
      const texts = Object.entries(values).filter(([, value]) => typeof value === 'string')
      assertSendable(texts.map(([name]) => name).join(', '), texts.map(([, text]) => text).join(''))
      return values
    },
  }
}
