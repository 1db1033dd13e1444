// A database URL that asks for an encrypted connection. What no retry changes is refused at startup, with the reason.

import Fastify from 'fastify'
import t from 'tap'
import { svcApi } from '../../../plugins/index.ts'
import { freshDatabase, startMariadb } from '../../support/mariadb.ts'
import { selfSigned } from '../../support/self-signed.ts'

async function start(database: string): Promise<unknown> {
  const app = Fastify()
  app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true })
  try {
    await app.ready()
    return undefined
  } catch (error) {
    return error
  } finally {
    await app.close()
  }
}

const demanding = (ssl: object) => `?ssl=${encodeURIComponent(JSON.stringify(ssl))}`

t.test('a server that offers no TLS is refused with this reason, and need not be waited for', async (t) => {
  const error = await start((await freshDatabase(t)) + demanding({}))
  t.match(error, { message: 'database: the connection cannot be encrypted: the server offers no TLS.' })
  t.not(Reflect.get(Object(error), 'code'), 'svc_unavailable')
})

t.test('so is a certificate that is not trusted; one that is trusted is used', async (t) => {
  const { key, cert } = await selfSigned(t)
  const server = await startMariadb({ flags: [`--ssl-key=${key}`, `--ssl-cert=${cert}`] })
  t.teardown(() => server.stop())
  const url = server.url('mysql')
  const error = await start(url + demanding({}))
  t.match(error, { message: /^database: the connection cannot be encrypted: self[- ]signed certificate\.$/ })
  t.not(Reflect.get(Object(error), 'code'), 'svc_unavailable')
  t.equal(await start(url + demanding({ rejectUnauthorized: false })), undefined)
})
