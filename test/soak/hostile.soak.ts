// Uploads the hostile corpus three times, eight files at a time: the host's event loop stays free and its memory flat.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { fileChecks } from '../../src/files/accept.ts'
import { FileRejected } from '../../src/files/rejected.ts'
import { png, pngChunk } from '../support/fixtures/make-png.ts'
import { hostileFiles } from '../support/hostile/hostile-files.ts'
import { jpeg } from '../support/hostile/hostile-pictures.ts'

const ROUNDS = 3
const AT_ONCE = 8
const DELAY_MS = 200
/** Megabytes that the checks may use at their peak, and a minute later. */
const MEMORY = { peak: 300, later: 100 }

t.setTimeout(900_000)

t.test('three rounds of hostile files delay no other request and leave the checks working', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const files = await hostileFiles()
  await checks.asset({
    name: 'a.svg',
    read: async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'),
  })
  const before = process.memoryUsage.rss()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()

  let judged = 0
  let peak = 0
  let slowest = 0
  const queue = Array.from({ length: ROUNDS }, () => files)
    .flat()
    .values()
  const worker = async () => {
    for (const { name, upload, bytes } of queue) {
      const file = { name: upload, read: async () => Buffer.from(bytes) }
      const start = performance.now()
      await (name.startsWith('ttf-') ? checks.font(file) : checks.asset(file)).catch((error) => {
        if (!(error instanceof FileRejected)) throw error
      })
      slowest = Math.max(slowest, performance.now() - start)
      peak = Math.max(peak, process.memoryUsage.rss())
      judged++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))

  delay.disable()
  const measured = { judged, p99: delay.percentile(99) / 1e6, slowest, grown: (peak - before) / 1e6 }
  t.comment(JSON.stringify(measured))
  t.ok(measured.p99 < DELAY_MS, 'event loop')
  t.ok(measured.grown < MEMORY.peak, 'memory')
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  const left = (process.memoryUsage.rss() - before) / 1e6
  t.comment(JSON.stringify({ left }))
  t.ok(left < MEMORY.later, 'memory given back')
  t.match(await checks.asset({ name: 'a.png', read: async () => png() }), { type: 'png' })
})

t.test('pictures of many small parts delay no other request while they are checked', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const chunk = pngChunk('teXt', Buffer.alloc(8))
  const photo = await jpeg()
  const files: Record<string, Buffer> = {
    'many.png': png({ before: [Buffer.concat(Array(70_000_000 / chunk.length).fill(chunk))] }),
    'empty.png': png({ before: [Buffer.concat(Array(860_000).fill(pngChunk('teXt', Buffer.alloc(0))))] }),
    'large.png': png({ before: [pngChunk('teXt', Buffer.alloc(70_000_000))] }),
    'fill.jpg': Buffer.concat([photo.subarray(0, 2), Buffer.alloc(70_000_000, 0xff), photo.subarray(2)]),
    'scan.jpg': Buffer.concat([photo.subarray(0, -2), Buffer.alloc(70_000_000, Buffer.from('ff00', 'hex'))]),
    'many.pdf': Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.alloc(70_000_000, '1 0 obj <<>> '),
      Buffer.from('startxref\n%%EOF'),
    ]),
  }
  for (const [name, bytes] of Object.entries(files)) {
    // Only CPU time counts, since other processes on this machine may cause a stall as well.
    const start = process.threadCpuUsage()
    const outcome = await checks.asset({ name, read: async () => bytes }).then(
      () => 'taken',
      (error) => error.message,
    )
    const { user, system } = process.threadCpuUsage(start)
    const stalled = (user + system) / 1000
    t.comment(JSON.stringify({ name, outcome, stalled }))
    t.ok(stalled < DELAY_MS, name)
  }
})
