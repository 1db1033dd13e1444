// Statements as text, with values that mean the same in every sql_mode: whether a backslash escapes depends on the session, which
// may change with each connection. No literal here contains one.

/** Names and literals may contain question marks, too. */
const placeholders = /'[^']*'|`[^`]*`|"[^"]*"|\?/g

/** The statement with its parameters written into it. */
export function sqlText(statement: string, parameters: readonly unknown[]): string {
  let at = 0
  return statement.replace(placeholders, (part) => (part === '?' ? literal(parameters[at++]) : part))
}

/** Characters that drivers escape, each in the way of one sql_mode. */
const escaped = /[\0\b\t\n\r\x1a"'\\]/

/** A statement for a driver that may take the session for one with another sql_mode: it gets nothing to escape. */
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

/** Control characters, which JSON texts never contain: one that the text lacks stands for its backslashes. */
const unused = ['\u0001', '\u0002', '\u0003', '\u0004', '\u0005', '\u0006', '\u0007', '\u0008']

function withBackslashes(text: string): string {
  const other = unused.find((character) => !text.includes(character))
  const hex = (part: string) => `_utf8mb4 x'${Buffer.from(part).toString('hex')}'`
  // Hexadecimal digits take twice the bytes.
  if (other === undefined) return hex(text)
  return `replace(_utf8mb4 ${quoted(text.replaceAll('\\', other))}, ${hex(other)}, ${hex('\\')})`
}
