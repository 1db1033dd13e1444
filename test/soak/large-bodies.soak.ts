// Bodies at the size limit in every hostile shape, on every route that accepts a blob: the event loop never stalls.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { build, onEachEngine, token } from '../support/build.ts'
import type { Watch } from '../support/watched-host.ts'

t.setTimeout(3_600_000)

const size = 32 * 2 ** 20 - 100
/** Milliseconds of CPU time between two turns of the event loop: other processes of this machine do not count. */
const maxBusy = 200

const repeated = (unit: string) => `${unit.repeat(Math.floor(size / Buffer.byteLength(unit)))}`
const element = {
  type: 'image',
  left: 1.5,
  top: 12.25,
  fill: '#ff0000',
  title: 'Ä€',
  z: 3,
  draggable: true,
  layer: null,
}
const shapes: Record<string, () => string> = {
  'empty arrays': () => `${repeated('[],')}0`,
  'empty objects': () => `${repeated('{},')}0`,
  numbers: () => `${repeated('1.25,')}0`,
  'long numbers': () => `${repeated('12345678901234567890,')}0`,
  nesting: () => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'one string': () => `"${repeated('a')}"`,
  'one string of wide characters': () => `"${repeated('€')}"`,
  escapes: () => `"${repeated('\\u00e4')}"`,
  'half pairs': () => `"${repeated('\\ud800')}"`,
  quotes: () => `"${repeated('\\"')}"`,
  'equal names': () => `{${repeated('"a":1,')}"a":2}`,
  designs: () => `${repeated(`${JSON.stringify({ ...element, source: 'x'.repeat(60) })},`)}0`,
}

const routes: [method: string, path: string, body: (items: string) => string][] = [
  ['POST', '/products', (items) => `{"title":"x","options":{"a":[${items}]}}`],
  ['PATCH', '/products/1', (items) => `{"options":{"a":[${items}]}}`],
  ['PATCH', '/products/1', (items) => `{"title":"y","views":[${items}]}`],
  ['POST', '/products/1/views', (items) => `{"title":"x","elements":[${items}]}`],
  ['PATCH', '/views/1', (items) => `{"elements":[${items}]}`],
  ['POST', '/design-categories', (items) => `{"title":"x","designs":[${items}]}`],
  ['POST', '/print-profiles', (items) => `{"name":"x","data":{"a":[${items}]}}`],
  ['POST', '/user-interfaces', (items) => `{"name":"x","data":{"a":[${items}]}}`],
  ['POST', '/shortcode-orders', (items) => `{"views":[${items}]}`],
  ['PATCH', '/orders/1', (items) => `{"type":"sc","order":{"a":[${items}]}}`],
  ['PUT', '/color-library', (items) => `{"colors":[${items}]}`],
  ['POST', '/categories', (items) => `{"title":"x","products":[${items}]}`],
]
const reads = [
  '/views/1',
  '/products/1',
  '/design-categories',
  '/orders/1?type=sc',
  '/system',
  '/color-library',
]

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
