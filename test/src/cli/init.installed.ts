// `svc-api init`, run from the packed tarball: the host that it writes starts, and the commands that it prints exist.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { parse } from 'yaml'
import { freshAddress } from '../../support/hosts/build.ts'
import { installedPackage, runPlainly } from '../../support/hosts/installed-package.ts'
import { freePort } from '../../support/peers/free-port.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

// Packing takes as long as the machine does. The comment tells tap, which would end this file.
t.setTimeout(240_000)
t.comment('timeout=240000')

const consumer = await installedPackage(t)
const program = join(consumer, 'node_modules/svc-api/dist/src/cli/main.js')

const init = (...args: string[]) => runPlainly(consumer, process.execPath, program, 'init', ...args)
const read = (...path: string[]) => readFile(join(consumer, ...path), 'utf8')

/** Lines of a program that goes on running, until one matches. */
async function lineOf(child: ChildProcess, form: RegExp): Promise<string> {
  const seen: string[] = []
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (form.test(line)) return line
    seen.push(line)
  }
  throw new Error(`It ended: ${seen.join('\n')}`)
}

const engines = { sqlite: 'SQLite', mariadb: 'MariaDB', mysql: 'MySQL' } as const

for (const [database, engine] of Object.entries(engines)) {
  t.test(
    `a new host on ${engine}: it starts, its pages ask for the login, and the first print opens`,
    async (t) => {
      const { files } = JSON.parse(await init(`on-${database}`, '--database', database, '--json'))
      t.ok(
        ['package.json', 'README.md', 'src/app.ts', 'test/app.test.ts', '.env'].every((file) =>
          files.includes(file),
        ),
      )
      const folder = join(consumer, `on-${database}`)
      await symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'))
      const { NODE_OPTIONS: _, ...env } = process.env
      const { scripts } = JSON.parse(await read(`on-${database}/package.json`))
      const port = String(await freePort())
      const variables = {
        PORT: port,
        SITE_URL: `http://127.0.0.1:${port}`,
        ...(engine !== 'SQLite' && { DATABASE_URL: await freshAddress(t, engine) }),
      }
      // As npm runs it: a signal to the shell must reach the server.
      const child = spawn('sh', ['-c', scripts.start], { cwd: folder, env: { ...env, ...variables } })
      t.teardown(() => child.kill('SIGKILL'))
      const url = /http\S+/.exec(await lineOf(child, /^Serving http/))?.[0]
      const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
      const token = await runPlainly(
        folder,
        'env',
        ...assigned,
        process.execPath,
        ...scripts.token.split(' ').slice(2),
      )
      const authorization = `Bearer ${token.trim()}`
      const post = async (path: string, body: object) => {
        const headers = { authorization, 'content-type': 'application/json' }
        const sent = await fetch(`${url}/wp-json/svc/v1${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        return (await sent.json()).data
      }
      const views = [viewWith(textElement('Ada', { fontFamily: 'Arial' }))]
      const { id } = await post('/shortcode-orders', { views })
      const { status, file_url } = await post(`/orders/${id}/export`, { type: 'shortcode' })
      t.equal(status, 'completed')
      t.match(await (await fetch(file_url)).text(), /^%PDF/)
      const [, password] = /^ADMIN_PASSWORD=(.+)$/m.exec(await read(`on-${database}/.env`)) ?? []
      const login = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
      for (const page of ['/', '/desk/', '/settings/', '/reference/']) {
        t.equal((await fetch(url + page)).status, 401, page)
        t.ok((await fetch(url + page, { headers: { authorization: login } })).ok, page)
      }
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      t.equal(code, 0, 'it ends cleanly')
    },
  )
}

t.test('a new host: its tests pass, its types fit, and its packages are those of this package', async (t) => {
  const { next } = JSON.parse(await init('my-host', '--database', 'sqlite', '--json'))
  t.strictSame(next, ['cd my-host', 'npm install', 'npm start', 'npm run --silent token'])
  const folder = join(consumer, 'my-host')
  await symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'))
  await runPlainly(folder, process.execPath, join(folder, 'node_modules/typescript/bin/tsc'))
  const printed = await runPlainly(folder, process.execPath, '--test', 'test/*.test.ts')
  t.match(printed, /^# pass 5$|ℹ pass 5$/m)
  const { dependencies, scripts } = JSON.parse(await read('my-host/package.json'))
  const command = scripts['svc-api'].split(' ').slice(2)
  t.match(
    await runPlainly(folder, process.execPath, ...command, 'migrate'),
    /^Done:\n {2}create table wp_options/,
  )
  await t.rejects(
    runPlainly(folder, process.execPath, program, 'migrate'),
    /DATABASE_URL is not set.*"npm run svc-api -- …"/,
  )
  const { peerDependencies } = JSON.parse(await read('node_modules/svc-api/package.json'))
  for (const [name, range] of Object.entries(dependencies))
    if (name in peerDependencies) t.equal(range, peerDependencies[name], name)
})

for (const database of ['mariadb', 'mysql']) {
  t.test(`with ${database} the compose file and .env have the same new password`, async (t) => {
    const printed = await init(`with-${database}`, '--database', database)
    t.match(printed, 'docker compose up --detach --wait')
    const environment = await read(`with-${database}`, '.env')
    const [, password = ''] = /^DATABASE_PASSWORD=(\w{36})$/m.exec(environment) ?? []
    t.match(environment, `DATABASE_URL=mysql://svc:${password}@127.0.0.1:3306/shop`)
    const { services } = parse(await read(`with-${database}`, 'compose.yaml'))
    const values = services.database.environment
    t.match(services.database.image, new RegExp(`^${database}:`))
    t.strictSame(
      Object.entries(values).filter(([name]) => /PASSWORD$/.test(name) && !name.includes('ROOT')),
      [[`${database.toUpperCase()}_PASSWORD`, `$\{DATABASE_PASSWORD:?is in .env}`]],
    )
    t.equal((await stat(join(consumer, `with-${database}`, '.env'))).mode & 0o077, 0, 'nobody else reads it')
  })
}

t.test('two hosts never have the same password', async (t) => {
  await init('one')
  await init('two')
  t.not(await read('one/.env'), await read('two/.env'))
})

t.test('a folder with something in it is left as it is, and wrong arguments are named', async (t) => {
  await mkdir(join(consumer, 'full'))
  await writeFile(join(consumer, 'full/note'), 'mine')
  await t.rejects(init('full'), /is not empty/)
  t.equal(await read('full/note'), 'mine')
  await t.rejects(init(), /Name one folder/)
  await t.rejects(init('a', 'b'), /Name one folder/)
  await t.rejects(init('other', '--database', 'oracle'), /--database must be one of mariadb, mysql, sqlite/)
})
