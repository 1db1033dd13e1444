// How many pictures, bytes and requests a design may cost, counted at a server that others own.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { fetchBudget, spend } from '../../../src/renderer/file-copies.ts'
import { pictureSources } from '../../../src/renderer/picture-sources.ts'
import { slowClients } from '../../../src/renderer/slow-clients.ts'
import { httpServer } from '../../support/peers/servers.ts'
import { pictureElement, viewWith } from '../../support/render/render-shop.ts'
import { shopRenderer } from '../../support/render/shop-renderer.ts'

const pictures = (count: number, urlOf: (index: number) => string) =>
  viewWith(...Array.from({ length: count }, (_, index) => pictureElement(urlOf(index))))

t.test(
  'renderer: 2,000 pictures of another server cost it 100 requests, and failed ones no second',
  async (t) => {
    const server = await httpServer(t, (_request, response) => response.writeHead(404).end())
    const { preflight, tempDir } = await shopRenderer(t, server.pair)
    const view = pictures(2000, (index) => `${server.url}/${index}.png`)
    const { printable, findings } = await preflight('order 1', view)
    t.equal(server.hits.length, 100)
    t.match({ printable, findings }, { printable: false, findings: [{ message: /could not be fetched/ }] })
    await preflight('order 2', view)
    t.equal(server.hits.length, 100)
    t.same(await readdir(tempDir), [])
  },
)

t.test('renderer: a picture is requested once, whatever stands behind the # of its URL', async (t) => {
  const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  const server = await httpServer(t, (_request, response) => response.end(png))
  const { preflight } = await shopRenderer(t, server.pair)
  const { printable } = await preflight(
    'order 1',
    pictures(50, (index) => `${server.url}/a.png#${index}`),
  )
  t.ok(printable)
  t.strictSame(server.hits, ['/a.png'])
})

t.test('renderer: redirects count as requests', async (t) => {
  const server = await httpServer(t, ({ url = '' }, response) => {
    response.writeHead(302, { location: `${url}x` }).end()
  })
  const { preflight } = await shopRenderer(t, server.pair)
  await preflight(
    'order 1',
    pictures(100, (index) => `${server.url}/${index}`),
  )
  t.equal(server.hits.length, 100)
})

t.test('renderer: large pictures of another server stay within the bytes of a design', async (t) => {
  const large = Buffer.alloc(60 * 2 ** 20, '\x89PNG\r\n\x1a\n', 'latin1')
  const server = await httpServer(t, (_request, response) => response.end(large))
  const { preflight, tempDir } = await shopRenderer(t, server.pair)
  let most = 0
  const timer = setInterval(async () => {
    const files = await readdir(tempDir)
    const sizes = await Promise.all(files.map((name) => stat(join(tempDir, name)).catch(() => undefined)))
    most = Math.max(
      most,
      sizes.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0),
    )
  }, 20)
  t.teardown(() => clearInterval(timer))
  const { findings } = await preflight(
    'order 1',
    pictures(12, (index) => `${server.url}/${index}.png`),
  )
  t.ok(most > 60 * 2 ** 20 && most <= 384 * 2 ** 20, `${most} bytes`)
  t.match(
    findings.map(({ message }) => message).find((message) => /together/.test(message)),
    /larger than 384 MB together\./,
  )
  t.same(await readdir(tempDir), [])
})

const settings = {
  storage: undefined,
  uploadsUrl: undefined,
  siteUrl: 'https://shop.example',
  openStored: async () => undefined,
}

const fetching = (t: Test, signal = new AbortController().signal) => ({
  folder: t.testdir({}),
  budget: fetchBudget(),
  signal,
  afterTask: () => {},
})

t.test(
  'fetchPictures: what was fetched is found by each name of it, and a failure by its cause',
  async (t) => {
    const urls: string[] = []
    const { fetchPictures } = pictureSources({
      ...settings,
      download: async (url) => {
        urls.push(url)
        if (url.endsWith('bad')) throw new Error('It is gone.')
        return { path: '/picture', discard: async () => {} }
      },
    })
    const names = [
      'https://a.example/1',
      'https://A.example/1#2',
      '//a.example/1',
      'https://a.example/bad',
      'x:y',
    ]
    const files = await fetchPictures(names, fetching(t))
    t.strictSame(urls, ['https://a.example/1', 'https://a.example/bad'])
    t.match(
      names.map((name) => files.get(name)),
      [
        { path: '/picture' },
        { path: '/picture' },
        { path: '/picture' },
        { cause: /It is gone\.$/ },
        { cause: /https/ },
      ],
    )
  },
)

t.test('fetchPictures: a storage that opens a picture after the end is closed again', async (t) => {
  const ending = new AbortController()
  const late = new PassThrough()
  const { promise, resolve } = Promise.withResolvers<PassThrough>()
  const { fetchPictures } = pictureSources({
    ...settings,
    openStored: () => promise,
    download: () => Promise.reject(new Error('Nothing is fetched here.')),
  })
  const files = fetchPictures(['https://a.example/1'], fetching(t, ending.signal))
  ending.abort(new Error('Nobody waits.'))
  await t.rejects(files, /Nobody waits/)
  resolve(late)
  await new Promise((closed) => late.on('close', closed))
  t.ok(late.destroyed)
})

t.test('fetchPictures: a download that ended with its task is tried again for the next one', async (t) => {
  const ending = new AbortController()
  const started = Promise.withResolvers<void>()
  const downloads = [
    (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        started.resolve()
      }),
    async () => ({ path: '/picture', discard: async () => {} }),
  ]
  const { fetchPictures } = pictureSources({
    ...settings,
    download: (_url, signal) => downloads.shift()?.(signal) ?? Promise.reject(new Error('Once more.')),
  })
  const name = 'https://a.example/1'
  const files = fetchPictures([name], fetching(t, ending.signal))
  await started.promise
  ending.abort(new Error('The visitor left.'))
  await t.rejects(files, /The visitor left/)
  t.same((await fetchPictures([name], fetching(t))).get(name), { path: '/picture' })
})

t.test('fetchPictures: a picture beyond the bytes of one design is tried again for another', async (t) => {
  const { fetchPictures } = pictureSources({
    ...settings,
    async download(_url, _signal, budget) {
      spend(budget, 10)
      return { path: '/picture', discard: async () => {} }
    },
  })
  const name = 'https://a.example/1'
  const small = { ...fetching(t), budget: { bytes: 5, requests: 1 } }
  t.match((await fetchPictures([name], small)).get(name), { cause: /together/ })
  t.same((await fetchPictures([name], fetching(t))).get(name), { path: '/picture' })
})

t.test('slowClients: those whose work took long share one turn for ten minutes', (t) => {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const slow = slowClients()
  slow.note('order 1', 4999)
  slow.note('order 2', 5000)
  slow.note('order 3', 60_000)
  const turns = () => ['order 1', 'order 2', 'order 3'].map(slow.queueNameOf)
  t.strictSame(turns(), ['order 1', 'slow', 'slow'])
  now = 10 * 60_000 + 1
  t.strictSame(turns(), ['order 1', 'order 2', 'order 3'])
  t.end()
})
