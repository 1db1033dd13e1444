/** Starts a private MariaDB server for tests, with an empty database for each test. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import type { Test } from 'tap'
import { ensureCommands } from './debian.ts'

/** A running server; `root` has no password and all privileges. */
export interface Mariadb {
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

/** `port` requests a certain port, `flags` are added to the server's own. */
interface MariadbOptions {
  port?: number
  flags?: string[]
}

// The server must not outlive this process, however it ends. So a shell in a session of its own holds the
// other end of a pipe: when that closes, it kills the server and removes the folder.
const keeper = `
  folder=$1 installer=$2 server=$3; shift 3
  trap 'rm -rf "$folder"' EXIT
  trap '' PIPE
  exec 3<&0 1>&2
  # The installer's server, too, clears its folder for temporary tables.
  export TMPDIR="$folder"
  "$installer" --no-defaults --auth-root-authentication-method=normal --skip-test-db "$1" "$2" || exit
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
export async function startMariadb(options: MariadbOptions = {}): Promise<Mariadb> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(options.port ?? randomInt(20_000, 32_768), options.flags ?? [])
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('Bind on TCP/IP port')
      if (!taken || options.port || tries === 10) throw error
    }
  }
}

async function start(port: number, flags: string[]): Promise<Mariadb> {
  const commands = await ensureCommands({
    mariadbd: 'mariadb-server-core',
    'mariadb-install-db': 'mariadb-server-core',
    // The installer reads its settings with this program.
    my_print_defaults: 'mariadb-client-core',
  })
  const folder = await mkdtemp(join(tmpdir(), 'svc-mariadb-'))
  const socket = join(folder, 'socket')
  const pidFile = join(folder, 'pid')
  const child = spawn(
    'sh',
    [
      ...['-c', keeper, 'sh', folder, commands['mariadb-install-db'], commands.mariadbd],
      ...[`--datadir=${join(folder, 'data')}`, `--user=${userInfo().username}`],
      // A starting server clears its folder for temporary tables, which must not be shared.
      `--tmpdir=${folder}`,
      ...[`--socket=${socket}`, `--pid-file=${pidFile}`, `--port=${port}`, '--bind-address=127.0.0.1'],
      ...[
        '--skip-name-resolve',
        '--skip-log-bin',
        '--character-set-server=utf8mb4',
        '--max-connections=1000',
      ],
      // Nothing here has to survive a power cut.
      ...['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=64M'],
      ...flags,
    ],
    { detached: true, stdio: ['pipe', 'ignore', 'pipe'] },
  )
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  await readiness(child)
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
      const ready = readiness(child)
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

async function readiness(child: ChildProcessByStdio<Writable, null, Readable>): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      log += part
      if (log.includes('ready for connections')) resolve()
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`MariaDB did not start:\n${log}`)))
  })
  // A full pipe would block the server.
  child.stderr.removeAllListeners('data').resume()
}

let ownServer: Promise<string> | undefined

/**
 * Creates an empty utf8mb4 database for the test `t` and returns its mysql:// URL; it is dropped with the test.
 * It lies on the server that `SVC_TEST_MARIADB` names, else on one of this process, which ends with it.
 */
export async function freshDatabase(t: Test): Promise<string> {
  ownServer ??= process.env.SVC_TEST_MARIADB
    ? Promise.resolve(process.env.SVC_TEST_MARIADB)
    : startMariadb().then((server) => server.url())
  const server = await ownServer
  const name = `svc_${randomBytes(6).toString('hex')}`
  await run(server, `create database ${name} character set utf8mb4`)
  // A transaction that the test left open must cause an error, not a hang.
  t.teardown(() => run(server, 'set lock_wait_timeout = 10', `drop database ${name}`))
  return Object.assign(new URL(server), { pathname: name }).href
}

async function run(server: string, ...statements: string[]): Promise<void> {
  const connection = await createConnection(server)
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}
