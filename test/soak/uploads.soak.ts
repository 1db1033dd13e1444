// While uploads of every kind are checked, other requests succeed; and thousands of uploads leave nothing behind.
import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { font } from '../support/fixtures/make-font.ts'
import { png } from '../support/fixtures/make-png.ts'
import { build } from '../support/hosts/build.ts'
import { filePart } from '../support/hosts/form.ts'
import { served } from '../support/hosts/upload-serving.ts'

const uploads = Number(process.env.SVC_UPLOADS ?? 500)

t.setTimeout(1_800_000)

/** A drawing of about 2 MB. */
function drawing(): string {
  const circle = (i: number) =>
    `<circle cx="${i % 997}" cy="${i % 991}" r="${i % 13}" fill="#${(i % 900) + 100}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">${Array.from({ length: 38_000 }, (_, i) => circle(i)).join('')}</svg>`
}

async function photo(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

t.test('while 20 uploads of every kind run, GET /system responds with a p99 under 200 ms', async (t) => {
  const { address, app } = await build(t)
  await app.close()
  const { get, post, memory } = await served(t, address, t.testdir({}))
  const kinds = [
    filePart('a.svg', drawing()),
    filePart('a.jpg', await photo(6000, 4000)),
    filePart('a.png', png({ width: 2000, height: 2000 })),
    filePart('a.pdf', '%PDF-1.4\nnot really'),
  ]
  await (await post('/assets', [filePart('a.png', png())])).text()
  const { peak: idle } = await memory()
  let isDone = false
  const statuses: Record<string, number> = {}
  const running = Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const { status } = await post('/assets', [kinds[i % kinds.length] ?? filePart('a.png', png())])
      statuses[status] = (statuses[status] ?? 0) + 1
    }),
  ).finally(() => {
    isDone = true
  })
  const times: number[] = []
  while (!isDone) {
    const start = performance.now()
    const response = await get('/system')
    await response.text()
    times.push(performance.now() - start)
  }
  await running
  const sorted = times.sort((a, b) => a - b)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
  const figures = {
    asked: times.length,
    median: sorted[sorted.length >> 1],
    p99,
    idle,
    peak: (await memory()).peak,
    statuses,
  }
  t.comment(JSON.stringify(figures))
  t.ok(p99 < 200)
  t.same(statuses, { 201: 15, 422: 5 })
})

t.test(`${uploads} uploads leave memory, open files and threads as they were`, async (t) => {
  const dir = t.testdir({})
  const { address, app } = await build(t)
  await app.close()
  const { child, post, memory } = await served(t, address, dir)
  const proc = (name: string) => readdirSync(`/proc/${child.pid}/${name}`).length
  const send = async (count: number) => {
    for (let i = 0; i < count; i += 8) {
      const batch = Array.from({ length: 8 }, (_, j) => {
        const part = [
          filePart('a.png', png()),
          filePart('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><rect width="1" height="1"/></svg>'),
          filePart('a.jpg', 'no picture'),
          filePart('Foo.ttf', font()),
        ][j % 4]
        return post(j % 4 === 3 ? '/fonts' : '/assets', part ? [part] : []).then((response) =>
          response.text(),
        )
      })
      await Promise.all(batch)
      // Without help, the heap grows for ten thousand uploads before the first full collection.
      if (i % 1000 === 0) await memory()
    }
  }
  const look = async () => ({ fds: proc('fd'), threads: proc('task'), rss: (await memory()).rss })
  // By then caches have reached their size.
  await send(Math.max(200, uploads / 4))
  const before = await look()
  await send(uploads)
  const after = await look()
  t.comment(JSON.stringify({ before, after }))
  t.ok(after.fds <= before.fds * 1.1 + 8)
  t.ok(after.threads <= before.threads)
  t.ok(after.rss <= before.rss * 1.1)
  t.same(
    readdirSync(dir, { recursive: true }).filter((name) => String(name).includes('/.')),
    [],
  )
})
