// Checks `mysql://` URLs. They may contain a password, so no message repeats any part of them.

/** The error for a URL of another format. */
export const urlFormat =
  'database: the URL must be mysql://user:password@host:port/name or sqlite:/path/to/file.'

const mysqlUrl =
  /^mysql:\/\/(?:[^@/?#\s]*@)?(?:\[[0-9a-f:.]+\]|[^@/?#:\s[\]]+)(?::\d{1,5})?(?:\/([^/?#\s]*))?(?:\?[^#\s]*)?$/i

/** @throws Error with one sentence if the URL has another format, no database name, or invalid percent-encoding (RFC 3986 §2.1) */
export function assertMysqlUrl(url: string): void {
  const form = mysqlUrl.exec(url)
  if (form && URL.canParse(url) && isEscaped(url)) {
    if (!form[1]) throw new Error('database: the mysql:// URL must end with the name of the database.')
    return
  }
  // User name and password come before the last "@".
  const account = url.slice('mysql://'.length, Math.max(url.lastIndexOf('@'), 'mysql://'.length))
  if (/[@/?#\s\\]/.test(account) || !isEscaped(account)) {
    throw new Error(
      'database: user name and password in the mysql:// URL must be percent-encoded ("@" as %40, "/" as %2F, "%" as %25).',
    )
  }
  throw new Error(urlFormat)
}

/** Whether each percent sign begins a valid escape. */
function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
