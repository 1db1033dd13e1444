// A host app with the API on a fresh database, closed with the test. Every response is held to its declared schema.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import Fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type InjectOptions,
  type RouteOptions,
} from 'fastify'
import type { Kysely } from 'kysely'
import type { Test } from 'tap'
import { type SvcApiOptions, svcApi } from '../../plugins/index.ts'
import { type Connection, connect } from '../../src/db/connect.ts'
import type { PhysicalNames, Tables } from '../../src/db/tables.ts'
import { freshDatabase } from './mariadb.ts'

export const engineNames = ['SQLite', 'MariaDB'] as const
export type Engine = (typeof engineNames)[number]

/** Address of a fresh, empty database; gone after the test. */
export async function freshAddress(t: Test, engine: Engine): Promise<string> {
  if (engine === 'MariaDB') return freshDatabase(t)
  // Not tap's own folder, of which a test has only one.
  const dir = await mkdtemp(join(tmpdir(), 'svc-sqlite-'))
  t.teardown(() => rm(dir, { recursive: true }))
  return `sqlite:${dir}/test.sqlite`
}

/** Runs the test once on each engine, as a subtest named after it. */
export function onEachEngine(t: Test, run: (t: Test, engine: Engine) => Promise<void>): Promise<unknown> {
  return Promise.all(engineNames.map((engine) => t.test(engine, (sub) => run(sub, engine))))
}

export const token = '0123456789abcdef'.repeat(4)

export interface TestResponse {
  status: number
  headers: Record<string, string | undefined>
  /** Parsed body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses the way a client written in JavaScript does
  body: any
  text: string
}

export interface TestHost {
  app: FastifyInstance
  /** Sends a request with the right token (unless `headers.authorization` says otherwise) to a path below the namespace. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string | undefined>,
  ): Promise<TestResponse>
  /** A second door to the same rows, for what PHP or another process writes. */
  db: Kysely<Tables>
  t: PhysicalNames
  address: string
  engine: Engine
  connection: Connection
  /** The routes of the API as they were registered, without the responses for unknown ones. */
  routes: RouteOptions[]
}

export interface BuildOptions extends Partial<SvcApiOptions> {
  engine?: Engine
  /** An existing database to use instead of a fresh one. */
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
      // An undefined header is one that is not sent.
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

/** The name of a route's operation; undefined where it is none of the API's. */
export function operationOf({ schema }: RouteOptions): string | undefined {
  return schema && Reflect.get(schema, 'operationId')
}

/** Fails the test when a response does not fit the schema that its route declares for the status. */
function checkAnswers(t: Test, app: FastifyInstance): void {
  const ajv = new Ajv({ strict: false, allErrors: true })
  const compiled = new Map<object, Record<'whole' | 'partial', ValidateFunction>>()
  function checkOf(schema: object) {
    const known = compiled.get(schema)
    if (known) return known
    const [whole, partial] = [undefined, withoutRequired].map((replacer) =>
      ajv.compile(JSON.parse(JSON.stringify(schema, replacer))),
    ) as [ValidateFunction, ValidateFunction]
    compiled.set(schema, { whole, partial })
    return { whole, partial }
  }
  app.addHook('onSend', async (request, reply, payload) => {
    const declared = request.routeOptions.schema?.response as Record<string, object> | undefined
    if (!declared || typeof payload !== 'string' || payload === '' || request.method === 'HEAD') return
    const response = `${request.method} ${request.url} responds ${reply.statusCode}`
    if (/return=minimal/.test(String(reply.getHeader('preference-applied')))) {
      const { success, data, ...rest } = JSON.parse(payload)
      const isMinimal = success && Object.keys(data).length <= 1 && Object.keys(rest).length === 0
      if (!isMinimal) t.fail(`${response} with more than a key`)
      return
    }
    const schema = declared[reply.statusCode] ?? declared[`${Math.floor(reply.statusCode / 100)}xx`]
    if (!schema) t.fail(`${response}, which it does not declare`)
    else {
      const validate = checkOf(schema)[/[?&]_?fields=/.test(request.url) ? 'partial' : 'whole']
      if (!validate(JSON.parse(payload)))
        t.fail(`${response} against its schema: ${ajv.errorsText(validate.errors)}`)
    }
  })
}

/** With `fields`, any member of the resource may be absent. */
function withoutRequired(key: string, value: unknown): unknown {
  return key === 'required' && Array.isArray(value) ? undefined : value
}
