/** Starts a real cluster for soak tests: three MariaDB nodes with Galera on loopback, which can be killed and restarted. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import type { Test } from 'tap'
import { ensureCommands, unpackPackage } from '../debian.ts'

export interface Node {
  /** The mysql:// URL of `database` on this node. */
  url(database: string): string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Starts it with an empty folder; resolves once it has the others' data. */
  start(): Promise<void>
  /** Makes it the primary component when the others are lost. */
  lead(): Promise<void>
  /** A status variable of the node, such as `wsrep_cluster_status`. */
  status(name: string): Promise<string>
}

// A node must not outlive this process, however it ends: when the pipe closes, the shell kills it.
const keeper = `
  exec 3<&0
  "$@" 3<&- & pid=$!
  { read -r _ <&3; kill -9 $pid; } & reader=$!
  wait $pid
  kill $reader
`

/** Starts a cluster of three, which is stopped with the test. */
export async function galeraCluster(t: Test): Promise<[Node, Node, Node]> {
  const commands = await ensureCommands({
    mariadbd: 'mariadb-server-core',
    'mariadb-install-db': 'mariadb-server-core',
    my_print_defaults: 'mariadb-client-core',
    // How a joining node gets the data.
    rsync: 'rsync',
    ss: 'iproute2',
  })
  const [library, scripts] = [join(tmpdir(), 'svc-galera-4'), join(tmpdir(), 'svc-mariadb-server')]
  await unpackPackage('galera-4', library)
  await unpackPackage('mariadb-server', scripts)
  const folder = await mkdtemp(join(tmpdir(), 'svc-galera-'))
  // Started by root, rsync writes as nobody.
  const receiver = process.getuid?.() === 0 ? 65534 : undefined
  await chmod(folder, 0o755)
  const base = randomInt(20_000, 32_000)
  function node(number: number): Node & { datadir: string; boot(...flags: string[]): Promise<void> } {
    const datadir = join(folder, `data${number}`)
    const [port, group, transfer, state] = [0, 10, 20, 30].map((room) => base + room + number)
    const peers = [0, 1, 2].map((other) => `127.0.0.1:${base + 10 + other}`).join()
    let child: ChildProcess | undefined

    async function boot(...flags: string[]): Promise<void> {
      const log = await open(join(folder, `log${number}`), 'a')
      child = spawn(
        'sh',
        [
          '-c',
          keeper,
          'sh',
          commands.mariadbd,
          '--no-defaults',
          `--datadir=${datadir}`,
          `--tmpdir=${datadir}`,
          `--user=${userInfo().username}`,
          `--socket=${join(datadir, 'socket')}`,
          `--pid-file=${join(datadir, 'pid')}`,
          `--port=${port}`,
          '--bind-address=127.0.0.1',
          '--skip-name-resolve',
          '--max-connections=500',
          '--innodb-buffer-pool-size=64M',
          '--character-set-server=utf8mb4',
          '--wsrep-on=ON',
          '--binlog-format=ROW',
          '--innodb-autoinc-lock-mode=2',
          `--wsrep-provider=${join(library, 'usr/lib/galera/libgalera_smm.so')}`,
          '--wsrep-sst-method=rsync',
          `--wsrep-sst-receive-address=127.0.0.1:${state}`,
          `--wsrep-node-name=node${number}`,
          `--wsrep-node-address=127.0.0.1:${group}`,
          `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${transfer};gcache.size=128M`,
          ...flags,
        ],
        {
          stdio: ['pipe', log.fd, log.fd],
          env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:${join(scripts, 'usr/bin')}` },
        },
      )
      await log.close()
      const end = performance.now() + 120_000
      while ((await status('wsrep_local_state_comment').catch(() => '')) !== 'Synced') {
        if (child.exitCode !== null || performance.now() > end) {
          throw new Error(
            `A node did not start:\n${(await readFile(join(folder, `log${number}`), 'utf8')).slice(-3000)}`,
          )
        }
        await delay(100)
      }
    }

    async function kill(): Promise<void> {
      if (!child || child.exitCode !== null) return
      const exit = once(child, 'exit')
      child.stdin?.end()
      await exit
    }

    async function status(name: string): Promise<string> {
      const connection = await createConnection({ socketPath: join(datadir, 'socket'), user: 'root' })
      try {
        const [rows] = await connection.query('show global status like ?', [name])
        return String((rows as { Value: string }[])[0]?.Value)
      } finally {
        connection.destroy()
      }
    }

    async function lead(): Promise<void> {
      const connection = await createConnection({ socketPath: join(datadir, 'socket'), user: 'root' })
      await connection.query("set global wsrep_provider_options = 'pc.bootstrap=true'")
      connection.destroy()
      while ((await status('wsrep_ready')) !== 'ON') await delay(50)
    }

    return {
      datadir,
      lead,
      boot,
      status,
      url: (database) => `mysql://root@127.0.0.1:${port}/${database}`,
      kill,
      async start() {
        await rm(datadir, { recursive: true, force: true })
        await mkdir(datadir)
        if (receiver !== undefined) await chown(datadir, receiver, receiver)
        await boot(`--wsrep-cluster-address=gcomm://${peers}`)
      },
    }
  }

  const nodes = [node(0), node(1), node(2)] as const
  const [first, second, third] = nodes
  t.teardown(async () => {
    await Promise.all(nodes.map(({ kill }) => kill()))
    await rm(folder, { recursive: true, force: true })
  })
  await promisify(execFile)(
    commands['mariadb-install-db'],
    [
      '--no-defaults',
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      `--datadir=${first.datadir}`,
      `--user=${userInfo().username}`,
    ],
    { env: { ...process.env, TMPDIR: folder } },
  )
  await first.boot('--wsrep-cluster-address=gcomm://', '--wsrep-new-cluster')
  for (const other of [second, third]) await other.start()
  return [first, second, third]
}
