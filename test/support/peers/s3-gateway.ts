/**
 * A real S3 server on loopback: Ceph's gateway on one monitor and one store in memory, from Debian packages that are
 * unpacked into a folder and not installed. `npm test s3` starts one for all its tests.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { unpackPackages } from '../debian.ts'
import { freePort } from './free-port.ts'

export interface S3Gateway {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  /** Ends the gateway alone, so that connections are refused. */
  down(): Promise<void>
  /** Starts it again on the same port. */
  up(): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)
const packages = ['ceph-mon', 'ceph-osd', 'ceph-common', 'radosgw']
const startTime = 90_000

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection(port, '127.0.0.1')
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

/** @param keys where the programs find the keys of the cluster */
const configuration = (folder: string, ports: { monitor: number; gateway: number }, id: string) => `[global]
fsid = ${id}
mon_initial_members = a
mon_host = [v2:127.0.0.1:${ports.monitor}]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = ${folder}/keys
run_dir = ${folder}/run
admin_socket = ${folder}/run/$name.asok
log_file = ${folder}/log/$name.log
crash_dir = ${folder}/log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 1073741824
mon_data = ${folder}/mon
osd_data = ${folder}/osd
osd_memory_target = 939524096
mon_osd_full_ratio = .99
ms_bind_msgr1 = false
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:${ports.gateway}
rgw_data = ${folder}/rgw
rgw_enable_usage_log = false
rgw_run_sync_thread = false
rgw_enable_quota_threads = false
rgw_enable_gc_threads = false
rgw_enable_lc_threads = false
rgw_thread_pool_size = 16
`

/** Libraries and plugins lie below the folder of the packages. */
async function programs(folder: string) {
  const root = await unpackPackages(packages, join(tmpdir(), 'svc-tests-ceph'))
  const { stdout } = await run('dpkg-architecture', ['-qDEB_HOST_MULTIARCH']).catch(() => ({
    stdout: `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  }))
  const libraries = join(root, 'usr/lib', stdout.trim())
  const extra = `plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
`
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: [
      libraries,
      `${libraries}/ceph`,
      `${root}/usr/lib/ceph`,
      `${root}/lib/${stdout.trim()}`,
    ].join(':'),
    PYTHONPATH: `${root}/usr/lib/python3/dist-packages`,
    CEPH_CONF: `${folder}/ceph.conf`,
  }
  // The bindings are made for the system's Python, whichever stands first in the PATH.
  const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'
  return { bin: (name: string) => join(root, 'usr/bin', name), env, extra, python }
}

export async function startS3(): Promise<S3Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-s3-'))
  const started: ChildProcess[] = []
  const end = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const stop = async () => {
    await Promise.all(started.map(end))
    await rm(folder, { recursive: true, force: true })
  }
  // A run that is broken off takes its servers with it.
  process.once('exit', () => {
    for (const child of started) child.kill('SIGKILL')
  })
  try {
    const { bin, env, extra, python } = await programs(folder)
    const ports = { monitor: await freePort(), gateway: await freePort() }
    const id = randomUUID()
    const osd = randomUUID()
    for (const name of ['mon', 'osd', 'run', 'rgw', 'log']) await mkdir(join(folder, name))
    const text = configuration(folder, ports, id)
    await writeFile(join(folder, 'ceph.conf'), text.replace('[client.rgw.a]', `${extra}[client.rgw.a]`))
    const call = (name: string, ...args: string[]) => run(bin(name), args, { env, timeout: startTime })
    const serve = (name: string, ...args: string[]) => {
      const child = spawn(bin(name), ['-f', ...args], { env, stdio: 'ignore' })
      started.push(child)
      return child
    }
    const keys = join(folder, 'keys')
    const key = (name: string, ...caps: string[]) =>
      call('ceph-authtool', keys, '-g', '-n', name, ...caps.flatMap((cap) => ['--cap', ...cap.split('=')]))
    await call('ceph-authtool', '-C', keys, '-g', '-n', 'mon.', '--cap', 'mon', 'allow *')
    await key('client.admin', 'mon=allow *', 'osd=allow *', 'mgr=allow *')
    await key('osd.0', 'mon=allow profile osd', 'osd=allow *', 'mgr=allow *')
    await key('client.rgw.a', 'mon=allow rw', 'osd=allow rwx')
    for (const name of ['osd', 'rgw']) await writeFile(join(folder, name, 'keyring'), await readFile(keys))
    await call(
      'monmaptool',
      ...['--create', '--addv', 'a', `[v2:127.0.0.1:${ports.monitor}]`, '--fsid', id, join(folder, 'monmap')],
    )
    await call('ceph-mon', ...['--mkfs', '-i', 'a', '--monmap', join(folder, 'monmap'), '--keyring', keys])
    serve('ceph-mon', '-i', 'a')
    const asked = [bin('ceph'), '-c', join(folder, 'ceph.conf'), '--connect-timeout', '30', 'osd', 'new', osd]
    await run(python, asked, { env, timeout: startTime })
    await call('ceph-osd', '--mkfs', '-i', '0', '--osd-uuid', osd)
    serve('ceph-osd', '-i', '0')

    let gateway: ChildProcess | undefined
    const up = async () => {
      gateway = serve('radosgw', '-n', 'client.rgw.a')
      for (const until = Date.now() + startTime; !(await answers(ports.gateway)); await delay(100)) {
        if (gateway.exitCode !== null || Date.now() > until)
          throw new Error(`radosgw did not start in ${folder}.`)
      }
    }
    await up()
    const [accessKeyId, secretAccessKey] = ['SVCTESTACCESS', 'svc-test-secret']
    const user = [
      '--uid',
      'svc',
      '--display-name',
      'svc',
      '--access-key',
      accessKeyId,
      '--secret-key',
      secretAccessKey,
    ]
    await call('radosgw-admin', 'user', 'create', ...user)
    return {
      endpoint: `http://127.0.0.1:${ports.gateway}`,
      accessKeyId,
      secretAccessKey,
      down: async () => gateway && end(gateway),
      up,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
