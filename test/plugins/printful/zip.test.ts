// ZIP files of products that the provider prints: each picture is stored under a URL of its own and goes to its template.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import t, { type Test } from 'tap'
import { makeZip, type ZipPart } from '../../support/fixtures/make-zip.ts'
import { type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { namesIn, printHost } from '../../support/hosts/print.ts'
import { printfulShop } from '../../support/hosts/printful-shop.ts'
import { lostResponse, printful } from '../../support/peers/printful.ts'

const png = (text: string) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)])
const jpeg = (text: string) => Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.from(text)])

async function make(t: Test, parts: ZipPart[] | Buffer, engine: Engine = 'SQLite') {
  const remote = await printful(t)
  const archive = Buffer.isBuffer(parts) ? parts : makeZip(parts)
  const host = await printHost(
    t,
    { printful: { url: remote.url }, printReady: { maxBytes: 4_000_000 }, engine },
    (_request, response) => response.end(archive),
  )
  const shop = await printfulShop(host)
  await shop.setToken()
  const order = await shop.order()
  const [item = 0] = order.items
  const { guid } = await host.newJob({
    order_id: order.id,
    item_id: item,
    variation_printful: shop.variation,
  })
  const notify = () => host.notify(guid, { file_url: `${host.router.url}/order.zip` })
  const files = () => remote.orders.get(String(order.id))?.items[0]?.files
  return { remote, host, shop, guid, notify, files }
}

/** The stored file behind a public URL. */
const behind = (uploads: string, url = '') =>
  readFileSync(url.replace('https://shop.example/wp-content/uploads', uploads))

t.test('the n-th picture of the archive goes to the n-th template, whatever it is called', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const { host, guid, notify, files, remote } = await make(
      t,
      [
        { name: 'fonts/a.ttf', content: Buffer.from('font') },
        { name: '__MACOSX/._view.png', content: Buffer.from('fork') },
        { name: 'view 10.png', content: png('first') },
        { name: '.hidden.png', content: Buffer.from('no') },
        { name: 'summary.json', content: Buffer.from('{}') },
        { name: 'pictures/', content: Buffer.alloc(0), method: 0 },
        { name: '../../view 2.JPG', content: jpeg('second'), method: 0 },
      ],
      engine,
    )
    t.match(await notify(), { status: 200, body: { data: { status: 'completed' } } })
    const [first, second, ...more] = files() ?? []
    t.same(more, [])
    t.match([first?.type, second?.type], ['front', 'back'])
    t.same(behind(host.uploads, first?.url), png('first'))
    t.same(behind(host.uploads, second?.url), jpeg('second'))
    t.equal(host.stored().length, 3)
    t.match((await host.job(guid)).file_url, /order\.zip$/)
    t.same(namesIn(host.tempDir), [])
    t.same(remote.confirmations(), [])
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
    t.same(host.stored(), [], 'the pictures go with their job')
  })
})

t.test('a repeat stores the same pictures under the same URLs', async (t) => {
  const { remote, host, notify, files } = await make(t, [{ name: 'a.png', content: png('one') }])
  remote.faults.push(undefined, lostResponse)
  t.equal((await notify()).status, 502)
  const [before] = files() ?? []
  const stored = host.stored()
  t.equal((await notify()).status, 200)
  t.equal(files()?.[0]?.url, before?.url)
  t.same(host.stored(), stored)
  t.equal(files()?.length, 1)
})

const refused: [what: string, parts: ZipPart[] | Buffer, reason: RegExp][] = [
  ['an encrypted archive', [{ name: 'a.png', content: png('x'), flags: 1 }], /encrypted/],
  ['an archive in the archive', [{ name: 'b.zip', content: makeZip([]) }], /another archive/],
  ['an archive without pictures', [{ name: 'a.pdf', content: Buffer.from('%PDF-') }], /no picture/],
  [
    'a program named as a picture',
    [{ name: 'a.png', content: Buffer.from('#!/bin/sh') }],
    /does not match its extension/,
  ],
  [
    'an SVG named as a picture',
    [{ name: 'a.png', content: Buffer.from('<svg/>') }],
    /does not match its extension/,
  ],
  [
    'more pictures than templates',
    ['1', '2', '3'].map((n) => ({ name: `${n}.png`, content: png(n) })),
    /3 pictures/,
  ],
  [
    'far too many pictures',
    Array.from({ length: 51 }, (_, n) => ({ name: `${n}.png`, content: png('x') })),
    /50/,
  ],
  [
    'far too many entries',
    Array.from({ length: 1001 }, (_, n) => ({ name: `${n}`, content: png('x') })),
    /1000/,
  ],
  ['more bytes than a print file may have', [{ name: 'a.png', content: Buffer.alloc(5_000_000) }], /4000000/],
  [
    'an archive that is cut off',
    makeZip([{ name: 'a.png', content: png('x') }]).subarray(0, 60),
    /end is missing/,
  ],
  ['a lie about a size', [{ name: 'a.png', content: png('long'.repeat(100)), size: 20 }], /longer than/],
]
for (const [what, parts, reason] of refused) {
  t.test(`${what} fails the job for good, and nothing is ordered`, async (t) => {
    const { remote, host, guid, notify } = await make(t, parts)
    t.match(await notify(), { status: 200, body: { data: { status: 'failed' } } })
    t.match((await host.job(guid)).error, { code: 'svc_print_provider_refused', message: reason })
    t.equal(remote.orders.size, 0)
    t.same(namesIn(host.tempDir), [])
    t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
    t.same(host.stored(), [])
  })
}

t.test('a job that is deleted while it is ordered leaves no pictures', async (t) => {
  const { remote, host, guid, notify } = await make(t, [{ name: 'a.png', content: png('one') }])
  remote.watch = async ({ method }, done) => {
    if (method === 'POST' && !done) await host.call('DELETE', `/print-jobs/${guid}`)
  }
  t.equal((await notify()).status, 404)
  t.same(host.stored(), [])
})

t.test('what a killed process left of a picture goes with the next attempt', async (t) => {
  const { host, guid, notify, files, shop } = await make(t, [{ name: 'a.png', content: png('one') }])
  await shop.setToken('')
  t.equal((await notify()).body.data.status, 'failed')
  const [archive = ''] = host.stored()
  const part = `${dirname(archive)}/.${basename(archive)}.1.png.${randomUUID()}.part`
  writeFileSync(`${host.uploads}/${part}`, 'half of')
  await shop.setToken()
  t.equal((await notify()).body.data.status, 'completed')
  t.same(host.stored().toSorted(), [archive, `${archive}.1.png`])
  t.same(behind(host.uploads, files()?.[0]?.url), png('one'))
  t.equal((await host.call('DELETE', `/print-jobs/${guid}`)).status, 200)
  t.same(host.stored(), [])
})

t.test('a ZIP file of a product that the shop prints itself is left as it is', async (t) => {
  const archive = makeZip([{ name: 'a.png', content: png('x'), flags: 1 }])
  const host = await printHost(t, {}, (_request, response) => response.end(archive))
  const { guid } = await host.newJob()
  t.equal((await host.notify(guid)).body.data.status, 'completed')
  const [stored = ''] = host.stored()
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  t.equal(hash(readFileSync(`${host.uploads}/${stored}`)), hash(archive))
})
