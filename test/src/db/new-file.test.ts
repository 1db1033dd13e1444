// An SQLite file that does not exist before the first start.
import t from 'tap'
import { migrate, svcApi } from '../../../plugins/index.ts'
import { connect } from '../../../src/db/connect.ts'
import { run, schemaOf } from '../../support/fixtures/schema.ts'
import { freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'

async function start(database: string, options: object = {}): Promise<void> {
  const app = Fastify()
  app.register(svcApi, { database, siteUrl: 'https://shop.example', ...options })
  try {
    await app.ready()
  } finally {
    await app.close()
  }
}

const missing = { message: /are missing\. Call migrate\(\) once/ }

t.test('a start creates it with its tables, unless migrate is false', async (t) => {
  const folder = t.testdir({})
  const database = `sqlite:${folder}/shop.sqlite`
  await start(database)
  t.strictSame(await migrate({ database, dryRun: true }), [])
  await t.rejects(start(`sqlite:${folder}/other.sqlite`, { migrate: false }), missing)
})

t.test('a start adds nothing to a file with tables of others, or to an empty database of a server', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const { db, close } = await connect({ database })
    t.teardown(close)
    if (engine === 'SQLite') await run(db, 'CREATE TABLE theirs (id INTEGER PRIMARY KEY)')
    const before = await schemaOf(db, engine)
    await t.rejects(start(database), missing)
    t.strictSame(await schemaOf(db, engine), before)
  }),
)
