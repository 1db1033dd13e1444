// `svc-api init`: writes a new host: its code, its tests, its settings, and a compose file with the database.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../core/foreign.ts'
import { command, exit, UsageError } from './command.ts'
import { databases, hostFiles } from './init-files.ts'

export const initCommand = command({
  summary: 'writes a new host in TypeScript, with tests, .env and a compose file',
  help: `Usage: svc-api init <folder> [--database mariadb|mysql|sqlite] [--json]

Writes a host into a new or empty folder: the API, the uploads folder, a start page, the desk, the settings screen and the reference
behind one login, in TypeScript, with tests; package.json, README.md, .env with new passwords, and compose.yaml with the database
server. Installs and starts nothing; what to do next is printed.

  --database  mariadb (default), mysql, or sqlite, which needs no server
  --json      prints {"folder": …, "files": […], "next": […]}`,
  options: { database: { type: 'string', default: 'mariadb' } },
  takesOperands: true,
  async run({ flags, operands, print }) {
    const [folder, ...more] = operands
    if (folder === undefined || more.length > 0)
      throw new UsageError('Name one folder: svc-api init my-host.')
    const database = databases.find((kind) => kind === flags.database)
    if (!database) throw new UsageError(`--database must be one of ${databases.join(', ')}.`)
    const path = resolve(folder)
    const name = packageName(path)
    await makeEmpty(path)
    const files = await hostFiles({
      name,
      database,
      password: randomBytes(18).toString('hex'),
      adminPassword: randomBytes(12).toString('base64url'),
      formSecret: randomBytes(32).toString('hex'),
    })
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(path, file)), { recursive: true })
      await writeFile(join(path, file), content, { flag: 'wx', mode: file === '.env' ? 0o600 : 0o644 })
    }
    const next = [
      `cd ${folder}`,
      'npm install',
      ...(database === 'sqlite' ? [] : ['docker compose up --detach --wait']),
      'npm start',
      'npm run --silent token',
    ]
    const text = `Wrote ${Object.keys(files).join(', ')} into ${path}. Next:\n\n${next.map((line) => `  ${line}\n`).join('')}
The last line prints the token that every request needs, in a second terminal. Open http://localhost:3000/ and log in as admin, with
the ADMIN_PASSWORD in .env. README.md says what to do before going live.`
    print(text, { folder: path, files: Object.keys(files), next })
    return exit.ok
  },
})

/** A name that npm accepts. */
const packageName = (path: string) =>
  basename(path)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 200) || 'host'

async function makeEmpty(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
    if ((await readdir(path)).length === 0) return
  } catch (error) {
    throw new Error(`${path} cannot be made a folder (${errorCode(error)}).`, {
      cause: error,
    })
  }
  throw new Error(`${path} is not empty.`)
}
