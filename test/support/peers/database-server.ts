/** Private database servers on loopback, which end with this process, and an empty database for each test. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise'
import type { Test } from 'tap'

/** A running server; `root` has no password and all privileges. */
export interface DatabaseServer {
  port: number
  socket: string
  readonly pid: number
  /** The mysql:// URL of `database`, or of the server itself. */
  url(database?: string): string
  /** Kills the server with SIGKILL, and keeps its folder. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port. */
  restart(): Promise<void>
  /** Kills the server and removes its folder; calling it again is harmless. */
  stop(): Promise<void>
}

/** `port` requests a certain port, `flags` are added to the server's own, `disk` is where its folder is made. */
export interface ServerOptions {
  port?: number
  flags?: string[]
  disk?: string
}

/** How to start a server of one product. */
export interface ServerProgram {
  name: string
  /** Shell code that fills the folder of data: `$installer` with its arguments and "$1" (that folder) and "$2" (the user). */
  install: string
  installer: string
  server: string
  /** The server's own, after those that all have. */
  flags: readonly string[]
}

// The server must not outlive this process, however it ends. So a shell in a session of its own holds the
// other end of a pipe: when that closes, it kills the server and removes the folder.
const keeper = (install: string) => `
  folder=$1 templates=$2 installer=$3 server=$4; shift 4
  trap 'rm -rf "$folder"' EXIT
  trap '' PIPE
  exec 3<&0 1>&2
  # The installer's server, too, clears its folder for temporary tables.
  export TMPDIR="$folder"
  # Filling a folder takes seconds, so that the first one is kept for the next servers of this version.
  template=$templates/svc-tests-data-$("$server" --version | cksum | cut -d ' ' -f 1)
  if [ -d "$template" ]; then cp -R "$template" "$folder/data" || exit
  else
    ${install} || exit
    # Otherwise all servers would have one identity.
    rm -f "$folder/data/auto.cnf"
    cp -R "$folder/data" "$folder/template" && mv -T "$folder/template" "$template"
  fi
  # A line kills the server, the next one starts it again on the same folder.
  while
    "$server" --no-defaults "$@" & pid=$!
    { read -r _ <&3 && : >"$folder/killed"; kill -9 $pid; } & reader=$!
    wait $pid
    kill $reader
    rm "$folder/killed" && read -r _ <&3
  do :; done
`

/** Starts a private server on a temporary folder, on a free port of 127.0.0.1 below 32768. */
export async function startServer(
  program: ServerProgram,
  options: ServerOptions = {},
): Promise<DatabaseServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(program, options.port ?? randomInt(20_000, 32_768), options)
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Bind on TCP/IP port')
      if (!taken || options.port || tries === 10) throw error
    }
  }
}

async function start(
  program: ServerProgram,
  port: number,
  { flags = [], disk = tmpdir() }: ServerOptions,
): Promise<DatabaseServer> {
  const folder = await mkdtemp(join(disk, 'svc-server-'))
  const socket = join(folder, 'socket')
  const pidFile = join(folder, 'pid')
  const child = spawn(
    'sh',
    [
      '-c',
      keeper(program.install),
      'sh',
      folder,
      tmpdir(),
      program.installer,
      program.server,
      `--datadir=${join(folder, 'data')}`,
      `--user=${userInfo().username}`,
      // A starting server clears its folder for temporary tables, which must not be shared.
      `--tmpdir=${folder}`,
      `--socket=${socket}`,
      `--pid-file=${pidFile}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--max-connections=1000',
      // Nothing here has to survive a power cut.
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=64M',
      ...program.flags,
      ...flags,
    ],
    { detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await readiness(child, program.name)
  // From here on the server alone does not keep this process running.
  const handles = [child, child.stdin, child.stderr] as { ref(): void; unref(): void }[]
  const ref = () => {
    for (const handle of handles) handle.ref()
  }
  const unref = () => {
    for (const handle of handles) handle.unref()
  }
  unref()
  let pid = Number(await readFile(pidFile, 'utf8'))
  return {
    port,
    socket,
    get pid() {
      return pid
    },
    async kill() {
      child.stdin.write('kill\n')
      while (isAlive(pid)) await delay(5)
    },
    async restart() {
      ref()
      const ready = readiness(child, program.name)
      child.stdin.write('start\n')
      await ready
      pid = Number(await readFile(pidFile, 'utf8'))
      unref()
    },
    url: (database = '') => `mysql://root@127.0.0.1:${port}/${database}`,
    stop: async () => {
      ref()
      child.stdin.end()
      await closed
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function readiness(child: ChildProcessByStdio<Writable, null, Readable>, name: string): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      log += part
      if (log.includes('ready for connections')) resolve()
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`${name} did not start:\n${log}`)))
  })
  // A full pipe would block the server.
  child.stderr.removeAllListeners('data').resume()
}

/** Creates an empty utf8mb4 database on the server for the test `t`, and returns its URL; it is dropped with the test. */
export async function freshDatabaseOn(t: Test, server: string): Promise<string> {
  const name = `svc_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name} character set utf8mb4`)
  // A transaction that the test left open must cause an error, not a hang.
  t.teardown(() => run(server, 'set lock_wait_timeout = 10', `drop database ${name}`))
  return Object.assign(new URL(server), { pathname: name }).href
}

interface Session extends RowDataPacket {
  Id: number
  db: string | null
  /** `Sleep` between statements. */
  Command: string
  /** The statement that runs. */
  Info: string | null
}

/**
 * The other sessions on the database of this connection. They are not selected from the catalog: that fails on MySQL while
 * anybody's statement holds a character outside the basic plane.
 */
export async function otherSessions(connection: Connection): Promise<Session[]> {
  const [[own]] = await connection.query<RowDataPacket[]>('select connection_id() as id, database() as db')
  const [all] = await connection.query<Session[]>('show full processlist')
  return all.filter(({ Id, db }) => Id !== own?.id && db === own?.db)
}

/** What the server calls its version. */
export async function serverVersion(server: string): Promise<string> {
  return run(server, 'select version() as version')
}

/** @returns the `version` of the last result, if it has one */
async function run(server: string, ...statements: string[]): Promise<string> {
  const connection = await createConnection(server)
  try {
    let version = ''
    for (const statement of statements) {
      const [rows] = await connection.query<RowDataPacket[]>(statement)
      version = String(Array.isArray(rows) ? rows[0]?.version : '')
    }
    return version
  } finally {
    await connection.end()
  }
}
