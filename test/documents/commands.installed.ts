// The commands of the documents as a reader types them, one block after the other, beside the demo shop of the packed package.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { migrate } from '../../plugins/index.ts'
import { type Block, blocksOf, guides, placeOf } from '../support/hosts/documents.ts'
import { installedPackage } from '../support/hosts/installed-package.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'

t.setTimeout(300_000)
t.comment('timeout=300000')
const root = resolve(import.meta.dirname, '../..')
const folder = await installedPackage(t)
const command = join(folder, 'node_modules/svc-api/dist/src/cli/main.js')

/** What a reader has on the PATH. Nothing is downloaded: npm only looks whether there are such scripts and packages. */
const programs = {
  npx: `#!/bin/sh
while [ "$1" != svc-api ]; do shift || exit 64; done
shift
exec "${process.execPath}" "${command}" "$@"
`,
  npm: `#!${process.execPath}
const { existsSync, readFileSync } = require('node:fs')
const [verb, ...args] = process.argv.slice(2)
const { scripts } = JSON.parse(readFileSync('${root}/package.json', 'utf8'))
const names = args.filter((arg) => !arg.startsWith('-'))
const isPackage = (name) => existsSync('${root}/node_modules/' + name.replace(/(.)@.*/, '$1'))
const missing = verb === 'ci' ? []
  : verb === 'install' ? names.filter((name) => !/^svc-api(@|$)/.test(name) && !isPackage(name))
  : [verb === 'run' ? names[0] : verb].filter((name) => !scripts[name])
if (missing.length > 0) console.error('npm knows no ' + missing.join(', '))
process.exit(missing.length)
`,
}
await mkdir(join(folder, 'bin'))
for (const [name, code] of Object.entries(programs)) {
  await writeFile(join(folder, 'bin', name), code)
  await chmod(join(folder, 'bin', name), 0o755)
}
// A response of 400 and more is a failure of the block.
await writeFile(join(folder, '.curlrc'), 'fail-with-body\n')
await writeFile(
  join(folder, 'logo.svg'),
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>',
)

const installation = { DATABASE_URL: 'sqlite:shop.sqlite', UPLOADS_DIR: 'uploads' }
const environment = (variables = {}) => ({
  PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
  HOME: folder,
  NODE_COMPILE_CACHE: join(folder, '.cache'),
  ...variables,
})

async function run(
  shell: string,
  variables = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', shell], {
    cwd: folder,
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

/** The URL of the demo shop, once its order can be printed. */
async function demo(): Promise<string> {
  const child = spawn(process.execPath, [command, 'serve'], {
    cwd: folder,
    env: environment({ ...installation, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  let printed = ''
  for await (const part of child.stdout) {
    printed += part
    const [, url] = /^Listening on +(\S+)$.*\/export'$/ms.exec(printed) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`The demo shop did not start. It printed: ${printed}`)
}

const blocks = [...guides, 'CONTRIBUTING.md', 'examples/README.md']
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'sh')
const [url, database] = await Promise.all([demo(), freshDatabase(t)])
await migrate({ database })
const made = await run('npx svc-api tokens create reader --scopes read --json', installation)
const { token: named } = JSON.parse(made.out) as { token: string }

/** With what the documents leave open: port, database and token of the reader. */
const filledIn = ({ code }: Block) =>
  code
    .replaceAll('http://localhost:3000', url)
    .replaceAll('mysql://shop:secret@127.0.0.1/shop', database)
    .replaceAll('svct_0123…', named)

for (const block of blocks) {
  t.test(`the commands of ${placeOf(block)} succeed`, async (t) => {
    const needsToken = block.code.includes('$TOKEN')
    const TOKEN = needsToken ? (await run('npx svc-api token', installation)).out.trim() : ''
    const { code, out, err } = await run(filledIn(block), { TOKEN })
    t.equal(code, 0, `${block.code}\n${out}\n${err}`)
  })
}

// An assertion before the first test would end this file.
t.ok(blocks.length > 20)
