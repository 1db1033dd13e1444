// The workflows of the package, run against the example host: every response fits the OpenAPI document.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { start, stop } from '../support/hosts/example-host.ts'

const root = resolve(import.meta.dirname, '../..')
const token = 'a1'.repeat(32)

t.test('each workflow runs to its end on the example host', async (t) => {
  const cwd = t.testdir({})
  const host = await start(t, cwd, { SVC_API_TOKEN: token })
  const address = /Listening on +(\S+)/.exec(host.printed)?.[1]
  const report = join(cwd, 'report.json')
  const args = ['respect', 'examples/workflows/shop.arazzo.json', '-J', report]
  const input = ['-S', `api=${address}/wp-json`, '--input', `authorization=Bearer ${token}`]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/redocly'), [...args, ...input], {
    cwd: root,
    env,
  }).catch((error) => error)
  const { status } = JSON.parse(readFileSync(report, 'utf8'))
  t.equal(status, 'success', stdout)
  t.equal(await stop(host, 'SIGTERM'), 0)
})
