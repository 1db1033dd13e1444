// `svc-api openapi`: the document of an installation, also for a reader that does not read all of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { migrate } from '../../../plugins/index.ts'
import { build, freshAddress } from '../../support/hosts/build.ts'
import { commandEnvironment, commandIn, program } from '../../support/hosts/command.ts'

t.test('a reader that closes the pipe early is no failure', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  const child = spawn('sh', ['-c', `"$0" "$1" openapi | head -c 10`, process.execPath, program], {
    env: commandEnvironment({ DATABASE_URL: database }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part
  })
  child.stdout.resume()
  const [code] = await once(child, 'close')
  t.equal(code, 0)
  t.notMatch(errors, /EPIPE|Error/)
})

t.test('openapi prints what the installation serves: its URL, without what is switched off', async (t) => {
  const { address, call, db, t: names } = await build(t, { baseUrl: '/api' })
  await db
    .insertInto(names.options)
    .values({ option_name: 'svc_api_fonts_enabled', option_value: 'no', autoload: 'yes' })
    .execute()
  const variables = { DATABASE_URL: address, SITE_URL: 'https://shop.example', BASE_URL: '/api' }
  const { code, stdout } = await commandIn(t)(['openapi'], variables)
  t.equal(code, 0)
  const document = JSON.parse(stdout)
  t.equal(document.servers[0].url, 'https://shop.example/api')
  t.notOk(document.paths['/svc/v1/fonts'])
  t.strictSame(document, (await call('GET', '/openapi.json')).body)
})
