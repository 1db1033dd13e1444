// Parses and validates DATABASE_URL, and formats it for display without secrets.
import { resolve } from 'node:path'

const demand = 'must be mysql://user:password@host:port/name or sqlite:/path/to/file'
const escapes =
  'must have "@", ":", "/", "?", "#" and "%" in user name and password percent-encoded ("@" is %40)'

/**
 * Validates a database URL of either kind and makes a file's path absolute.
 * @throws Error with a sentence that quotes no part of the value
 */
export function databaseAddress(value = 'sqlite:.data/svc.sqlite'): string {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length)
    // Each connection would get its own in-memory database.
    if (file === '' || file === ':memory:') throw new Error('DATABASE_URL must name a file after "sqlite:".')
    return `sqlite:${resolve(file)}`
  }
  if (!value.startsWith('mysql://')) throw new Error(`DATABASE_URL ${demand}.`)
  const [, authority = '', rest = ''] = /^mysql:\/\/([^/?#]*)(.*)$/s.exec(value) ?? []
  // An unescaped delimiter in the password would split the URL at the wrong place.
  const cut = authority.split('@').length > 2 || (!authority.includes('@') && rest.includes('@'))
  const [user = '', password = ''] = authority.split('@').slice(0, -1).join('@').split(/:(.*)/s)
  if (cut || password.includes(':') || !isDecodable(user) || !isDecodable(password))
    throw new Error(`DATABASE_URL ${escapes}.`)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url?.hostname || url.pathname.length < 2) throw new Error(`DATABASE_URL ${demand}.`)
  return value
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The database for display: its name and host, without user and password. */
export function databaseLabel(address: string): string {
  if (address.startsWith('sqlite:')) return address.slice('sqlite:'.length)
  const { host, pathname } = new URL(address)
  return `${decodeURIComponent(pathname.slice(1))} on ${host}`
}
