// DATABASE_URL: what may stand in it, and what of it may be shown.
import { resolve } from 'node:path'

const demand = 'must be mysql://user:password@host:port/name or sqlite:/path/to/file'
const escapes =
  'must have "@", ":", "/", "?", "#" and "%" in user name and password percent-encoded ("@" is %40)'

/**
 * An address of either kind; a file's path is made absolute.
 * @throws Error with a sentence that repeats no part of the value
 */
export function databaseAddress(value = 'sqlite:.data/svc.sqlite'): string {
  if (value.startsWith('sqlite:')) {
    const file = value.slice('sqlite:'.length)
    // In memory, each connection would see a database of its own.
    if (file === '' || file === ':memory:') throw new Error('DATABASE_URL must name a file after "sqlite:".')
    return `sqlite:${resolve(file)}`
  }
  if (!value.startsWith('mysql://')) throw new Error(`DATABASE_URL ${demand}.`)
  const [, authority = '', rest = ''] = /^mysql:\/\/([^/?#]*)(.*)$/s.exec(value) ?? []
  // A raw delimiter in the password would cut the address at the wrong place.
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

/** The database as it may be shown: its name and host, never who connects or with which password. */
export function databaseLabel(address: string): string {
  if (address.startsWith('sqlite:')) return address.slice('sqlite:'.length)
  const { host, pathname } = new URL(address)
  return `${decodeURIComponent(pathname.slice(1))} on ${host}`
}
