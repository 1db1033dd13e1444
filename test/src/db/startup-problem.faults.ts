// A database that cannot serve while the host starts: one sentence, and a code where a retry may help.
import Fastify from 'fastify'
import t from 'tap'
import { type DatabaseInput, svcApi } from '../../../plugins/index.ts'
import { chaosProxy } from '../../support/hostile/chaos-proxy.ts'
import { freshAddress, onEachServer } from '../../support/hosts/build.ts'

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

/** What the server answers to a statement that took longer than `max_statement_time` or `max_execution_time`. */
const outOfTime = { MariaDB: 1969, MySQL: 3024 }

t.test('a server that ends statements too early is named as such', (t) =>
  onEachServer(t, async (t, engine) => {
    const address = await freshAddress(t, engine)
    const proxy = await chaosProxy(t, address)
    // With a real limit it would depend on the machine whether the catalog takes longer.
    const next = { errno: outOfTime[engine] }
    proxy.suffer({ kind: 'at', text: 'information_schema', forwarded: true, next })
    t.match(await startError(proxy.through(address)), {
      message: /^database: the server ends statements after too short a time/,
    })
  }),
)
