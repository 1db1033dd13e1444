// The example host with a database that is not running yet: it waits, logs that, and can be stopped meanwhile.
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { launch, start, stop } from '../support/hosts/example-host.ts'
import { startMariadb } from '../support/peers/mariadb.ts'
import { silentServer } from '../support/peers/servers.ts'

const nowhere = 'mysql://user:secret@127.0.0.1:1/shop'

t.test('the host waits for a database that starts later, and logs that', async (t) => {
  const server = await startMariadb()
  t.teardown(() => server.stop())
  const root = await createConnection(server.url())
  await root.query('create database shop')
  await root.end()
  await server.kill()

  const cwd = t.testdir({})
  const waiting = launch(t, cwd, { DATABASE_URL: server.url('shop') })
  await waiting.says(/^Waiting for the database shop on 127\.0\.0\.1:\d+, 60 seconds at most\.$/m)
  await server.restart()
  await waiting.says(/^curl /m)
  t.equal(await stop(waiting, 'SIGTERM'), 0)
  const again = await start(t, cwd, { DATABASE_URL: server.url('shop') })
  t.notMatch(again.printed, 'Waiting')
  await stop(again, 'SIGTERM')
})

t.test('SIGTERM ends the wait immediately, as a clean stop', async (t) => {
  for (const DATABASE_URL of [nowhere, `mysql://user@127.0.0.1:${await silentServer(t)}/shop`]) {
    const { child, says, ended, errors } = launch(t, t.testdir({}), { DATABASE_URL, DATABASE_WAIT: '600' })
    await says(/^Waiting/m)
    const begun = performance.now()
    child.kill('SIGTERM')
    t.equal(await ended, 0)
    t.ok(performance.now() - begun < 10_000)
    t.equal(errors(), '')
  }
})

t.test('after the wait startup fails, even if the server stays silent', async (t) => {
  for (const DATABASE_URL of [nowhere, `mysql://user@127.0.0.1:${await silentServer(t)}/shop`]) {
    const { printed, ended, errors } = launch(t, t.testdir({}), { DATABASE_URL, DATABASE_WAIT: '4' })
    t.equal(await ended, 1)
    t.match(printed(), 'Waiting for the database shop')
    const { host } = new URL(DATABASE_URL)
    t.equal(errors(), `The host did not start. DATABASE_URL: the server ${host} cannot be reached.\n`)
  }
})
