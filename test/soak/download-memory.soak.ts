// A large print file is streamed: memory stays flat during 500 MB.
import { statSync } from 'node:fs'
import { Readable } from 'node:stream'
import t from 'tap'
import { printHost } from '../support/hosts/print.ts'

const MB = 1024 * 1024

t.test('500 MB are stored with memory flat', async (t) => {
  const chunk = Buffer.alloc(MB, 'x')
  const host = await printHost(t, { printReady: { maxBytes: 600 * MB } }, (_request, response) => {
    const parts = Readable.from(
      (function* () {
        yield Buffer.from('%PDF-1.7\n')
        for (let i = 0; i < 500; i++) yield chunk
      })(),
    )
    parts.pipe(response)
  })
  const { guid } = await host.newJob()
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 20)
  const { status } = await host.notify(guid)
  clearInterval(timer)
  t.equal(status, 200)
  t.ok(statSync(`${host.uploads}/${host.stored()[0]}`).size > 500 * MB)
  t.comment(`memory grew by ${Math.round((peak - before) / MB)} MB, sender included`)
  t.ok(peak - before < 200 * MB)
})
