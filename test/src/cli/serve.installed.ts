// `svc-api serve` in a folder into which the packed package was installed.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { installedPackage } from '../../support/hosts/installed-package.ts'

// Packing takes as long as the machine does.
t.setTimeout(300_000)

const cwd = await installedPackage(t)
// As npm puts the command there.
await mkdir(join(cwd, 'node_modules/.bin'))
await symlink('../svc-api/dist/src/cli/main.js', join(cwd, 'node_modules/.bin/svc-api'))
await chmod(join(cwd, 'node_modules/svc-api/dist/src/cli/main.js'), 0o755)

const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: '0' }

function serve(t: Test, variables = {}) {
  const child = spawn(process.execPath, ['node_modules/.bin/svc-api', 'serve'], {
    cwd,
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(([[code], said]) => ({
    code,
    said,
  }))
  let printed = ''
  const started = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (part) => {
      printed += part
      if (/^curl .*\n/m.test(printed)) resolve(printed)
    })
    ended.then(({ said }) => reject(new Error(said)))
  })
  return { child, ended, started }
}

t.test('it serves the demo, and says how to see the token later', async (t) => {
  const shell = async (line: string) =>
    (await promisify(execFile)('sh', ['-c', line], { cwd, env: environment })).stdout
  for (const start of ['first', 'second']) {
    const { child, ended, started } = serve(t)
    const printed = await started
    t.match(printed, /To see it, in this environment: npx svc-api token\n/)
    t.equal(/API token +[0-9a-f]{64}\n/.test(printed), start === 'first')
    t.equal(printed.includes('"Authorization: Bearer $(npx svc-api token)"'), start === 'second')
    const lines = printed.match(/^curl .*$/gm) ?? []
    t.equal(lines.length, 2, 'a list and a print file')
    const { data } = JSON.parse(await shell(lines[0] ?? ''))
    t.ok(data.length > 0)
    const [, url] = /Listening on +(\S+)/.exec(printed) ?? []
    t.equal((await fetch(`${url}/settings`)).status, 401)
    const thumbnail = await fetch(new URL(data[0].thumbnail, url))
    t.equal(thumbnail.status, 200)
    child.kill('SIGTERM')
    t.strictSame(await ended, { code: 0, said: '' })
  }
})

t.test('a wrong variable is named', async (t) => {
  const { ended, started } = serve(t, { PORT: 'x' })
  started.catch(() => {})
  t.match(await ended, { code: 1, said: /^The host did not start\. PORT must be .*\n$/ })
})

t.test('without the package that draws print files it says what to install', async (t) => {
  await rm(join(cwd, 'node_modules/pdfkit'))
  const { child, started } = serve(t)
  const printed = await started
  t.match(printed, /^Print files +are not drawn here: npm install pdfkit, and start again$/m)
  const [, url] = /Listening on +(\S+)/.exec(printed) ?? []
  t.match(await (await fetch(`${url}/`)).text(), 'is off: npm install pdfkit')
  child.kill('SIGTERM')
})

t.test('without fastify it says what to install', async (t) => {
  await rm(join(cwd, 'node_modules/fastify'))
  const { ended, started } = serve(t)
  started.catch(() => {})
  t.strictSame(await ended, {
    code: 1,
    said: 'The package fastify is not installed: run "npm install fastify".\n',
  })
})
