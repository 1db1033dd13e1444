// `svc-api doctor`: what it finds for each feature, on each engine, the commands that repair it, and that it changes nothing.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { ensureToken, migrate } from '../../../plugins/index.ts'
import { checkPackages } from '../../../src/cli/doctor-packages.ts'
import { checkServer, modeFindings } from '../../../src/cli/doctor-server.ts'
import type { Finding } from '../../../src/cli/finding.ts'
import { connect } from '../../../src/db/connect.ts'
import { clockLead } from '../../../src/db/server-settings.ts'
import { build, freshAddress, onEachEngine } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { httpServer } from '../../support/peers/servers.ts'

interface Report {
  ok: boolean
  features: { feature: string; level: string; findings: Finding[] }[]
}

async function examined(t: Test, variables: Record<string, string>) {
  const run = commandIn(t, t.testdir({ uploads: {} }))
  const { code, stdout } = await run(['doctor', '--json'], { UPLOADS_DIR: 'uploads', ...variables })
  const { ok, features } = JSON.parse(stdout) as Report
  const findings = features.flatMap((feature) => feature.findings)
  return { code, ok, features, on: (name: string) => findings.find(({ subject }) => subject === name) }
}

t.test('doctor: a complete installation has no problem, and every feature is named', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database, indexes: true })
    await ensureToken({ database })
    const variables = { DATABASE_URL: database, SITE_URL: 'https://shop.example' }
    const { code, ok, features, on } = await examined(t, variables)
    t.match([code, ok], [0, true])
    const names = features.map(({ feature }) => feature).sort()
    t.strictSame(names, ['Access', 'Agents', 'Database', 'Files', 'Host', 'Pages', 'Print files'])
    for (const subject of ['tables', 'rights', 'indexes', 'uploads', 'storage', 'pdfkit', 'sharp'])
      t.equal(on(subject)?.level, 'ok', subject)
    for (const subject of ['clock', 'sql mode'])
      t.equal(on(subject)?.level, engine === 'SQLite' ? undefined : 'ok', subject)
  }),
)

t.test('doctor: each command that it prints removes its finding', (t) =>
  onEachEngine(t, async (t, engine) => {
    const database = await freshAddress(t, engine)
    const variables = { DATABASE_URL: database }
    const before = await examined(t, variables)
    t.match([before.code, before.on('tables')], [1, { level: 'problem', repair: ['npx svc-api migrate'] }])
    t.equal((await commandIn(t, t.testdir({}))(['migrate'], variables)).code, 0)
    const complete = await examined(t, variables)
    t.equal(complete.on('tables')?.level, 'ok')
    t.match(complete.on('indexes'), { level: 'warning', repair: ['npx svc-api migrate --indexes'] })
    t.match(complete.on('token'), { level: 'warning', repair: ['npx svc-api token'] })
    const run = commandIn(t, t.testdir({}))
    await run(['migrate', '--indexes'], variables)
    await run(['token'], variables)
    const after = await examined(t, variables)
    t.match([after.on('indexes')?.level, after.on('token')?.level], ['ok', 'ok'])
  }),
)

t.test('doctor: the text has the repair below its finding', async (t) => {
  const { stdout } = await commandIn(t)(['doctor'], { DATABASE_URL: 'sqlite:none.sqlite' })
  t.match(stdout, /^Database\n {2}ok +database /)
  t.match(stdout, /^ {2}problem +tables +Missing: .*\n +→ npx svc-api migrate$/m)
})

onServers(
  'doctor: names the rights that the user lacks, and the GRANT that gives them',
  async (t, engine) => {
    const database = await freshAddress(t, engine)
    await migrate({ database })
    const { db, close } = await connect({ database })
    const user = `doctor_${engine.toLowerCase()}_${process.pid}`
    const limited = new URL(database)
    const name = limited.pathname.slice(1)
    const execute = (statement: string) => sql.raw(statement).execute(db)
    await execute(`create user ${user}@'%' identified by 'secret'`)
    t.teardown(async () => {
      await execute(`drop user ${user}@'%'`)
      await close()
    })
    await execute(`grant select on ${name}.* to ${user}@'%'`)
    limited.username = user
    limited.password = 'secret'
    const refused = await examined(t, { DATABASE_URL: limited.href })
    t.equal(refused.code, 1)
    const { level, repair = [] } = refused.on('rights') ?? {}
    t.equal(level, 'problem')
    t.ok(repair.includes('GRANT INSERT, UPDATE, DELETE ON wp_svc_products TO …;'))
    for (const statement of repair)
      await execute(statement.replace('ON ', `ON ${name}.`).replace('…;', `${user}@'%'`))
    t.equal((await examined(t, { DATABASE_URL: limited.href })).on('rights')?.level, 'ok')
  },
)

onServers('checkServer: reads the SQL modes, and warns of small statements', async (t, engine) => {
  const connection = await connect({ database: await freshAddress(t, engine) })
  t.teardown(connection.close)
  const { rows } = await sql<{ modes: string }>`select @@global.sql_mode as modes`.execute(connection.db)
  const findings = await checkServer({ ...connection, maxPacket: 1_048_576 })
  const on = (name: string) => findings.find(({ subject }) => subject === name)
  t.match(on('sql mode'), { level: 'ok', details: rows[0]?.modes.split(',') })
  t.match(on('packet'), { level: 'warning', message: 'max_allowed_packet is 1 MB' })
})

t.test(
  'modeFindings: a server without strict mode is a warning, with the statement that sets it',
  async (t) => {
    const [found] = modeFindings(['NO_ENGINE_SUBSTITUTION'])
    t.match(found, { level: 'warning', repair: [/^SET GLOBAL sql_mode = .*STRICT_TRANS_TABLES/] })
    t.match(modeFindings(['STRICT_ALL_TABLES']), [{ level: 'ok' }])
    t.strictSame(modeFindings(undefined), [])
  },
)

t.test('clockLead: the seconds by which the database is ahead', (t) =>
  onEachEngine(t, async (t, engine) => {
    const connection = await connect({ database: await freshAddress(t, engine) })
    t.teardown(connection.close)
    t.ok(Math.abs(await clockLead(connection)) <= 2)
    const now = sql<number>`${Math.round(Date.now() / 1000) + 3600}`
    const ahead = await clockLead({ ...connection, dialect: { ...connection.dialect, now } })
    t.ok(Math.abs(ahead - 3600) <= 2)
  }),
)

t.test('doctor: a database that cannot be reached is a problem, and the rest is checked', async (t) => {
  const { code, on } = await examined(t, { DATABASE_URL: 'mysql://svc:secret@127.0.0.1:1/shop' })
  t.equal(code, 1)
  t.match(on('database'), { level: 'problem', message: /cannot be reached/ })
  t.notMatch(on('database')?.message, 'secret')
  t.equal(on('uploads')?.level, 'ok')
  t.ok(on('pdfkit'))
})

t.test('doctor: a storage that refuses requests is a problem', async (t) => {
  const database = await freshAddress(t, 'SQLite')
  await migrate({ database })
  const { url } = await httpServer(t, (_request, response) => response.writeHead(403).end())
  const { code, on } = await examined(t, {
    DATABASE_URL: database,
    SVC_S3_ENDPOINT: url,
    SVC_S3_REGION: 'eu-1',
    SVC_S3_BUCKET: 'prints',
    SVC_S3_ACCESS_KEY_ID: 'id',
    SVC_S3_SECRET_ACCESS_KEY: 'hidden-key',
  })
  t.equal(code, 1)
  t.match(on('storage'), { level: 'problem', message: /^The storage of files cannot be used: / })
  t.notMatch(on('storage')?.message, 'hidden-key')
})

t.test('checkPackages: packages that are missing are off, with the command that installs them', async (t) => {
  const found = await checkPackages((name) => name !== 'pdfkit' && !name.startsWith('@aws-sdk/'))
  const on = (name: string) => found.find(([, { subject }]) => subject === name)
  t.match(on('pdfkit'), ['Print files', { level: 'off', repair: ['npm install pdfkit'] }])
  t.match(on('s3')?.[1].repair, [/^npm install @aws-sdk\/client-s3 /])
  t.equal(on('mcp')?.[1].level, 'ok')
})

t.test('checkPackages: looks for each peer dependency of the package, and for no other', async (t) => {
  const { peerDependencies } = JSON.parse(
    await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'),
  )
  const names = (await checkPackages(() => false)).flatMap(([, { details }]) => Object(details).missing ?? [])
  t.same(names.sort(), Object.keys(peerDependencies).sort())
})

t.test(
  'doctor, check and migrate refuse the default file unless it exists or DATABASE_URL names it',
  async (t) => {
    const folder = t.testdir({})
    const run = commandIn(t, folder)
    for (const command of ['migrate', 'doctor', 'check']) {
      const { code, stderr } = await run([command])
      t.match(
        [code, stderr],
        [1, /^DATABASE_URL is not set, and .*svc\.sqlite does not exist\. Set it to/],
        command,
      )
    }
    t.strictSame(await readdir(folder), [])
    const variables = { DATABASE_URL: 'sqlite:.data/svc.sqlite' }
    t.equal((await run(['migrate'], variables)).code, 0)
    for (const command of ['migrate', 'doctor', 'check']) t.equal((await run([command])).code, 0, command)
  },
)

t.test(
  'doctor: in a project of svc-api init it prints commands that read the settings of the project',
  async (t) => {
    const scripts = { 'svc-api': 'exec node --env-file=.env main.js' }
    const run = commandIn(t, t.testdir({ 'package.json': JSON.stringify({ scripts }) }))
    const refused = await run(['migrate'])
    t.match(
      [refused.code, refused.stderr],
      [1, /"npm run svc-api -- …" runs a command with the settings of your host/],
    )
    const variables = { DATABASE_URL: 'sqlite:shop.sqlite' }
    t.match((await run(['doctor'], variables)).stdout, /→ npm run svc-api -- migrate$/m)
    await run(['migrate'], variables)
    t.match((await run(['doctor'], variables)).stdout, /→ npm run svc-api -- migrate --indexes$/m)
  },
)

t.test('doctor: without UPLOADS_DIR it says so, and no font counts as missing', async (t) => {
  const { address, call } = await build(t, { engine: 'SQLite' })
  const { data } = (await call('POST', '/products', { title: 'Mug' })).body
  const elements = [{ type: 'text', source: 'Ada', parameters: { fontFamily: 'Fancy' } }]
  t.equal((await call('POST', `/products/${data.id}/views`, { title: 'Front', elements })).status, 201)
  const run = commandIn(t, t.testdir({ uploads: {} }))
  const { stdout } = await run(['doctor'], { DATABASE_URL: address })
  t.match(stdout, /warning +uploads +UPLOADS_DIR is not set, and /)
  t.match(stdout, /warning +fonts +The fonts of 1 families were not looked for: UPLOADS_DIR is not set/)
  t.notMatch(stdout, /fonts add/)
  const set = await run(['doctor'], { DATABASE_URL: address, UPLOADS_DIR: 'uploads' })
  t.match(set.stdout, /fonts that are not uploaded: "Fancy".*\n +→ npx svc-api fonts add Fancy$/m)
})
