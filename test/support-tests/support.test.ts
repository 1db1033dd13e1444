// The foundation of the tests: a real database, PHP and WordPress.
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { freshAddress, ownServer } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'
import { serverVersion } from '../support/peers/database-server.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { php } from '../support/wordpress/php.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

onServers('a fresh database is empty, speaks utf8mb4 and is gone after its test', async (t, engine) => {
  let url = ''
  await t.test('in its test', async (t) => {
    url = await freshAddress(t, engine)
    const connection = await createConnection(url)
    t.teardown(() => connection.end())
    const [rows] = await connection.query('select @@character_set_database as charset')
    t.strictSame(rows, [{ charset: 'utf8mb4' }])
    const [tables] = await connection.query('show tables')
    t.strictSame(tables, [])
  })
  await t.rejects(createConnection(url), { code: 'ER_BAD_DB_ERROR' })
})

onServers('two private servers run concurrently, and a stopped one no longer responds', async (t, engine) => {
  const [one, other] = await Promise.all([
    ownServer(t, engine),
    ownServer(t, engine, { flags: ['--max-connections=20'] }),
  ])
  await one.stop()
  await t.rejects(createConnection(one.url('mysql')), { code: 'ECONNREFUSED' })
  const connection = await createConnection(other.url('mysql'))
  t.teardown(() => connection.end())
  t.strictSame((await connection.query('select @@max_connections as m'))[0], [{ m: 20 }])
})

onServers('a server that cannot start says why', async (t, engine) => {
  await t.rejects(ownServer(t, engine, { flags: ['--no-such-flag'] }), { message: /unknown .*no-such-flag/ })
})

t.test('the servers are what they are called, and MySQL keeps its binary log and its GTIDs', async (t) => {
  const [mariadb, mysql] = [await freshAddress(t, 'MariaDB'), await freshAddress(t, 'MySQL')]
  t.match(await serverVersion(mariadb), /MariaDB/)
  t.notMatch(await serverVersion(mysql), /MariaDB/)
  const connection = await createConnection(mysql)
  t.teardown(() => connection.end())
  const [rows] = await connection.query(
    'select @@log_bin as log, @@gtid_mode as gtids, @@enforce_gtid_consistency as enforced',
  )
  t.strictSame(rows, [{ log: 1, gtids: 'ON', enforced: 'ON' }])
})

t.test('PHP gets code and input byte for byte, and so is its output returned', async (t) => {
  t.equal(
    await php('echo "\u{feff}ä", file_get_contents("php://stdin"), \'$\';', '\u{1f58c}"\n'),
    '\u{feff}ä\u{1f58c}"\n$',
  )
})

t.test('PHP that fails rejects with its message, and output that is not utf-8 rejects too', async (t) => {
  await t.rejects(php('throw new Exception("so not");'), { message: /so not/ })
  await t.rejects(php('echo "\\xff";'), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' })
})

t.test(
  'WordPress installs itself, and shares its options with every other client of the database',
  async (t) => {
    const url = await freshDatabase(t)
    const { wp } = await installWordpress(t, url, { siteUrl: 'https://shop.example/blog', prefix: 'xy_' })
    t.equal(await wp('echo get_option("home");'), 'https://shop.example/blog')
    await wp('update_option("svc_test", json_decode(file_get_contents("php://stdin"), true));', '{"a":[1]}')
    const connection = await createConnection(url)
    t.teardown(() => connection.end())
    const [rows] = await connection.query(
      "select option_value from xy_options where option_name = 'svc_test'",
    )
    t.strictSame(rows, [{ option_value: 'a:1:{s:1:"a";a:1:{i:0;i:1;}}' }])
  },
)

t.test('an error page of WordPress is a rejection', async (t) => {
  const { wp } = await installWordpress(t, await freshDatabase(t))
  await t.rejects(wp('wp_die("so not");'), { message: /so not/ })
})
