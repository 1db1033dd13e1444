// Writes values into statements of MySQL so that they mean the same in every sql_mode: whether a backslash escapes depends on the
// session (NO_BACKSLASH_ESCAPES), and sessions of one pool may differ. So no literal that is written here contains a backslash.

/** Matches placeholders. Names and literals are matched as a whole, because they may contain question marks, too. */
const placeholders = /'[^']*'|`[^`]*`|"[^"]*"|\?/g

/** The statement with its parameters written into it, in the order of the question marks. */
export function sqlText(statement: string, parameters: readonly unknown[]): string {
  let index = 0
  return statement.replace(placeholders, (match) => (match === '?' ? literal(parameters[index++]) : match))
}

/** Characters that drivers escape, in ways that depend on the sql_mode. */
const escaped = /[\0\b\t\n\r\x1a"'\\]/

/**
 * A statement for a driver that may not know the sql_mode of the session: if a string needs an escape, all parameters are written
 * into the text here, so that the driver has nothing to escape.
 */
export function withoutEscapes(sql: string, parameters: readonly unknown[]) {
  const isSafe = !parameters.some((value) => typeof value === 'string' && escaped.test(value))
  return isSafe ? { sql, parameters } : { sql: sqlText(sql, parameters), parameters: [] }
}

function literal(value: unknown): string {
  if (typeof value === 'string') return value.includes('\\') ? withBackslashes(value) : quoted(value)
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return value === undefined ? 'null' : String(value)
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Control characters, which JSON texts never contain. */
const substitutes = ['\u0001', '\u0002', '\u0003', '\u0004', '\u0005', '\u0006', '\u0007', '\u0008']

/**
 * An expression for a text with backslashes: a literal with a substitute in their places, which REPLACE turns back. If the text
 * contains all substitutes, a hexadecimal literal, which takes twice the bytes.
 */
function withBackslashes(text: string): string {
  const substitute = substitutes.find((character) => !text.includes(character))
  const hex = (characters: string) => `_utf8mb4 x'${Buffer.from(characters).toString('hex')}'`
  if (substitute === undefined) return hex(text)
  return `replace(_utf8mb4 ${quoted(text.replaceAll('\\', substitute))}, ${hex(substitute)}, ${hex('\\')})`
}
