// Bodies at each size limit in every hostile shape, on every route that accepts JSON: the event loop never stalls.
import t, { type Test } from 'tap'
import {
  changes,
  otherReads,
  reads,
  routes,
  shapes,
  size,
  smallRoutes,
  smallSize,
} from '../support/hostile/large-bodies.ts'
import { build, onEachEngine, type TestHost } from '../support/hosts/build.ts'
import { watchedHost } from '../support/hosts/watching.ts'

t.setTimeout(3_600_000)

/** Milliseconds of CPU time between two turns of the event loop: other processes of this machine do not count. */
const maxBusy = 200
/** An expression that selects some: SVC_ONLY='SQLite designs in'. */
const only = new RegExp(process.env.SVC_ONLY ?? '')

t.test('no body and no stored value stalls the event loop', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('POST', '/products', { title: 'x' })
    await host.call('POST', '/products/1/views', { title: 'x' })
    await host.call('POST', '/shortcode-orders', { views: [{}] })
    const { watch, ask: send } = await watchedHost(t, { database: host.address })
    const idle = (await watch()).memory
    const worst = { stall: 0, busy: 0, memory: 0 }
    const busiest: Record<string, number> = {}

    async function ask(shape: string, method: string, path: string, body?: string): Promise<void> {
      const { status, stall, busy, memory } = await send(method, path, body)
      const label = `${method} ${path} of ${shape}: ${status}`
      t.ok(busy < maxBusy, `${label}, busy for ${Math.round(busy)} ms`)
      t.ok(status !== 500, label)
      worst.stall = Math.max(worst.stall, stall)
      worst.busy = Math.max(worst.busy, busy)
      worst.memory = Math.max(worst.memory, memory - idle)
      for (const by of [`${method} ${path}`, shape])
        busiest[by] = Math.max(busiest[by] ?? 0, Math.round(busy))
    }
    const all = [...routes, ...changes, ...smallRoutes]
    assertComplete(t, host, all)
    const sizes = [
      { size, routes: [...routes, ...changes] },
      { size: smallSize, routes: smallRoutes },
    ]
    for (const [name, shape] of Object.entries(shapes)) {
      for (const { size, routes } of sizes) {
        const label = `${name} in ${size} bytes`
        if (!only.test(`${engine} ${label}`)) continue
        const items = shape(size)
        for (const [method, path, body] of routes) await ask(label, method, path, body(items))
        for (const path of [...reads, ...otherReads]) await ask(label, 'GET', path)
      }
    }
    t.comment(`${engine}: ${JSON.stringify(worst)}`)
    for (const [by, busy] of Object.entries(busiest)) t.comment(`${engine}: ${by}: ${busy} ms`)
  }),
)

/** Every route that accepts JSON is among those that are tried. */
function assertComplete(
  t: Test,
  { routes }: TestHost,
  tried: readonly [string, string, ...unknown[]][],
): void {
  const namespace = '/wp-json/svc/v1'
  const operations = routes
    // Forms are declared by what they consume.
    .filter(({ url, schema }) => url.startsWith(namespace) && schema?.body && !Object(schema).consumes)
    .map(({ method, url }) => `${method} ${url.slice(namespace.length).replace(/\/$/, '')}`)
  const known = tried.map(([method, path]) => `${method} ${path}`)
  const pattern = (operation: string) => new RegExp(`^${operation.replace(/:\w+/g, '\\w+')}$`)
  const missing = operations.filter((operation) => !known.some((each) => pattern(operation).test(each)))
  t.same(missing, [])
}
