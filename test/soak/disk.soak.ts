// A real disk that is full or read-only, and a process out of file descriptors. Needs root for the mounts.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { font } from '../support/fixtures/make-font.ts'
import { png } from '../support/fixtures/make-png.ts'
import { build, type Engine, onEachEngine, token } from '../support/hosts/build.ts'
import { filePart, form, formHeaders } from '../support/hosts/form.ts'

t.setTimeout(600_000)

/** A separate disk of this many kilobytes. */
function disk(t: Test, kilobytes: number) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-disk-'))
  const mount = (...options: string[]) => execFileSync('mount', [...options, 'tmpfs', dir], { stdio: 'pipe' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${kilobytes}k`)
  } catch (cause) {
    throw new Error('This test needs root and the right to mount a tmpfs; run it where both are given.', {
      cause,
    })
  }
  t.teardown(() => {
    execFileSync('umount', ['--lazy', dir])
    rmSync(dir, { recursive: true })
  })
  return {
    dir,
    remount: (options: string) => mount('-o', `remount,${options}`),
    /** All files except complete fonts and assets. */
    unfinished: () => readdirSync(dir, { recursive: true }).filter((name) => /\.part$/.test(String(name))),
    files: () =>
      readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length,
  }
}

/** A process that serves the folder, with a limit on open files. */
async function served(t: Test, engine: Engine, dir: string, openFiles = 4096) {
  const { address, app, db, t: names } = await build(t, { engine })
  await app.close()
  const host = join(import.meta.dirname, '../support/hosts/upload-host.ts')
  // It prints its port; the IPC channel of `fork` would not survive the shell.
  const script = `ulimit -n ${openFiles}; exec "$@"`
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, host, address, dir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [port] = await once(createInterface(child.stdout), 'line')
  const ask = async (method: string, path: string, body?: Buffer) => {
    const response = await fetch(`http://127.0.0.1:${port}/wp-json/svc/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, connection: 'close', ...(body && formHeaders()) },
      ...(body && { body: new Uint8Array(body) }),
    })
    const text = await response.text()
    if (response.status >= 500)
      t.notMatch(text, /svc-disk|ENOSPC|EROFS|EMFILE|\/tmp/, 'nothing of the inside')
    return { status: response.status, body: JSON.parse(text) }
  }
  const upload = (path: string, name: string, content: Uint8Array | string) =>
    ask('POST', path, form([filePart(name, content)]))
  const rows = async () =>
    (await db.selectFrom(names.assets).select('key').where('mime_type', '<>', '').execute()).length
  return { ask, upload, rows, pid: child.pid }
}

const isReadOnly = {
  status: 507,
  body: { code: 'svc_storage_full', data: { reason: 'uploads-read-only' } },
}

/** Noise, which does not compress. */
const picture = (size: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0${Array.from({ length: size / 10 }, (_, i) => `L${(i * 7919) % 9973} ${(i * 104_729) % 9967}`).join('')}"/></svg>`

t.test('on a full disk uploads fail without a trace, and work again when there is room', (t) =>
  onEachEngine(t, async (t, engine) => {
    const full = disk(t, 1024)
    const { upload, ask, rows } = await served(t, engine, full.dir)
    t.equal((await upload('/fonts', 'Foo.ttf', font())).status, 201)
    const counts: Record<number, number> = {}
    let stored = 0
    while ((counts[507] ?? 0) < 20) {
      const responses = await Promise.all(
        Array.from({ length: 5 }, (_, i) => upload('/assets', 'a.svg', picture(20_000 + i * 10_000))),
      )
      for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
      stored = counts[201] ?? 0
      t.same(full.unfinished(), [])
      t.equal(full.files(), stored + 1)
      t.equal(await rows(), stored)
    }
    t.comment(JSON.stringify({ engine, counts }))
    t.same(Object.keys(counts), ['201', '507'])
    const { body } = await ask('GET', '/assets?limit=100')
    t.equal(body.meta.total, stored)
    const font2 = await upload('/fonts', 'Foo.ttf', Buffer.concat([font(), Buffer.alloc(200_000)]))
    t.ok([422, 507].includes(font2.status))
    t.equal((await ask('GET', '/fonts')).body.data.length, 1, 'the family is as it was')
    for (const { key } of body.data.slice(0, 5))
      t.equal((await ask('DELETE', `/assets/${encodeURIComponent(key)}`)).status, 200)
    t.equal((await upload('/assets', 'a.svg', picture(20_000))).status, 201)
  }),
)

t.test('on a read-only disk writes fail and reads continue; afterwards everything works again', (t) =>
  onEachEngine(t, async (t, engine) => {
    const frozen = disk(t, 4096)
    const { upload, ask, rows } = await served(t, engine, frozen.dir)
    const { key } = (await upload('/assets', 'a.png', png())).body.data
    await upload('/fonts', 'Foo.ttf', font())
    frozen.remount('ro')
    for (const [path, name, content] of [
      ['/assets', 'a.png', png()],
      ['/fonts', 'Foo.ttf', font()],
      ['/fonts', 'Foo__bold.ttf', font()],
    ] as const)
      t.match(await upload(path, name, content), isReadOnly)
    t.match(await ask('DELETE', `/assets/${encodeURIComponent(key)}`), isReadOnly)
    t.match(await ask('DELETE', '/fonts/Foo'), isReadOnly)
    t.equal((await ask('GET', '/assets')).body.meta.total, 1)
    t.equal((await ask('GET', '/fonts')).body.meta.total, 1)
    t.equal((await ask('GET', '/system')).status, 200)
    frozen.remount('rw')
    t.equal((await upload('/assets', 'a.png', png())).status, 201)
    t.equal((await ask('DELETE', `/assets/${encodeURIComponent(key)}`)).status, 200)
    t.equal((await ask('DELETE', '/fonts/Foo')).status, 200)
    t.equal(await rows(), 1)
    t.equal(frozen.files(), 1)
  }),
)

t.test('out of file descriptors uploads fail without a trace, and work again when there are some', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { dir, files, unfinished } = disk(t, 8192)
    const { upload, ask, rows, pid } = await served(t, engine, dir, 90)
    t.equal((await upload('/assets', 'a.png', png())).status, 201)
    t.equal((await upload('/assets', 'a.svg', picture(100))).status, 201)
    const open = () => readdirSync(`/proc/${pid}/fd`).length
    const before = open()
    const counts: Record<string, number> = {}
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          upload('/assets', i % 2 ? 'a.png' : 'a.svg', i % 2 ? png() : picture(1000)).then(
            ({ status }) => status,
            () => 'no connection',
          ),
        ),
      )
      for (const status of responses) counts[status] = (counts[status] ?? 0) + 1
    }
    t.comment(JSON.stringify({ engine, counts, before, after: open() }))
    t.equal((await upload('/assets', 'a.png', png())).status, 201)
    t.same(unfinished(), [])
    const stored = 3 + (counts[201] ?? 0)
    t.equal(files(), stored)
    t.equal((await ask('GET', '/assets')).body.meta.total, stored)
    t.equal(await rows(), stored)
    t.ok(existsSync(`/proc/${pid}`))
  }),
)
