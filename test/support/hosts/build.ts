// A host app with the API on a fresh database, closed with the test. Every response is checked against its declared schema.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import type { FastifyInstance, FastifyServerOptions, InjectOptions, RouteOptions } from 'fastify'
import type { Kysely } from 'kysely'
import type { Test } from 'tap'
import { errorTable, type SvcApiOptions, svcApi } from '../../../plugins/index.ts'
import { errorsOf } from '../../../plugins/openapi/error-responses.ts'
import { type Connection, connect } from '../../../src/db/connect.ts'
import type { PhysicalNames, Tables } from '../../../src/db/tables.ts'
import { endpointOf } from '../../../src/http/endpoint.ts'
import type { Operation } from '../../../src/http/operations.ts'
import type { DatabaseServer, ServerOptions } from '../peers/database-server.ts'
import { freshDatabase, startMariadb } from '../peers/mariadb.ts'
import { freshMysqlDatabase, startMysql } from '../peers/mysql.ts'
import { Fastify } from './fastify.ts'

export const engineNames = ['SQLite', 'MariaDB', 'MySQL'] as const
export type Engine = (typeof engineNames)[number]

/** URL of a fresh, empty database, which is dropped after the test. */
export async function freshAddress(t: Test, engine: Engine): Promise<string> {
  if (engine === 'MariaDB') return freshDatabase(t)
  if (engine === 'MySQL') return freshMysqlDatabase(t)
  // Not tap's testdir, since a test has only one.
  const dir = await mkdtemp(join(tmpdir(), 'svc-sqlite-'))
  t.teardown(() => rm(dir, { recursive: true }))
  return `sqlite:${dir}/test.sqlite`
}

/** Runs the test once on each engine, as a subtest named after it. */
export function onEachEngine(t: Test, run: (t: Test, engine: Engine) => Promise<void>): Promise<unknown> {
  return Promise.all(engineNames.map((engine) => t.test(engine, (sub) => run(sub, engine))))
}

export const serverNames = ['MariaDB', 'MySQL'] as const
export type ServerEngine = (typeof serverNames)[number]

/** The same for what SQLite does not have. */
export function onEachServer(
  t: Test,
  run: (t: Test, engine: ServerEngine) => Promise<void>,
): Promise<unknown> {
  return Promise.all(serverNames.map((engine) => t.test(engine, (sub) => run(sub, engine))))
}

/** The same where two servers tell no more than one, such as commands and pages: both get the same statements. */
export function onEachDialect(t: Test, run: (t: Test, engine: Engine) => Promise<void>): Promise<unknown> {
  return Promise.all(
    (['SQLite', 'MariaDB'] as const).map((engine) => t.test(engine, (sub) => run(sub, engine))),
  )
}

/** Starts a server of the test's own, which is stopped with it. */
export async function ownServer(
  t: Test,
  engine: ServerEngine,
  options: ServerOptions = {},
): Promise<DatabaseServer> {
  const server = await (engine === 'MariaDB' ? startMariadb : startMysql)(options)
  t.teardown(() => server.stop())
  return server
}

export const token = '0123456789abcdef'.repeat(4)

export interface TestResponse {
  status: number
  headers: Record<string, string | undefined>
  /** The parsed body; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses the way a client written in JavaScript does
  body: any
  text: string
}

export interface TestHost {
  app: FastifyInstance
  /** Sends a request to a path below the namespace, with a valid token unless `headers.authorization` overrides it. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<TestResponse>
  /** Direct access to the same rows, for what PHP or another process writes. */
  db: Kysely<Tables>
  t: PhysicalNames
  address: string
  engine: Engine
  connection: Connection
  /** The registered routes of the API, without the catch-all for unknown ones. */
  routes: RouteOptions[]
}

export interface BuildOptions extends Partial<SvcApiOptions> {
  engine?: Engine
  /** The URL of an existing database to use instead of a fresh one. */
  address?: string
  server?: FastifyServerOptions
  /** What the host does before and after it registers the API, and the prefix that it registers it under. */
  before?: (app: FastifyInstance) => void
  after?: (app: FastifyInstance) => void
  prefix?: string
}

export async function build(
  t: Test,
  { engine = 'SQLite', address, server, before, after, prefix = '', ...options }: BuildOptions = {},
): Promise<TestHost> {
  const database = address ?? (await freshAddress(t, engine))
  const app = Fastify({ logger: false, ...server })
  t.teardown(() => app.close())
  checkAnswers(t, app)
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (operationOf(route) !== undefined) routes.push(route)
  })
  before?.(app)
  await app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true, prefix, ...options })
  after?.(app)
  await app.ready()

  const connection = await connect({
    database,
    ...(options.tablePrefix === undefined ? {} : { tablePrefix: options.tablePrefix }),
  })
  t.teardown(() => connection.close())
  const { db, t: names } = connection
  if (
    !(await db
      .selectFrom(names.options)
      .select('option_id')
      .where('option_name', '=', 'svc_api_token')
      .executeTakeFirst())
  ) {
    await db
      .insertInto(names.options)
      .values({ option_name: 'svc_api_token', option_value: token, autoload: 'yes' })
      .execute()
  }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<TestResponse> {
    const request: InjectOptions = {
      method: method as 'GET',
      url: `${prefix}${options.baseUrl ?? '/wp-json'}/svc/v1${path}`,
      // Undefined headers are not sent.
      headers: Object.fromEntries(
        Object.entries({ authorization: `Bearer ${token}`, ...headers }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
      ...(body === undefined ? {} : { payload: body as object }),
    }
    const { statusCode, headers: received, payload } = await app.inject(request)
    const isJson = String(received['content-type']).startsWith('application/json')
    return {
      status: statusCode,
      headers: received as TestResponse['headers'],
      body: isJson && payload !== '' ? JSON.parse(payload) : undefined,
      text: payload,
    }
  }

  return { app, call, db, t: names, address: database, engine, connection, routes }
}

/** The operation id of a route; undefined for a route that is not the API's. */
export function operationOf({ schema }: RouteOptions): string | undefined {
  return schema && Reflect.get(schema, 'operationId')
}

type ResponseCheck = Readonly<Record<'whole' | 'partial', ValidateFunction>>

const ajv = new Ajv({ strict: false, allErrors: true })
/** By the text of the schema: the hosts of a process declare the same ones, and compiling them takes long. */
const responseChecks = new Map<string, ResponseCheck>()

function responseCheck(schema: string): ResponseCheck {
  const known = responseChecks.get(schema)
  if (known) return known
  const parsed = JSON.parse(schema)
  let whole: ValidateFunction | undefined
  let partial: ValidateFunction | undefined
  const check = {
    get whole() {
      whole ??= ajv.compile(parsed)
      return whole
    },
    get partial() {
      partial ??= ajv.compile(JSON.parse(JSON.stringify(parsed, withoutRequired)))
      return partial
    },
  }
  responseChecks.set(schema, check)
  return check
}

/** Fails the test when a response does not fit the schema that its route declares for the status. */
function checkAnswers(t: Test, app: FastifyInstance): void {
  const known = new Map<object, ResponseCheck>()
  function checkOf(schema: object) {
    const check = known.get(schema) ?? responseCheck(JSON.stringify(schema))
    known.set(schema, check)
    return check
  }
  app.addHook('onSend', async (request, reply, payload) => {
    const endpoint = endpointOf(request)
    const { operation } = request.routeOptions.config
    const declared = endpoint?.schema.response as Record<string, object> | undefined
    if (!declared || typeof payload !== 'string' || payload === '' || request.method === 'HEAD') return
    const response = `${request.method} ${request.url} responds ${reply.statusCode}`
    if (/return=minimal/.test(String(reply.getHeader('preference-applied')))) {
      const { success, data, ...rest } = JSON.parse(payload)
      const isMinimal = success && Object.keys(data).length <= 1 && Object.keys(rest).length === 0
      if (!isMinimal) t.fail(`${response} with more than a key`)
      return
    }
    const isOwn = operation?.id === endpoint?.operation
    checkCode(t, { response, status: reply.statusCode }, isOwn ? operation : undefined, payload)
    const schema = declared[reply.statusCode] ?? declared[`${Math.floor(reply.statusCode / 100)}xx`]
    if (!schema) t.fail(`${response}, which it does not declare`)
    else {
      const validate = checkOf(schema)[/[?&]_?fields(\[\d*\])?=/.test(request.url) ? 'partial' : 'whole']
      if (!validate(JSON.parse(payload)))
        t.fail(`${response} against its schema: ${ajv.errorsText(validate.errors)}`)
    }
  })
}

/** Fails the test when an error has a code that the OpenAPI document does not list for the operation. */
function checkCode(
  t: Test,
  { response, status }: { response: string; status: number },
  operation: Operation | undefined,
  payload: string,
): void {
  const { code } = JSON.parse(payload)
  if (!operation || typeof code !== 'string' || !Object.hasOwn(errorTable, code)) return
  if (!errorsOf(operation).some(([known, codes]) => known === status && codes.some((one) => one === code)))
    t.fail(`${response} with ${code}, which its document does not list`)
}

/** With `fields`, any property of the resource may be absent. */
function withoutRequired(key: string, value: unknown): unknown {
  return key === 'required' && Array.isArray(value) ? undefined : value
}
