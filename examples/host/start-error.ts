// Why the host did not start, in words for the operator: the variable to look at, and nothing that is secret.

/** The library names its options, which are called otherwise here. */
const variables: [option: RegExp, variable: string][] = [
  [/^database\b[^:]*: /, 'DATABASE_URL: '],
  [/^(tablePrefix|tables)\b[^:]*: /, 'TABLE_PREFIX: '],
  [/^siteUrl: /, 'SITE_URL: '],
  [/^baseUrl: /, 'BASE_URL: '],
  [/^uploads\.url: /, 'UPLOADS_URL: '],
  [/^uploads\b[^:]*: /, 'UPLOADS_DIR: '],
  [/^printReady\b[^:]*: /, 'SVC_PRINT_READY_ALLOW: '],
  [/^exportService\b[^:]*: /, 'SVC_EXPORT_SERVICE_URL: '],
  [/^token: /, 'SVC_API_TOKEN: '],
]

/** @param address the connection address, whose password must not be repeated */
export function reasonOf(error: unknown, address = ''): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'PORT is taken by another process; choose another one.'
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `HOST or PORT cannot be listened on (${code}).`
  // The server's own words name the user, and may quote what was stored.
  if (Reflect.get(error, 'sqlState') !== undefined)
    return `DATABASE_URL: the database refuses a statement that the start needs (${code}).`
  const found = variables.find(([option]) => option.test(error.message))
  const message = found ? error.message.replace(...found) : error.message
  return secretsOf(address).reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

/** The password of an address, in each form in which a message could quote it. */
function secretsOf(address: string): string[] {
  if (!address.startsWith('mysql:')) return []
  const { password, search } = new URL(address)
  return [address, password, decodeURIComponent(password), search].filter((text) => text.length > 1)
}
