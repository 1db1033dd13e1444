// A host process that monitors itself: how long its event loop stalled, and its peak memory.
import { readFileSync, writeFileSync } from 'node:fs'
import { type SvcApiOptions, svcApi } from '../../../plugins/index.ts'
import { requestTime } from '../../../src/core/deadline.ts'
import { timeouts } from '../../../src/db/timeouts.ts'
import { Fastify } from './fastify.ts'

export interface Watch {
  /** The maximum time between two turns of the event loop, in milliseconds. */
  stall: number
  /** The same in CPU time of the main thread, which other processes do not affect. */
  busy: number
  /** CPU time of the main thread in all, in milliseconds. */
  cpu: number
  /** Peak memory of the process in MiB since it was last asked, which the kernel keeps: no peak is missed. */
  memory: number
  /** Its memory now. */
  resident: number
}

export type WatchedOptions = Partial<SvcApiOptions> & {
  /** Whether requests may take minutes: on a loaded machine they would end before their peak. */
  isPatient?: boolean
}

const { isPatient, ...options } = JSON.parse(String(process.argv[2])) as SvcApiOptions & WatchedOptions
if (isPatient) {
  const long = 120_000
  Object.assign(requestTime, { gate: long, handler: long })
  Object.assign(timeouts, { acquire: long, query: long })
}
const app = Fastify({ requestTimeout: 0 })
await app.register(svcApi, { siteUrl: 'https://shop.example', migrate: true, ...options })
const address = await app.listen({ port: 0, host: '127.0.0.1' })

const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let watch = { stall: 0, busy: 0 }
let [time, used] = [performance.now(), cpu()]
let usedBefore = used
setInterval(() => {
  const [now, usedNow] = [performance.now(), cpu()]
  watch.stall = Math.max(watch.stall, now - time)
  watch.busy = Math.max(watch.busy, usedNow - used)
  ;[time, used] = [now, usedNow]
}, 5)

process.on('message', () => {
  const status = readFileSync('/proc/self/status', 'utf8')
  const size = (name: string) => Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1]) / 1024
  const usedNow = cpu()
  process.send?.({
    ...watch,
    cpu: usedNow - usedBefore,
    memory: size('VmHWM'),
    resident: size('VmRSS'),
  } satisfies Watch)
  watch = { stall: 0, busy: 0 }
  usedBefore = usedNow
  // Starts the peak anew.
  writeFileSync('/proc/self/clear_refs', '5')
})
process.once('disconnect', () => process.exit())
process.send?.(address)
