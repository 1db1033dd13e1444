// ZIP archives from strangers: what is plain is read byte for byte, all else is refused with a reason.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import t from 'tap'
import { ZipRefused, type ZipSource, zipContent, zipEntries } from '../../../src/print/zip.ts'
import { makeZip, type ZipEnd, type ZipPart } from '../../support/fixtures/make-zip.ts'

const limits = { entries: 20, bytes: 8 * 1024 * 1024, ratio: 200 }

const sourceOf = (archive: Buffer): ZipSource => ({
  size: archive.length,
  async read(position, length) {
    if (position < 0 || position + length > archive.length) throw new ZipRefused('too early')
    return archive.subarray(position, position + length)
  },
})

async function unzip(archive: Buffer): Promise<[name: string, content: Buffer][]> {
  const source = sourceOf(archive)
  const all: [string, Buffer][] = []
  for (const entry of await zipEntries(source, limits)) {
    const chunks: Buffer[] = []
    for await (const chunk of zipContent(source, entry)) chunks.push(chunk)
    all.push([entry.name, Buffer.concat(chunks)])
  }
  return all
}

const text = Buffer.from('a picture, as it were '.repeat(20))
const noise = randomBytes(300_000)

t.test('entries come in the order of the directory, with their bytes, however they are stored', async (t) => {
  const parts: ZipPart[] = [
    { name: 'view 10.png', content: text },
    { name: 'view 2.png', content: noise, method: 0 },
    { name: 'folder/', content: Buffer.alloc(0), method: 0 },
    { name: 'empty.txt', content: Buffer.alloc(0) },
    { name: 'streamed.png', content: noise, descriptor: true },
    { name: 'ü.png', content: text, flags: 0x800, extra: Buffer.from('5554050003000000ff', 'hex') },
  ]
  for (const end of [{}, { comment: 'made by hand' }]) {
    const found = await unzip(makeZip(parts, end))
    t.same(
      found.map(([name]) => Buffer.from(name, 'latin1').toString()),
      parts.map(({ name }) => name),
    )
    t.ok(found.every(([, content], i) => content.equals(parts[i]?.content ?? noise)))
  }
})

t.test('zipEntries: what a real archiver writes is read', async (t) => {
  const dir = t.testdir({ 'front.png': 'one', 'back.png': 'two'.repeat(1000) })
  const script = `import zipfile,sys
z=zipfile.ZipFile(sys.argv[1]+'/a.zip','w',zipfile.ZIP_DEFLATED)
z.write(sys.argv[1]+'/front.png','front.png'); z.write(sys.argv[1]+'/back.png','back.png'); z.close()
sys.stdout.buffer.write(open(sys.argv[1]+'/a.zip','rb').read())`
  writeFileSync(`${dir}/make.py`, script)
  const archive = execFileSync('python3', [`${dir}/make.py`, dir])
  t.same(
    (await unzip(archive)).map(([name, content]) => [name, content.toString()]),
    [
      ['front.png', 'one'],
      ['back.png', 'two'.repeat(1000)],
    ],
  )
})

const one = (more: Partial<ZipPart>): ZipPart[] => [{ name: 'a.png', content: text, ...more }]
const zip64 = Buffer.from('0100080000000000ffffffff', 'hex')
const refused: [what: string, parts: ZipPart[], end?: ZipEnd][] = [
  ['an encrypted entry', one({ flags: 1 })],
  ['a strongly encrypted entry', one({ flags: 0x40 })],
  ['an entry that only its local header calls encrypted', one({ localFlags: 1 })],
  ['a masked directory', one({ flags: 0x2000 })],
  ['another compression', one({ method: 12 })],
  ['a ZIP64 field in the directory', one({ extra: zip64 })],
  ['a ZIP64 field in the local header', one({ localExtra: zip64 })],
  ['a ZIP64 size', one({ size: 0xffffffff })],
  ['a ZIP64 count', one({}), { count: 0xffff }],
  ['a ZIP64 locator', one({}), { before: Buffer.concat([Buffer.from('PK\x06\x07'), Buffer.alloc(16)]) }],
  ['the last part of several', one({}), { disk: 1 }],
  ['a directory that begins in another part', one({}), { firstDisk: 1 }],
  ['a count that is too small', [...one({}), ...one({})], { count: 1 }],
  ['a count that is too large', one({}), { count: 2 }],
  ['a directory elsewhere', one({}), { directoryStart: 3 }],
  ['a directory of another length', one({}), { directorySize: 10 }],
  ['bytes behind the end', one({}), { after: Buffer.from('more') }],
  ['bytes between directory and end', one({}), { before: Buffer.from('more') }],
  ['a content that is longer than its size', one({ size: 10 })],
  ['a content that is shorter than its size', one({ size: 1000 })],
  ['a stored content of another size', one({ method: 0, size: 1000 })],
  ['a wrong checksum', one({ crc: 7 })],
  ['another name in the local header', one({ localName: 'b.exe' })],
  ['another size in the local header', one({ localSize: 7 })],
  ['bytes hidden behind a compressed content', one({ trailing: Buffer.from('hidden') })],
  ['two entries over the same bytes', [...one({}), { name: 'a.png', content: text, offset: 0 }]],
  ['more entries than allowed', Array.from({ length: 21 }, () => one({})).flat()],
  ['more bytes than allowed', [1, 2, 3].map((n) => ({ name: `${n}`, content: randomBytes(3e6), method: 0 }))],
  ['an entry that grows far too much', one({ content: Buffer.alloc(4_000_000) })],
]
for (const [what, parts, end] of refused) {
  t.test(`${what} is refused`, async (t) => {
    await t.rejects(unzip(makeZip(parts, end)), ZipRefused)
  })
}

t.test('zipEntries: a lie about the size is found before more than that is inflated', async (t) => {
  const big = Buffer.alloc(200_000_000)
  const archive = makeZip([{ name: 'a.png', content: big, size: 500_000, crc: crc32(Buffer.alloc(500_000)) }])
  const before = process.memoryUsage().rss
  await t.rejects(unzip(archive), { name: 'ZipRefused', message: /longer than its header/ })
  t.ok(process.memoryUsage().rss - before < 100_000_000)
})

t.test(
  'zipEntries: an archive that is cut off or changed anywhere is read as it was or refused, and never hangs',
  async (t) => {
    const archive = makeZip([
      { name: 'a.png', content: text },
      { name: 'b.png', content: text, descriptor: true },
    ])
    const outcome = (bytes: Buffer) =>
      unzip(bytes).then(
        (entries) => entries.every(([, content]) => content.equals(text)) || entries.length < 2,
        (error: unknown) => error instanceof ZipRefused,
      )
    for (let length = 0; length < archive.length; length++) {
      if (!(await outcome(archive.subarray(0, length)))) t.fail(`cut at ${length}`)
    }
    for (let at = 0; at < archive.length; at++) {
      for (const bits of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(archive)
        changed[at] = (changed[at] ?? 0) ^ bits
        if (!(await outcome(changed))) t.fail(`changed at ${at}`)
      }
    }
    t.pass('no other outcome')
  },
)

t.test('zipEntries: a reader that stops early leaves nothing behind', async (t) => {
  const source = sourceOf(makeZip([{ name: 'a.png', content: noise }]))
  const [entry] = await zipEntries(source, limits)
  if (!entry) throw new Error('no entry')
  for await (const chunk of zipContent(source, entry)) {
    t.ok(chunk.length > 0)
    break
  }
})
