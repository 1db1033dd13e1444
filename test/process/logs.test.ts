// What the API writes into the host's log: one line per failure with what an operator needs, and nothing that is secret.
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { createPool } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { misreadsNames } from '../../src/json/parse.ts'
import { run } from '../support/fixtures/schema.ts'
import { type BuildOptions, build, freshAddress, onEachEngine, token } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'

type Line = Record<string, unknown> & { err?: Record<string, unknown> }

/** Marks that stand in bodies and rows, and must never stand in a log. */
const secret = 'canary-5ecret'
const levels = { debug: 20, error: 50 }

function listener() {
  const lines: Line[] = []
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
      done()
    },
  })
  /** The lines of ours: Fastify's own bear the request itself or its response. */
  const ours = () => lines.filter((line) => !('req' in line) && !('res' in line) && line.reqId !== undefined)
  return { stream, ours, text: () => text }
}

async function logging(t: Test, options: BuildOptions = {}) {
  const log = listener()
  const host = await build(t, { ...options, server: { logger: { level: 'trace', stream: log.stream } } })
  return { ...host, log }
}

t.test('at startup one line says whether other routes of the app are exposed to misread names', async (t) => {
  const { log } = await logging(t)
  const lines = log
    .text()
    .split('\n')
    .filter((line) => line.includes('63785'))
  t.equal(lines.length, misreadsNames() ? 1 : 0)
  for (const line of lines) t.equal(JSON.parse(line).level, 30)
})

t.test('successes and refusals leave no line above debug, and none that repeats what was sent', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call, log } = await logging(t, { engine })
    await call('POST', '/products', { title: secret, options: { note: secret } })
    await call('POST', '/categories', { title: secret })
    t.equal((await call('POST', '/categories', { title: secret })).status, 409)
    t.equal((await call('POST', '/products', { [secret]: secret })).status, 400)
    t.equal(
      (await call('POST', '/products', `{"title": ${secret}`, { 'content-type': 'application/json' })).status,
      400,
    )
    t.equal((await call('GET', '/products/77')).status, 404)
    t.equal((await call('GET', '/nothing')).status, 404)
    t.equal((await call('GET', '/products', undefined, { authorization: `Bearer ${secret}` })).status, 403)
    t.equal((await call('GET', '/products', undefined, { authorization: `Basic ${secret}` })).status, 401)

    const refusals = log.ours()
    t.equal(refusals.length, 7)
    t.ok(refusals.every((line) => line.level === levels.debug && line.request_id && line.method && line.code))
    t.match(refusals[0], {
      route: '/wp-json/svc/v1/categories',
      status: 409,
      code: 'svc_category_title_taken',
    })
    t.notMatch(log.text(), secret)
    t.notMatch(log.text(), token)
  }),
)

t.test('what clients can cause without a failure of ours leaves no line above debug', async (t) => {
  const { call, log } = await logging(t, { mcp: {} })
  await call('POST', '/products', { title: 'Shirt' })
  const json = { 'content-type': 'application/json' }
  t.equal((await call('GET', '/products/1/preview')).status, 501)
  t.equal((await call('POST', '/mcp', `{"note": ${secret}`, json)).status, 400)
  t.equal((await call('GET', '/products?search=%00%ff')).status, 200)
  const over = log.ours().filter(({ level }) => Number(level) > levels.debug)
  t.strictSame(over, [])
  t.notMatch(log.text(), secret)
})

t.test('a value that cannot be read leaves one line that names its place and not the value', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call, db, t: names, log } = await logging(t, { engine })
    await call('POST', '/products', { title: 'Shirt' })
    await db
      .updateTable(names.products)
      .set({ options: `{"${secret}` })
      .execute()
    const response = await call('GET', '/products/1', undefined, { 'x-request-id': 'mine-7' })
    t.equal(response.status, 500)
    t.equal(response.body.data.request_id, 'mine-7')
    t.match(log.ours(), [
      {
        level: levels.error,
        request_id: 'mine-7',
        method: 'GET',
        route: '/wp-json/svc/v1/products/:id',
        status: 500,
      },
    ])
    t.match(log.ours()[0]?.msg, /wp_svc_products\.options of row 1/)
    t.equal(log.ours().length, 1)
    t.notMatch(log.text(), secret)
  }),
)

/** Statements that make the next write on products fail inside the engine. */
const traps: Record<'SQLite' | 'server', { statement: string; err: Line }[]> = {
  SQLite: [
    {
      statement: 'alter table wp_svc_products rename column thumbnail to gone',
      err: { code: 'ERR_SQLITE_ERROR', errcode: 1, message: /no column named thumbnail/ },
    },
  ],
  server: [
    {
      statement: 'alter table wp_svc_products modify title int',
      err: { code: 'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', errno: 1366, sqlState: /./, message: undefined },
    },
    {
      statement: 'alter table wp_svc_products rename column thumbnail to gone',
      err: { code: 'ER_BAD_FIELD_ERROR', errno: 1054, message: /thumbnail/ },
    },
  ],
}

t.test("an error of the engine leaves one line with the engine's code, without statement and values", (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const { statement, err } of traps[engine === 'SQLite' ? engine : 'server']) {
      const { call, db, log } = await logging(t, { engine })
      await run(db, statement)
      const response = await call('POST', '/products', { title: secret, options: { note: secret } })
      t.equal(response.status, 500)
      t.equal(response.body.code, 'svc_internal_error')
      t.notMatch(response.text, /SQL|wp_svc|at .*\.ts/)
      const [line, ...more] = log.ours()
      t.strictSame(more, [])
      t.match(line, {
        level: levels.error,
        request_id: response.body.data.request_id,
        method: 'POST',
        route: '/wp-json/svc/v1/products',
        status: 500,
        code: 'svc_internal_error',
        err: { ...err, stack: /^ +at / },
      })
      t.notMatch(log.text(), secret)
      t.notMatch(log.text(), /insert into `?wp_|values \(/i)
    }
  }),
)

onServers(
  'a database that is gone leaves one line for each request, without its password',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const password = 'pa55-word-canary'
    const root = await createConnection(address)
    const user = `shop_${new URL(address).pathname.slice(-8)}`
    await root.query(`create user ${user} identified by '${password}'`)
    await root.query(`grant all on ${new URL(address).pathname.slice(1)}.* to ${user}`)
    const pool = createPool({ ...poolSettings(address), user, password })
    const host = await logging(t, { engine, address, database: pool })
    t.equal((await host.call('GET', '/products')).status, 200)
    pool.end()
    const response = await host.call('GET', '/products/1')
    t.equal(response.status, 503)
    t.equal(response.headers['retry-after'], '2')
    const [line, ...more] = host.log.ours()
    t.strictSame(more, [])
    t.match(line, { status: 503, code: 'svc_unavailable', request_id: response.body.data.request_id })
    t.ok(line?.err?.message)

    // A server that does not let us in says who, and with which kind of secret; never the secret.
    await root.query(`drop user ${user}`)
    const { host: server, pathname } = new URL(address)
    const refusal = await build(t, {
      address,
      database: `mysql://${user}:${password}@${server}${pathname}`,
    }).catch((error: unknown) => inspect(error, { depth: 9, showHidden: true }))
    t.match(refusal, /database: the server refuses the connection/)
    t.notMatch(refusal, password)
    await root.end()
    t.notMatch(host.log.text(), password)
  },
)

function poolSettings(address: string) {
  const { hostname, port, pathname } = new URL(address)
  return { host: hostname, port: Number(port), database: pathname.slice(1), charset: 'utf8mb4' }
}

t.test(
  'an error that the host throws is told by its kind, and a parser error without its snippet',
  async (t) => {
    const { call, log } = await logging(t, {
      before: (app) => {
        app.addHook('preHandler', async (request) => {
          JSON.parse(`{"${request.method}": ${secret}`)
        })
      },
    })
    t.equal((await call('GET', '/products')).status, 500)
    t.match(log.ours(), [{ err: { name: 'SyntaxError', message: undefined } }])
    t.notMatch(log.text(), secret)
  },
)
