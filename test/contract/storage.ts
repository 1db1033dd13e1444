// What every storage must do, whatever stands behind it.
import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { FileStorage } from '../../src/storage/storage.ts'

/** @param make a storage that holds nothing yet */
export function storageContract(t: Test, make: (t: Test) => Promise<FileStorage>): void {
  const key = 'svc/print_files/0a1b/order-7.pdf'

  t.test('what was put is read back byte by byte', async (t) => {
    const storage = await make(t)
    await storage.put(key, Buffer.from('a\0\xff\r\n', 'latin1'))
    t.equal((await buffer(await storage.open(key))).toString('latin1'), 'a\0\xff\r\n')
    t.match(await storage.stat(key), { size: 5, modified: Number })
  })

  t.test('a local file is stored as it is', async (t) => {
    const storage = await make(t)
    const path = `${t.testdir({})}/source`
    writeFileSync(path, 'content')
    await storage.put(key, { path })
    t.equal((await buffer(await storage.open(key))).toString(), 'content')
  })

  t.test('a second file of the same key replaces the first', async (t) => {
    const storage = await make(t)
    await storage.put(key, Buffer.from('first'))
    await storage.put(key, Buffer.from('second one'))
    t.equal((await buffer(await storage.open(key))).toString(), 'second one')
  })

  t.test('of many writers at once one whole file remains', async (t) => {
    const storage = await make(t)
    const texts = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(10_000 + i))
    await Promise.all(texts.map((text) => storage.put(key, Buffer.from(text))))
    t.ok(texts.includes((await buffer(await storage.open(key))).toString()))
  })

  t.test('an absent file has no size, cannot be opened, and can be removed', async (t) => {
    const storage = await make(t)
    t.equal(await storage.stat(key), undefined)
    await t.rejects(storage.open(key), { code: 'ENOENT' })
    await storage.remove(key)
    await storage.put(key, Buffer.from('x'))
    await storage.remove(key)
    await storage.remove(key)
    t.equal(await storage.stat(key), undefined)
  })

  t.test('a key that leads elsewhere is refused by every verb', async (t) => {
    const storage = await make(t)
    for (const bad of [
      '',
      '/etc/passwd',
      '../x',
      'a/../../x',
      'a//b',
      'a/.hidden',
      'a\\b',
      'a\0',
      'a/',
      './a',
      'C:/a',
    ]) {
      await t.rejects(storage.put(bad, Buffer.from('x')), /storage key/, bad)
      await t.rejects(storage.open(bad), /storage key/, bad)
      await t.rejects(storage.stat(bad), /storage key/, bad)
      await t.rejects(storage.remove(bad), /storage key/, bad)
    }
  })

  t.test('a folder lists the names of its own files, and an absent one none', async (t) => {
    const storage = await make(t)
    await storage.put('svc/fonts/B c.ttf', Buffer.from('x'))
    await storage.put('svc/fonts/a.ttf', Buffer.from('x'))
    await storage.put('svc/fonts/deeper/d.ttf', Buffer.from('x'))
    t.same((await storage.list('svc/fonts')).sort(), ['B c.ttf', 'a.ttf'])
    t.same(await storage.list('svc/none'), [])
  })

  t.test('a URL contains no character that would end it', async (t) => {
    const storage = await make(t)
    t.match(storage.url('a b/c é.pdf'), /\/a%20b\/c%20%C3%A9\.pdf$/)
  })
}
