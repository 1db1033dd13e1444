// A database that cannot serve while the host starts: one sentence, and a code where a retry may help.
import Fastify from 'fastify'
import { createPool } from 'mysql2'
import t, { type Test } from 'tap'
import { type DatabaseInput, svcApi } from '../../../plugins/index.ts'
import { freshAddress, onEachServer } from '../../support/build.ts'
import { chaosProxy } from '../../support/chaos-proxy.ts'

async function startError(database: DatabaseInput): Promise<unknown> {
  const app = Fastify({ pluginTimeout: 60_000 })
  try {
    await app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true })
    return await app.ready()
  } catch (error) {
    return error
  } finally {
    await app.close()
  }
}

/** A pool whose sessions begin with a statement. */
function poolWith(t: Test, uri: string, statement: string) {
  const pool = createPool({ uri, charset: 'utf8mb4' })
  pool.on('connection', (connection) => connection.query(statement))
  t.teardown(() => pool.promise().end())
  return pool
}

t.test('a server that goes away while the host starts is one that cannot be reached', (t) =>
  onEachServer(t, async (t, engine) => {
    for (const text of ['select version()', 'information_schema']) {
      const address = await freshAddress(t, engine)
      const proxy = await chaosProxy(t, address)
      proxy.suffer({ kind: 'at', text, forwarded: false, next: 'hang' })
      const error = await startError(proxy.through(address))
      t.equal(proxy.strikes, 1, text)
      t.match(
        error,
        {
          message: /^database: the server (127\.0\.0\.1:\d+ )?cannot be reached\.$/,
          code: 'svc_unavailable',
        },
        text,
      )
    }
  }),
)

const shortest = {
  MariaDB: 'set session max_statement_time = 0.000001',
  // For reading statements only. The catalog of the database takes longer.
  MySQL: 'set session max_execution_time = 1',
}

t.test('a server that ends statements too early is named as such', (t) =>
  onEachServer(t, async (t, engine) => {
    const pool = poolWith(t, await freshAddress(t, engine), shortest[engine])
    t.match(await startError(pool), {
      message: /^database: the server ends statements after too short a time/,
    })
  }),
)
