// The compose file as Docker Compose itself reads it, and a host started with its variables.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { readEnvironment } from '../../examples/host/environment.ts'
import { ensureCommands } from '../support/debian.ts'
import { start, stop } from '../support/hosts/example-host.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

const root = resolve(import.meta.dirname, '../..')
const file = resolve(root, 'examples/compose/compose.yaml')

/** The file as resolved with these variables. */
async function composed(variables: Record<string, string>) {
  const commands = await ensureCommands({ 'docker-compose': 'docker-compose' })
  const env = { PATH: process.env.PATH ?? '', ...variables }
  return parse(
    (await promisify(execFile)(commands['docker-compose'], ['-f', file, 'config'], { env })).stdout,
  )
}

t.test('the file is valid: the API starts when its database is healthy, and has what it needs', async (t) => {
  const { services, volumes } = await composed({ SVC_DB_PASSWORD: 'abc123' })
  t.match(services.api.depends_on, { database: { condition: 'service_healthy' } })
  t.ok(services.database.healthcheck.test.includes('--innodb_initialized'))
  t.match(services.database.environment, { MARIADB_DATABASE: 'shop', MARIADB_PASSWORD: 'abc123' })
  for (const { volumes: used } of Object.values(services) as { volumes: string[] }[])
    for (const volume of used) t.ok(volumes[volume.split(':')[0] ?? ''] !== undefined, volume)
  t.ok(existsSync(resolve(root, 'examples/compose/Dockerfile')))
  t.equal(resolve(services.api.build.context), root)
})

t.test('without a database password it reports that and starts nothing', async (t) => {
  await t.rejects(composed({}), /set SVC_DB_PASSWORD/)
})

t.test('the host accepts its variables unchanged', async (t) => {
  const { services } = await composed({ SVC_DB_PASSWORD: 'abc123' })
  const env = readEnvironment(services.api.environment)
  t.match(env, {
    database: 'mysql://svc:abc123@database:3306/shop',
    databaseWait: 60,
    host: '0.0.0.0',
    port: 3000,
  })
  const running = await start(t, t.testdir({}), {
    ...services.api.environment,
    DATABASE_URL: await freshDatabase(t),
    UPLOADS_DIR: 'uploads',
    HOST: '127.0.0.1',
    PORT: '0',
  })
  t.equal((await running.get('/ready')).status, 200)
  t.equal(await stop(running, 'SIGTERM'), 0)
})
