// Your own pool and Kysely instance: the app and the API share connections, which the app opens and closes.
import Fastify from 'fastify'
import { type Generated, Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import svcApi from 'svc-api'

/** The app's tables. The API's tables need not be listed. */
interface Tables {
  notes: { id: Generated<number>; text: string }
}

const pool = createPool({
  uri: process.env.DATABASE_URL ?? 'mysql://root@127.0.0.1:3306/shop',
  // The API rejects connections with another charset, which would lose characters.
  charset: 'utf8mb4',
  connectionLimit: 20,
})
// `createPool` from `mysql2`, not from `mysql2/promise`, as Kysely requires.
const db = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }) })

const app = Fastify({ logger: { level: 'warn' } })
// Registered first, so that it runs last: the API releases the connections before they are closed.
app.addHook('onClose', () => db.destroy())

app.post<{ Body: { text: string } }>('/notes', async (request, reply) => {
  await db.insertInto('notes').values({ text: request.body.text }).execute()
  return reply.code(201).send()
})
app.get('/notes', () => db.selectFrom('notes').selectAll().execute())

app.register(svcApi, {
  // Passing the pool itself works as well.
  database: db,
  siteUrl: process.env.SITE_URL ?? 'http://localhost:3000',
  migrate: true,
})

await db.schema
  .createTable('notes')
  .ifNotExists()
  .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  .addColumn('text', 'text', (column) => column.notNull())
  .execute()

process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`)
