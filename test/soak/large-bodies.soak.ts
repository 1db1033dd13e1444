// Bodies at the size limit in every hostile shape, on every route that accepts a blob: the event loop never stalls.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { build, onEachEngine, token } from '../support/build.ts'
import { reads, routes, shapes } from '../support/large-bodies.ts'
import type { Watch } from '../support/watched-host.ts'

t.setTimeout(3_600_000)

/** Milliseconds of CPU time between two turns of the event loop: other processes of this machine do not count. */
const maxBusy = 200

t.test('no body and no stored value stalls the event loop', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('POST', '/products', { title: 'x' })
    await host.call('POST', '/products/1/views', { title: 'x' })
    await host.call('POST', '/shortcode-orders', { views: [{}] })
    const child = fork(
      join(import.meta.dirname, '../support/watched-host.ts'),
      [JSON.stringify({ database: host.address })],
      { execArgv: [] },
    )
    t.teardown(() => child.disconnect())
    const [address] = await once(child, 'message')
    const watch = async (): Promise<Watch> => {
      child.send('watch')
      return (await once(child, 'message'))[0]
    }
    const idle = (await watch()).memory
    const worst = { stall: 0, busy: 0, memory: 0 }

    async function ask(label: string, method: string, path: string, body?: string): Promise<void> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${address}/wp-json/svc/v1${path}`, {
        method,
        headers,
        body: body ?? null,
      })
      await response.text()
      const { stall, busy, memory } = await watch()
      t.ok(busy < maxBusy, `${label}: ${response.status}, busy for ${Math.round(busy)} ms`)
      t.ok(response.status !== 500, `${label}: ${response.status}`)
      worst.stall = Math.max(worst.stall, stall)
      worst.busy = Math.max(worst.busy, busy)
      worst.memory = Math.max(worst.memory, memory - idle)
    }
    for (const [name, shape] of Object.entries(shapes)) {
      const items = shape()
      for (const [method, path, body] of routes)
        await ask(`${method} ${path} of ${name}`, method, path, body(items))
      for (const path of reads) await ask(`GET ${path} after ${name}`, 'GET', path)
    }
    t.comment(`${engine}: ${JSON.stringify(worst)}`)
  }),
)
