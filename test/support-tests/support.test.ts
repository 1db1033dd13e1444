/** The foundation of the tests: a real database, PHP and WordPress. */
import { createConnection } from 'mysql2/promise'
import t from 'tap'
import { freshDatabase, startMariadb } from '../support/mariadb.ts'
import { php } from '../support/php.ts'
import { installWordpress } from '../support/wordpress.ts'

t.test('a fresh database is empty, speaks utf8mb4 and is gone after its test', async (t) => {
  let url = ''
  await t.test('in its test', async (t) => {
    url = await freshDatabase(t)
    const connection = await createConnection(url)
    t.teardown(() => connection.end())
    const [rows] = await connection.query('select @@character_set_database as charset')
    t.strictSame(rows, [{ charset: 'utf8mb4' }])
    const [tables] = await connection.query('show tables')
    t.strictSame(tables, [])
  })
  await t.rejects(createConnection(url), { code: 'ER_BAD_DB_ERROR' })
})

t.test('two private servers run concurrently, and a stopped one no longer responds', async (t) => {
  const [one, other] = await Promise.all([startMariadb(), startMariadb({ flags: ['--max-connections=20'] })])
  t.teardown(() => Promise.all([one.stop(), other.stop()]))
  await one.stop()
  await t.rejects(createConnection(one.url('mysql')), { code: 'ECONNREFUSED' })
  const connection = await createConnection(other.url('mysql'))
  t.teardown(() => connection.end())
  t.strictSame((await connection.query('select @@max_connections as m'))[0], [{ m: 20 }])
})

t.test('a server that cannot start says why', async (t) => {
  await t.rejects(startMariadb({ flags: ['--no-such-flag'] }), { message: /unknown option '--no-such-flag'/ })
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
