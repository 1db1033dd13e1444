// The storage on this machine's disk: the contract, and what is particular to a disk.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import t from 'tap'
import { localStorage } from '../../../src/storage/local.ts'
import { timeOfFiles } from '../../../src/storage/local-files.ts'
import { storageContract } from '../../contract/storage.ts'

storageContract(t, async (t) => localStorage(`${t.testdir({})}/uploads`, 'https://shop.example/uploads'))

const key = 'svc/print_files/r/x.pdf'

t.test('localStorage: a stored file can be read by all and run by none, whatever the umask', async (t) => {
  const dir = t.testdir({})
  const before = process.umask(0o077)
  await localStorage(dir).put(key, Buffer.from('x'))
  process.umask(before)
  t.equal(statSync(`${dir}/${key}`).mode & 0o777, 0o644)
})

t.test('a new folder lets in whom the uploads folder lets in, whatever the umask', async (t) => {
  const dir = t.testdir({ open: {}, shared: {} })
  chmodSync(`${dir}/shared`, 0o2775)
  for (const umask of [0o077, 0]) {
    const before = process.umask(umask)
    await localStorage(`${dir}/open`).put(`svc/${umask}/x.pdf`, Buffer.from('x'))
    await (await localStorage(`${dir}/shared`).receive(`svc/${umask}`)).discard()
    process.umask(before)
    t.equal(statSync(`${dir}/open/svc/${umask}`).mode & 0o7777, statSync(`${dir}/open`).mode & 0o7777)
    t.equal(statSync(`${dir}/shared/svc/${umask}`).mode & 0o7777, 0o2775)
  }
})

t.test('a link in the place of the file is replaced, and what it points at stays as it was', async (t) => {
  const dir = t.testdir({ victim: 'kept', svc: { print_files: { r: {} } } })
  symlinkSync(`${dir}/victim`, `${dir}/${key}`)
  const storage = localStorage(dir)
  t.equal(await storage.stat(key), undefined)
  await t.rejects(storage.open(key))
  await storage.put(key, Buffer.from('new'))
  t.equal(readFileSync(`${dir}/victim`, 'utf8'), 'kept')
  t.equal(readFileSync(`${dir}/${key}`, 'utf8'), 'new')
})

t.test('localStorage: a link in the place of a folder is not entered', async (t) => {
  const dir = t.testdir({ elsewhere: { 'x.pdf': 'kept' }, svc: { print_files: {} } })
  symlinkSync(`${dir}/elsewhere`, `${dir}/svc/print_files/r`)
  const storage = localStorage(dir)
  await t.rejects(storage.put(key, Buffer.from('new')), /link/)
  await t.rejects(storage.open(key), /link/)
  await t.rejects(storage.remove(key), /link/)
  t.equal(readFileSync(`${dir}/elsewhere/x.pdf`, 'utf8'), 'kept')
})

t.test('localStorage: a failed write leaves the earlier file and no other', async (t) => {
  const dir = t.testdir({})
  const storage = localStorage(dir)
  await storage.put(key, Buffer.from('old'))
  await t.rejects(storage.put(key, { path: `${dir}/absent` }), { code: 'ENOENT' })
  t.same(readdirSync(`${dir}/svc/print_files/r`), ['x.pdf'])
})

t.test('localStorage: removing the last file of a folder removes the folder, others stay', async (t) => {
  const dir = t.testdir({})
  const storage = localStorage(dir)
  await storage.put(key, Buffer.from('x'))
  await storage.put('svc/print_files/r/y.pdf', Buffer.from('y'))
  await storage.remove(key)
  t.same(readdirSync(`${dir}/svc/print_files/r`), ['y.pdf'])
  await storage.remove('svc/print_files/r/y.pdf')
  t.same(readdirSync(`${dir}/svc/print_files`), [])
})

t.test('localStorage: what comes into a folder finds it, however often others take it away', async (t) => {
  const storage = localStorage(t.testdir({}))
  let isDone = false
  const removing = (async () => {
    while (!isDone) await storage.remove('svc/a/other.pdf')
  })()
  const coming = async () => {
    for (let i = 0; i < 200; i++) {
      await (await storage.receive('svc/a')).discard()
      await storage.put('svc/a/x.pdf', Buffer.from('x'))
      await storage.remove('svc/a/x.pdf')
    }
  }
  await t.resolves(coming())
  isDone = true
  await removing
})

t.test('localStorage: only regular files are named', async (t) => {
  const dir = t.testdir({ svc: { fonts: { 'a.ttf': '', sub: {} } } })
  symlinkSync('a.ttf', `${dir}/svc/fonts/b.ttf`)
  t.same(await localStorage(dir).list('svc/fonts'), ['a.ttf'])
  t.same(await localStorage(dir).list('svc/none'), [])
})

t.test('localStorage: a file from another file system is copied', async (t) => {
  const dir = t.testdir({})
  mkdirSync('/dev/shm', { recursive: true })
  const path = `/dev/shm/svc-test-${process.pid}`
  writeFileSync(path, 'from memory')
  await localStorage(dir).put(key, { path })
  t.equal(readFileSync(`${dir}/${key}`, 'utf8'), 'from memory')
})

t.test(
  'localStorage: a received file lies under a hidden name, readable for its owner alone, until it is discarded',
  async (t) => {
    const dir = t.testdir({})
    const storage = localStorage(dir)
    const incoming = await storage.receive('svc/fonts')
    await incoming.write(Buffer.from('part one, '))
    await incoming.write(Buffer.from('part two'))
    t.equal(Buffer.from(await incoming.read()).toString(), 'part one, part two')
    const [name = ''] = readdirSync(`${dir}/svc/fonts`)
    t.match(name, /^\.upload\.[0-9a-f-]{36}\.part$/)
    t.equal(statSync(`${dir}/svc/fonts/${name}`).mode & 0o777, 0o600)
    t.same(await storage.list('svc/fonts'), [])
    await incoming.discard()
    await incoming.discard()
    t.same(readdirSync(`${dir}/svc/fonts`), [])
  },
)

t.test('localStorage: a sweep removes old unfinished files of ours, and nothing else', async (t) => {
  const id = '01234567-89ab-cdef-0123-456789abcdef'
  const [old, fresh, others] = [`.upload.${id}.part`, `.a.png.${id}.part`, '.upload.part']
  const dir = t.testdir({ svc: { uploads: { '2026': { '11': { [old]: '', [fresh]: '', [others]: '' } } } } })
  const folder = `${dir}/svc/uploads/2026/11`
  for (const name of [old, others]) utimesSync(`${folder}/${name}`, 1e9, 1e9)
  symlinkSync(folder, `${dir}/svc/uploads/link`)
  await localStorage(dir).sweep('svc/uploads')
  t.same(readdirSync(folder).sort(), [fresh, others].sort())
})

t.test('localStorage: the head of a link, a pipe or a folder is not read', async (t) => {
  const dir = t.testdir({ 'a.png': 'abcdef', folder: {} })
  symlinkSync('a.png', `${dir}/link.png`)
  execFileSync('mkfifo', [`${dir}/pipe.png`])
  const storage = localStorage(dir)
  t.match(await storage.head('a.png', 3), { bytes: Buffer.from('abc'), size: 6 })
  for (const name of ['link.png', 'pipe.png', 'folder', 'none'])
    t.equal(await storage.head(name, 3), undefined)
})

t.test('localStorage: only a regular file can be opened, and nobody waits for a pipe', async (t) => {
  const dir = t.testdir({ folder: {} })
  symlinkSync('/etc/passwd', `${dir}/link`)
  symlinkSync('/dev/zero', `${dir}/device`)
  execFileSync('mkfifo', [`${dir}/pipe`])
  const storage = localStorage(dir)
  for (const name of ['folder', 'link', 'device', 'pipe', 'pipe/x', 'link/x']) {
    await t.rejects(storage.open(name), name)
    t.equal(await storage.stat(name), undefined, name)
    t.equal(await storage.head(name, 3), undefined, name)
  }
})

t.test('what is read of a file that is being replaced, and its size, are of one file', async (t) => {
  const storage = localStorage(t.testdir({}))
  const texts = [10, 70_000].map((size) => Buffer.alloc(size, String(size)))
  let isDone = false
  const replacing = (async () => {
    for (let i = 0; i < 300; i++) await storage.put('svc/fonts/a.ttf', texts[i % 2] ?? Buffer.of())
    isDone = true
  })()
  const torn: unknown[] = []
  while (!isDone) {
    const head = await storage.head('svc/fonts/a.ttf', 100_000)
    if (head && !texts.some((text) => text.equals(head.bytes) && text.length === head.size))
      torn.push(head.size)
  }
  await replacing
  t.same(torn, [])
})

t.test('timeOfFiles: the time of this machine where no file can be made', async (t) => {
  const began = Date.now()
  const time = await timeOfFiles(`${t.testdir({})}/missing/.clock`)
  t.ok(time >= began && time <= Date.now())
})
