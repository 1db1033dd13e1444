// The form of a `mysql://` address. It may hold a password, so no message repeats any of it.

export const urlFormat =
  'database: the address must be mysql://user:password@host:port/name or sqlite:/path/to/file.'

const whole =
  /^mysql:\/\/(?:[^@/?#\s]*@)?(?:\[[0-9a-f:.]+\]|[^@/?#:\s[\]]+)(?::\d{1,5})?(?:\/([^/?#\s]*))?(?:\?[^#\s]*)?$/i

/** @throws Error with a sentence, when it is not of that form or its escapes cannot be read */
export function assertMysqlUrl(url: string): void {
  const form = whole.exec(url)
  if (form && URL.canParse(url) && isEscaped(url)) {
    if (!form[1]) throw new Error('database: the mysql:// address must end with the name of the database.')
    return
  }
  // What stands before the last "@" is meant as user name and password.
  const account = url.slice('mysql://'.length, Math.max(url.lastIndexOf('@'), 'mysql://'.length))
  if (/[@/?#\s\\]/.test(account) || !isEscaped(account)) {
    throw new Error(
      'database: user name and password in the mysql:// address must be percent-encoded ("@" as %40, "/" as %2F, "%" as %25).',
    )
  }
  throw new Error(urlFormat)
}

function isEscaped(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
