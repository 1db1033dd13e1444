// Explains to the operator why the host did not start: which variable to check, without revealing secrets.

/** Maps the library's option names to environment variables. */
const variables: [option: RegExp, variable: string][] = [
  [/^database\b[^:]*: /, 'DATABASE_URL: '],
  [/^(tablePrefix|tables)\b[^:]*: /, 'TABLE_PREFIX: '],
  [/^siteUrl: /, 'SITE_URL: '],
  [/^baseUrl: /, 'BASE_URL: '],
  [/^uploads\.url: /, 'UPLOADS_URL: '],
  [/^uploads\b[^:]*: /, 'UPLOADS_DIR: '],
  [/^printReady\b[^:]*: /, 'SVC_PRINT_READY_ALLOW: '],
  [/^exportService\b[^:]*: /, 'SVC_EXPORT_SERVICE_URL: '],
  [/^webhooks\[0\]\.secret: /, 'SVC_WEBHOOK_SECRET: '],
  [/^webhooks\[0\]\.url: /, 'SVC_WEBHOOK_URL: '],
  [/^token: /, 'SVC_API_TOKEN: '],
]

/** @param address the database URL, whose password must not be quoted */
export function reasonOf(error: unknown, address = ''): string {
  if (!(error instanceof Error)) return String(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return 'PORT is taken by another process; choose another one.'
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return `HOST is not an address of this machine (${code}).`
  if (syscall === 'listen') return `HOST or PORT cannot be listened on (${code}).`
  // The server's own message names the user, and may quote stored data.
  if (Reflect.get(error, 'sqlState') !== undefined)
    return `DATABASE_URL: the database refuses a statement that the start needs (${code}).`
  const found = variables.find(([option]) => option.test(error.message))
  const message = found ? error.message.replace(...found) : error.message
  return secretsOf(address).reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

/** The database URL and its password as part of one, in each form in which a message could quote them. It may be malformed. */
function secretsOf(address: string): string[] {
  if (address.startsWith('sqlite:')) return []
  const url = URL.canParse(address) ? new URL(address) : undefined
  const { password = '', search = '' } = url ?? {}
  const quoted = password === '' ? [] : [`:${password}@`, `:${decoded(password)}@`]
  return [address, ...quoted, search].filter((text) => text.length > 1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
