// The login of the pages: one user by HTTP Basic. Replace it with the sessions of your own app.
import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const user = 'admin'
const digest = (text: string) => hash('sha256', text, 'buffer')

/** @returns a function that returns the name of the user, or throws the 401 that makes a browser ask for the password */
export function loginWith(password: string): (request: FastifyRequest) => string {
  const expected = digest(`${user}:${password}`)
  return ({ headers }) => {
    const [, encoded = ''] = /^basic +([\w+/=-]+) *$/i.exec(headers.authorization ?? '') ?? []
    if (timingSafeEqual(digest(Buffer.from(encoded, 'base64').toString('utf8')), expected)) return user
    throw Object.assign(new Error('Please log in as admin, with the ADMIN_PASSWORD of .env.'), {
      statusCode: 401,
      headers: { 'www-authenticate': 'Basic realm="Print shop", charset="UTF-8"' },
    })
  }
}
