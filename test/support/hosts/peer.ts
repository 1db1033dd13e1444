// The other process of a test: serves the API on a given database, and runs tasks that the test sends over IPC.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { InjectOptions } from 'fastify'
import { type SvcApiOptions, svcApi } from '../../../plugins/index.ts'
import { connect, databaseOn } from '../../../src/db/connect.ts'
import { guard } from '../../../src/db/guard.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { migrate } from '../../../src/upkeep/set-up.ts'
import { listen } from '../hostile/raw-http.ts'
import { Fastify } from './fastify.ts'

/** One request below the namespace. */
export interface PeerRequest {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Default: the tests' own token. */
  token?: string
}

export interface PeerResponse {
  status: number
  etag?: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses the way a client written in JavaScript does
  body: any
}

/** The tasks of a peer with their parameters. All parts of one task run concurrently. */
export type PeerTask =
  | { do: 'serve'; database: string; token: string; options?: Partial<SvcApiOptions> }
  | { do: 'leave' }
  | { do: 'listen' }
  | { do: 'memory' }
  | { do: 'requests'; requests: PeerRequest[] }
  | { do: 'ready' }
  | { do: 'append'; key: string; marks: string[] }
  | { do: 'count'; key: string; times: number }
  | { do: 'migrate'; database: string; indexes?: boolean }

let app = Fastify()
let served: Extract<PeerTask, { do: 'serve' }> | undefined

function current(): Extract<PeerTask, { do: 'serve' }> {
  if (!served) throw new Error('This peer serves no database yet.')
  return served
}

async function request({ method, path, body, headers, token }: PeerRequest): Promise<PeerResponse> {
  const response = await app.inject({
    method: method as 'GET',
    url: `/wp-json/svc/v1${path}`,
    headers: { authorization: `Bearer ${token ?? current().token}`, ...headers },
    ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
  })
  return { status: response.statusCode, etag: response.headers.etag, body: JSON.parse(response.payload) }
}

/** The service's own database connection, separate from the app. */
const room = async () => {
  const connection = await connect({ database: current().database })
  return { database: await databaseOn(connection), close: connection.close }
}
let rooms: ReturnType<typeof room> | undefined

async function obey(order: PeerTask): Promise<unknown> {
  switch (order.do) {
    case 'serve':
      served = order
      await app.register(svcApi, {
        database: order.database,
        siteUrl: 'https://shop.example',
        readinessPath: '/ready',
        ...order.options,
      })
      await app.ready()
      return
    case 'leave':
      await app.close()
      await (await rooms)?.close()
      app = Fastify()
      served = undefined
      rooms = undefined
      return
    case 'listen':
      return listen(app)
    case 'memory': {
      setFlagsFromString('--expose-gc')
      const collect: () => void = runInNewContext('gc')
      collect()
      return process.memoryUsage()
    }
    case 'requests':
      return Promise.all(order.requests.map(request))
    case 'ready':
      return (await app.inject('/ready')).statusCode
    case 'append': {
      rooms ??= room()
      const store = optionsStore((await rooms).database, () => {})
      return Promise.all(
        order.marks.map((mark) => store.update(order.key, (stored) => `${stored ?? ''}${mark},`)),
      )
    }
    case 'count': {
      rooms ??= room()
      const { database } = await rooms
      for (let i = 0; i < order.times; i++) await countUp(database, order.key)
      return
    }
    case 'migrate':
      return migrate({ database: order.database, indexes: order.indexes ?? false })
  }
}

/** Reads and writes in two steps, which only a transaction makes atomic. */
async function countUp(database: Awaited<ReturnType<typeof room>>['database'], key: string): Promise<void> {
  const { t } = database
  await database.transaction(async (trx) => {
    await guard(database, trx, 'catalog')
    const row = await trx
      .selectFrom(t.options)
      .select('option_value')
      .where('option_name', '=', key)
      .executeTakeFirstOrThrow()
    await trx
      .updateTable(t.options)
      .set({ option_value: String(Number(row.option_value) + 1) })
      .where('option_name', '=', key)
      .execute()
  })
}

process.on('message', ({ id, order }: { id: number; order: PeerTask }) => {
  obey(order).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  )
})
// The test has ended or crashed.
process.on('disconnect', () => process.exit())
