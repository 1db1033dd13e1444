// Registering the API changes nothing in the host's app and process, and a failed startup leaves nothing behind.
import { EventEmitter } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import http from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { Fastify } from '../support/hosts/fastify.ts'
import { otherSessions } from '../support/peers/database-server.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

// The API is imported inside the tests, so that the first one sees what the import itself does.

/** Process-wide state that a library could change. */
function processGlobals(): Record<string, unknown> {
  const shared = { globalThis, Object, Array, String, Promise, Error, JSON, Buffer, Date, Math }
  const prototypes = {
    object: Object.prototype,
    array: Array.prototype,
    text: String.prototype,
    error: Error.prototype,
  }
  return {
    ...Object.fromEntries(
      Object.entries({ ...shared, ...prototypes }).map(([name, value]) => [
        name,
        Reflect.ownKeys(value).map(String),
      ]),
    ),
    listeners: process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
    environment: { ...process.env },
    limits: [EventEmitter.defaultMaxListeners, process.getMaxListeners(), Error.stackTraceLimit],
    agent: [http.globalAgent.maxSockets, http.globalAgent.listenerCount('free')],
    folder: process.cwd(),
  }
}

/** Names that decorate the app, its requests and its replies. */
function decorationsOf(app: FastifyInstance): string[] {
  return Reflect.ownKeys(app).map(String)
}

t.test('the app gets no new decoration, and the process no new global, listener or setting', async (t) => {
  const globals = processGlobals()
  const { build } = await import('../support/hosts/build.ts')
  let before: string[] = []
  let after: string[] = []
  const { call } = await build(t, {
    before: (app) => {
      before = decorationsOf(app)
    },
    after: (app) => {
      after = decorationsOf(app)
    },
  })
  await call('POST', '/products', { title: 'Shirt' })
  await call('GET', '/products')
  t.strictSame(after, before)
  t.strictSame(processGlobals(), globals)
})

t.test('decorations of the host keep their values', async (t) => {
  const { build } = await import('../support/hosts/build.ts')
  const { app, call } = await build(t, {
    before: (app) => {
      app.decorate('svc', 'mine').decorate('db', { mine: true })
    },
  })
  t.equal((await call('GET', '/system')).status, 200)
  t.equal(Reflect.get(app, 'svc'), 'mine')
  t.strictSame(Reflect.get(app, 'db'), { mine: true })
})

t.test('registering twice at one prefix fails with the sentence of Fastify', async (t) => {
  const options = { ...sound, database: 'sqlite::memory:' }
  const { svcApi } = await import('../../plugins/index.ts')
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(svcApi, options)
  await t.rejects(async () => void (await app.register(svcApi, options)), {
    code: 'FST_ERR_DUPLICATED_ROUTE',
    message: /^Method '.+' already declared for route '\/wp-json\/svc\/v1/s,
  })
})

const sound = { siteUrl: 'https://shop.example', migrate: true }
const wrong = {
  'a siteUrl that is no address': { siteUrl: 'shop' },
  'tables that are missing': { tablePrefix: 'other_', migrate: false },
  'a path that is none': { baseUrl: 'wp-json' },
}

for (const [what, options] of Object.entries(wrong)) {
  t.test(`startup that fails for ${what} leaves no connection and no file open`, async (t) => {
    const { svcApi } = await import('../../plugins/index.ts')
    const url = await freshDatabase(t)
    const file = `${t.testdir({})}/shop.sqlite`
    for (const database of [url, `sqlite:${file}`]) {
      const app = Fastify()
      await t.rejects(
        async () =>
          app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true, ...options }),
        /^(?:database|siteUrl|baseUrl): /,
      )
    }
    const watcher = await createConnection(url)
    t.teardown(() => watcher.end())
    // The server drops a session a moment after its client has left.
    while ((await otherSessions(watcher)).length > 0);
    t.notOk(openFiles().some((path) => path.startsWith(file)))
  })
}

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      // Closed since it was listed.
      return []
    }
  })
}
