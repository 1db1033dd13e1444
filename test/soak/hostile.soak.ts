// The hostile corpus three times over, eight files at a time: the host's event loop stays free, its memory flat.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import t from 'tap'
import { fileChecks } from '../../src/files/accept.ts'
import { FileRejected } from '../../src/files/rejected.ts'
import { hostileFiles } from '../support/hostile-files.ts'
import { png } from '../support/make-png.ts'

const ROUNDS = 3
const AT_ONCE = 8
const DELAY_MS = 200
const MEGABYTES = 500

t.setTimeout(900_000)

t.test('three rounds of hostile files keep nobody waiting and leave the checks working', async (t) => {
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
  const left = Array.from({ length: ROUNDS }, () => files)
    .flat()
    .values()
  const worker = async () => {
    for (const { name, upload, bytes } of left) {
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
  t.ok(measured.grown < MEGABYTES, 'memory')
  t.match(await checks.asset({ name: 'a.png', read: async () => png() }), { type: 'png' })
})
