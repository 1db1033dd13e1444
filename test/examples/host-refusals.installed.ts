// The example host with invalid settings: one sentence, the right variable, no secrets.
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { readEnvironment } from '../../examples/host/environment.ts'
import { reasonOf } from '../../examples/host/start-error.ts'
import { launch, start, stop } from '../support/hosts/example-host.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

const bad: [name: string, value: string][] = [
  ['PORT', '80a'],
  ['PORT', '65536'],
  ['HOST', 'http://localhost'],
  ['BASE_URL', 'wp-json'],
  ['BASE_URL', '/a//b'],
  ['BASE_URL', '/a/../b'],
  ['SITE_URL', 'shop.example'],
  ['DATABASE_URL', 'postgres://user:secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret@localhost'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'sqlite::memory:'],
  ['DATABASE_URL', 'mysql://user:secret@secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret/secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:12/secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret?secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret#secret@localhost/shop'],
  ['DATABASE_URL', 'mysql://user:secret%secret@localhost/shop'],
  ['DATABASE_WAIT', 'soon'],
  ['DATABASE_WAIT', '601'],
  ['TABLE_PREFIX', 'wp-'],
  ['UPLOADS_URL', '/uploads'],
  ['SVC_API_TOKEN', 'secret'],
  ['SVC_DEMO', 'yes'],
  ['SVC_MCP', 'all'],
  ['LOG_LEVEL', 'loud'],
  ['SVC_EXPORT_SERVICE_URL', 'secret'],
  ['SVC_PRINTFUL_URL', 'secret'],
  ['SVC_S3_ENDPOINT', 'ftp://secret'],
  ['SVC_S3_REGION', 'secret region'],
  ['SVC_S3_BUCKET', 'secret/bucket'],
  ['SVC_S3_ROOT_DIR', '../secret'],
  ['SVC_S3_ACCESS_KEY_ID', 'secret key'],
  ['SVC_S3_SECRET_ACCESS_KEY', 'secret key'],
  ['SVC_S3_PUBLIC_URL', 'secret'],
  ['SVC_S3_PRESIGN_SECONDS', '604801'],
  ['SVC_DROPBOX_REFRESH_TOKEN', 'secret token'],
  ['SVC_STORAGE', 'secret'],
  ['SVC_AUDIT', 'secret'],
  ['SVC_WEBHOOK_URL', 'secret'],
  ['SVC_WEBHOOK_SECRET', 'secret'],
]

t.test(
  'an invalid value is rejected with one sentence that names its variable and reveals no secrets',
  async (t) => {
    for (const [name, value] of bad) {
      t.throws(
        () => readEnvironment({ [name]: value }),
        { message: new RegExp(`^${name} (?!.*secret).+\\.$`) },
        `${name}=${value}`,
      )
      if (name !== 'DATABASE_URL') continue
      const reason = reasonOf(new Error(`The server says no to ${value}.`), value)
      t.match(reason, /^The server says no to (?!.*secret).+$/, `${value} in an error`)
    }
  },
)

const hopeless: [name: string, value: string][] = [
  ['SVC_API_TOKEN', 'secret'],
  ['HOST', '192.0.2.1'],
  ['DATABASE_URL', 'mysql://user:secret@127.0.0.1:1/shop'],
  ['DATABASE_URL', 'mysql://user:a/secret@127.0.0.1/shop'],
  ['DATABASE_URL', 'mysql://user:secret%zz@127.0.0.1/shop'],
  ['UPLOADS_DIR', '/dev/null'],
  ['UPLOADS_DIR', '/proc/none/uploads'],
  ['DATABASE_URL', 'sqlite:/proc/none/svc.sqlite'],
  ['SVC_PRINT_READY_ALLOW', 'router.internal:99999'],
]

t.test(
  'a host that cannot start says why in one sentence, reveals no secrets and exits with code 1',
  async (t) => {
    const cwd = t.testdir({})
    for (const [name, value] of hopeless) {
      const { ended, errors } = launch(t, cwd, { DATABASE_WAIT: '1', [name]: value })
      t.equal(await ended, 1)
      t.match(errors(), new RegExp(`^The host did not start\\. [^\\n]*${name}\\b[^\\n]+\\.\\n$`))
      t.notMatch(errors(), 'secret')
    }
  },
)

t.test('user and password of the database are never printed', async (t) => {
  const url = new URL(await freshDatabase(t))
  const user = `u${url.pathname.slice(-12)}`
  const root = await createConnection(url.href)
  await root.query(`create user ${user}@'127.0.0.1' identified by 'zqx/vkj'`)
  t.teardown(async () => {
    await root.query(`drop user ${user}@'127.0.0.1'`)
    await root.end()
  })
  const grant = (rights: string) =>
    root.query(`grant ${rights} on ${url.pathname.slice(1)}.* to ${user}@'127.0.0.1'`)
  const address = (password: string) => {
    url.username = user
    url.password = password
    return url.href
  }
  const fails = async (password: string) => {
    const { ended, errors, printed } = launch(t, t.testdir({}), { DATABASE_URL: address(password) })
    t.equal(await ended, 1)
    t.match(errors(), /^The host did not start\. DATABASE_URL: .+\.\n$/)
    t.notMatch(errors() + printed(), new RegExp(`${user}|wrkng|zqx|vkj`))
  }
  await fails('wrkng')
  await fails('zqx%2Fvkj')
  await grant('select, insert')
  await fails('zqx%2Fvkj')

  await grant('all')
  const running = await start(t, t.testdir({}), { DATABASE_URL: address('zqx%2Fvkj') })
  t.match(running.printed, `${url.pathname.slice(1)} on ${url.host}`)
  t.notMatch(running.printed, new RegExp(`${user}|zqx|vkj`))
  await stop(running, 'SIGTERM')
})
