// Who may use the settings screen: whoever knows the password, by HTTP Basic, which needs neither scripts nor sessions.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { SettingsScreenOptions } from 'svc-api'

const user = 'admin'
const digest = (text: string) => hash('sha256', text, 'buffer')
const isLoopback = (address: string) => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

/** A refusal that a browser meets by asking for the password. */
const login = () =>
  Object.assign(new Error('Please log in with the password of the settings screen.'), {
    statusCode: 401,
    headers: { 'www-authenticate': 'Basic realm="Settings", charset="UTF-8"' },
  })

/**
 * @param given the password that the environment names; without one a new one is made, which works on this machine only
 */
export function administrator(given: string | undefined) {
  const password = given ?? randomBytes(12).toString('base64url')
  const expected = digest(`${user}:${password}`)

  const authorize: SettingsScreenOptions['authorize'] = ({ ip, headers }: FastifyRequest) => {
    if (given === undefined && !isLoopback(ip)) return false
    const [, encoded = ''] = /^basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
    const presented = Buffer.from(encoded, 'base64').toString('utf8')
    if (!timingSafeEqual(digest(presented), expected)) throw login()
    return user
  }

  return { user, password, authorize }
}
