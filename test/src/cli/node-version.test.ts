// A Node.js that cannot run the command is refused with one sentence, before anything else is loaded.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import t from 'tap'
import { nodeProblem, supportedNode } from '../../../src/cli/node-version.ts'
import { processIn } from '../../support/hosts/command.ts'

/** Environment of a process that takes itself for another version. */
const pretending = (version: string) => {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

t.test('the supported versions are those of package.json', async (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  t.equal(supportedNode, engines.node)
  t.equal(nodeProblem(process.versions.node), undefined)
})

t.test('a version is compared number by number', async (t) => {
  const range = '^22.22.2 || ^24.15.0 || >=26.0.0'
  for (const version of [
    '22.22.2',
    '22.23.0',
    '22.100.0',
    '24.15.0',
    '26.0.0',
    '26.0.1',
    '30.1.0',
    '27.0.0-nightly',
  ])
    t.equal(nodeProblem(version, range), undefined, version)
  for (const version of ['18.20.8', '20.20.2', '22.22.1', '22.9.9', '23.11.0', '24.14.9', '25.9.0', '', 'x'])
    t.equal(
      nodeProblem(version, range),
      `svc-api requires Node.js ${range}, and this is ${version}.`,
      version,
    )
})

t.test('the package and the scripts of the repository refuse it with the same sentence', async (t) => {
  const sentence = `svc-api requires Node.js ${supportedNode}, and this is 20.20.2.`
  const run = async (args: string[], version: string) => {
    const env = { PATH: process.env.PATH ?? '', ...pretending(version) }
    return promisify(execFile)(process.execPath, args, { env }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    )
  }
  const load = (name: string) => ['--input-type=module', '-e', `await import('${name}')`]
  for (const name of ['svc-api', 'svc-api/plugins/products', 'svc-api/testing'])
    t.match(await run(load(name), '20.20.2'), sentence)
  t.equal(await run(['tools/refuse-node.js'], '20.20.2'), `${sentence}\n`)
  for (const args of [load('svc-api'), ['tools/refuse-node.js']]) t.equal(await run(args, '26.1.0'), '')
})

t.test('the command says so and does nothing, whatever it is asked', async (t) => {
  const run = processIn(t)
  const problem = `svc-api requires Node.js ${supportedNode}, and this is 20.20.2.`
  for (const args of [[], ['--version'], ['migrate'], ['mcp', '--json']])
    t.same(await run(args, pretending('20.20.2')), {
      code: 1,
      stdout: '',
      stderr: `${problem}\n`,
      progress: '',
    })
  const { code, stdout } = await run(['check', '--json'], pretending('20.20.2'))
  t.same([code, JSON.parse(stdout)], [1, { error: problem }])
  t.equal((await run(['--version'], pretending('26.1.0'))).code, 0)
})
