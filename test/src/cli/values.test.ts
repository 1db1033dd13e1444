// What the commands make of their arguments and variables.
import t from 'tap'
import { momentIn } from '../../../src/cli/command.ts'
import { fileStorages } from '../../../src/cli/environment.ts'
import { hostFiles } from '../../../src/cli/init-files.ts'

t.test('a time is a span before or after now, or a time by the calendar', (t) => {
  t.intercept(Date, 'now', { value: () => 1_000_000_000_000 })
  const spans = { '1m': 60_000, '90m': 5_400_000, '2h': 7_200_000, '7d': 604_800_000, '0h': 0 }
  for (const [text, milliseconds] of Object.entries(spans)) {
    t.equal(momentIn(text, 'ago'), 1_000_000_000_000 - milliseconds, text)
    t.equal(momentIn(text, 'ahead'), 1_000_000_000_000 + milliseconds, text)
  }
  t.equal(momentIn('2026-11-22', 'ago'), Date.UTC(2026, 10, 22))
  t.equal(momentIn('2026-11-22T10:00+01:00', 'ahead'), Date.UTC(2026, 10, 22, 9))
  for (const text of ['', '1', '1s', '1234567m', '-1h', '2026-13-01', '2026-11-22T10:00', 'today'])
    t.ok(Number.isNaN(momentIn(text, 'ago')), text)
  t.end()
})

t.test('files lie below the URL of the uploads, by default below that of the site', (t) => {
  const environment = {
    database: 'sqlite::memory:',
    uploadsDir: '/srv/uploads',
    siteUrl: 'https://shop.example',
  }
  const uploads = (variables: NodeJS.ProcessEnv, site: object = environment) =>
    fileStorages(variables, site as never).uploads
  t.match(uploads({}), { dir: '/srv/uploads', url: 'https://shop.example/uploads' })
  t.match(uploads({ UPLOADS_URL: '' }), { url: 'https://shop.example/uploads' })
  t.match(uploads({ UPLOADS_URL: 'https://cdn.example/u' }), { url: 'https://cdn.example/u' })
  t.match(uploads({}, { ...environment, siteUrl: undefined }), { url: 'http://127.0.0.1:3000/uploads' })
  t.throws(() => uploads({ UPLOADS_URL: 'cdn' }), /UPLOADS_URL/)
  t.end()
})

t.test('a new host has the variables of its database in compose.yaml', async (t) => {
  for (const [database, image, prefix] of [
    ['mariadb', 'mariadb:11.4', 'MARIADB'],
    ['mysql', 'mysql:8.4', 'MYSQL'],
  ] as const) {
    const passwords = { password: 'secret', adminPassword: 'chosen', formSecret: 'signed' }
    const files = await hostFiles({ name: 'shop', database, ...passwords })
    const compose = files['compose.yaml'] ?? ''
    t.match(compose, `image: ${image}\n`)
    for (const name of ['DATABASE: shop', 'USER: svc', 'PASSWORD: ${DATABASE_PASSWORD'])
      t.match(compose, `      ${prefix}_${name}`)
    t.notMatch(compose, 'secret')
    t.match(files['.env'], 'secret')
    const { scripts } = JSON.parse(files['package.json'] ?? '')
    for (const name of ['start', 'svc-api', 'token']) t.match(scripts[name], /^exec node /, name)
  }
})
