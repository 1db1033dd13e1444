// A database URL that asks for an encrypted connection. What no retry changes is refused at startup, with the reason.
import { readFile } from 'node:fs/promises'
import { svcApi } from '../../../plugins/index.ts'
import { ownServer } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { selfSigned } from '../../support/peers/self-signed.ts'

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

/** Without such flags, MySQL offers TLS with a certificate that it has made itself. */
const withoutTls = { MariaDB: ['--skip-ssl'], MySQL: ['--tls-version='] }

onServers(
  'a server that offers no TLS is refused with this reason, and need not be waited for',
  async (t, engine) => {
    const server = await ownServer(t, engine, { flags: withoutTls[engine] })
    const error = await start(server.url('mysql') + demanding({}))
    t.match(error, { message: 'database: the connection cannot be encrypted: the server offers no TLS.' })
    t.not(Reflect.get(Object(error), 'code'), 'svc_unavailable')
  },
)

onServers('so is a certificate that is not trusted; one that is trusted is used', async (t, engine) => {
  const { key, cert } = await selfSigned(t)
  const server = await ownServer(t, engine, { flags: [`--ssl-key=${key}`, `--ssl-cert=${cert}`] })
  const url = server.url('mysql')
  const error = await start(url + demanding({}))
  t.match(error, { message: /^database: the connection cannot be encrypted: self[- ]signed certificate\.$/ })
  t.not(Reflect.get(Object(error), 'code'), 'svc_unavailable')
  t.equal(await start(url + demanding({ rejectUnauthorized: false })), undefined)
  const ca = await readFile(cert, 'utf8')
  t.equal(await start(url + demanding({ ca })), undefined)
  // mysql2 looks for `localhost` where the URL has an IP address.
  t.match(await start(url + demanding({ ca, verifyIdentity: true })), {
    message: /does not match certificate/,
  })
})
