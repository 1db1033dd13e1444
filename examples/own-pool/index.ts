// Your own pool and Kysely: the app's queries and the API's run on the same connections, which the app opens and closes.
import Fastify from 'fastify'
import { type Generated, Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import svcApi from 'svc-api'

/** Tables of the app; those of the API need not be named. */
interface Tables {
  notes: { id: Generated<number>; text: string }
}

const pool = createPool({
  uri: process.env.DATABASE_URL ?? 'mysql://root@127.0.0.1:3306/shop',
  // The API refuses connections of another charset: characters would be lost.
  charset: 'utf8mb4',
  connectionLimit: 20,
})
// `createPool` of `mysql2`, not of `mysql2/promise`: that is what Kysely drives.
const db = new Kysely<Tables>({ dialect: new MysqlDialect({ pool }) })

const app = Fastify({ logger: { level: 'warn' } })
// Registered first, so that it runs last: the API lets go of the connections before they are closed.
app.addHook('onClose', () => db.destroy())

app.post<{ Body: { text: string } }>('/notes', async (request, reply) => {
  await db.insertInto('notes').values({ text: request.body.text }).execute()
  return reply.code(201).send()
})
app.get('/notes', () => db.selectFrom('notes').selectAll().execute())

app.register(svcApi, {
  // The pool itself would do as well.
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
