// A host process that monitors itself: how long its event loop stalled, and its peak memory.
import Fastify from 'fastify'
import { type SvcApiOptions, svcApi } from '../../plugins/index.ts'

export interface Watch {
  /** The maximum time between two turns of the event loop, in milliseconds. */
  stall: number
  /** The same in CPU time of the main thread, which other processes do not affect. */
  busy: number
  /** Peak memory of the process in MiB. */
  memory: number
}

const options = JSON.parse(String(process.argv[2])) as SvcApiOptions
const app = Fastify({ requestTimeout: 0 })
await app.register(svcApi, { siteUrl: 'https://shop.example', migrate: true, ...options })
const address = await app.listen({ port: 0, host: '127.0.0.1' })

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let watch: Watch = { stall: 0, busy: 0, memory: 0 }
let [time, used] = [performance.now(), cpu()]
setInterval(() => {
  const [now, usedNow] = [performance.now(), cpu()]
  watch.stall = Math.max(watch.stall, now - time)
  watch.busy = Math.max(watch.busy, usedNow - used)
  watch.memory = Math.max(watch.memory, process.memoryUsage.rss() / 2 ** 20)
  ;[time, used] = [now, usedNow]
}, 5)

process.on('message', () => {
  process.send?.(watch)
  watch = { stall: 0, busy: 0, memory: 0 }
})
process.once('disconnect', () => process.exit())
process.send?.(address)
