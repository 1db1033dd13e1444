// The API waits for the host's listeners after the commit; whatever they do affects neither the response nor the process.
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ensureToken, migrate } from '../../plugins/index.ts'
import type { SvcContextOptions } from '../../src/app/context-options.ts'
import { storeOption } from '../support/fixtures/rows.ts'
import { createShop, shopOrder } from '../support/fixtures/shop.ts'
import { type BuildOptions, type Engine, freshAddress, onEachEngine, token } from '../support/hosts/build.ts'
import { type PrintHost, printHost } from '../support/hosts/print.ts'

type Name = 'onOptionsChanged' | 'onMetaChanged' | 'onOrderCreated' | 'onPrintJobChanged'
type Trigger = (host: PrintHost) => Promise<{ status: number }>

/** For each listener a request that triggers it. */
const occasions: Record<Name, Trigger> = {
  onOptionsChanged: (host) => host.call('PATCH', '/settings', { svc_ae_image_dpi: 200 }),
  onMetaChanged: async (host) => {
    await createShop(host)
    const meta: [string, string][] = [['_svc_data', '{"product":[]}']]
    const { id, items } = await shopOrder(host, 'posts', { items: [{ meta }] })
    return host.call('PATCH', `/orders/${id}`, { item_id: items[0], order: { product: [1] } })
  },
  onOrderCreated: (host) => host.call('POST', '/shortcode-orders', { views: [{ elements: [] }] }),
  onPrintJobChanged: async (host) => host.notify((await host.newJob()).guid),
}
const names = Object.keys(occasions) as Name[]

interface Line {
  msg: string
  err?: { message?: string }
}

async function hostWith(t: Test, engine: Engine, listeners: Partial<SvcContextOptions>) {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const options: BuildOptions = { engine, server: { logger: { level: 'error', stream } }, ...listeners }
  return { host: await printHost(t, options as Parameters<typeof printHost>[1]), lines }
}

t.test('the response of a write waits for the listener, which finds the write committed', (t) =>
  onEachEngine(t, async (t, engine) => {
    for (const name of names) {
      const steps: string[] = []
      const { host, lines } = await hostWith(t, engine, {
        [name]: async () => {
          // Inside the transaction this would deadlock.
          await storeOption(host, 'svc_seen_by_listener', name)
          await delay(20)
          steps.push('told')
        },
      })
      t.match((await occasions[name](host)).status, /^20[01]$/, name)
      steps.push('responded')
      t.strictSame(steps, ['told', 'responded'], name)
      t.strictSame(lines, [])
    }
  }),
)

const failures: Record<string, () => unknown> = {
  'throws at once': () => {
    throw new Error('The cache is down.')
  },
  rejects: async () => {
    await delay(5)
    throw new Error('The cache is down.')
  },
  'rejects without a reason': () => Promise.reject(),
  'gives back what only looks like a promise': () => ({
    // biome-ignore lint/suspicious/noThenProperty: this is what the test is about
    get then() {
      throw new Error('The cache is down.')
    },
  }),
}

for (const [failure, listener] of Object.entries(failures)) {
  t.test(`a listener that ${failure} is logged, and changes nothing`, async (t) => {
    for (const name of names) {
      const { host, lines } = await hostWith(t, 'SQLite', { [name]: listener })
      t.match((await occasions[name](host)).status, /^20[01]$/, name)
      t.strictSame(
        lines.map(({ msg }) => msg),
        [`The listener ${name} failed.`],
      )
      t.equal((await host.call('GET', '/system')).status, 200)
    }
  })
}

t.test(
  'the API waits two seconds for a listener that does not finish, and the listener may still fail later',
  async (t) => {
    const later = Promise.withResolvers<void>()
    await Promise.all(
      names.map(async (name) => {
        const { host, lines } = await hostWith(t, 'SQLite', { [name]: () => later.promise })
        const started = performance.now()
        t.match((await occasions[name](host)).status, /^20[01]$/, name)
        t.ok(performance.now() - started > 1000, 'it was waited for')
        t.match(lines, [{ msg: new RegExp(`^The listener ${name} did not finish within \\d+ ms`) }])
      }),
    )
    later.reject(new Error('The cache is down.'))
    await delay(10)
  },
)

t.test('a slow listener does not delay later writes of the same option', async (t) => {
  const [gate, called] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let told = 0
  const { host } = await hostWith(t, 'SQLite', {
    onOptionsChanged: () => {
      called.resolve()
      return told++ === 0 ? gate.promise : undefined
    },
  })
  const create = (text: string) => host.call('POST', '/text-templates', { text })
  let isAnswered = false
  const first = create('one').finally(() => {
    isAnswered = true
  })
  await Promise.race([called.promise, first])
  t.equal((await create('two')).status, 201)
  t.notOk(isAnswered)
  gate.resolve()
  t.equal((await first).status, 201)
})

t.test('what a listener writes elsewhere is not part of the request that triggered it', async (t) => {
  const elsewhere = await freshAddress(t, 'SQLite')
  await migrate({ database: elsewhere })
  const { host, lines } = await hostWith(t, 'SQLite', {
    onOrderCreated: () => ensureToken({ database: elsewhere, token }),
  })
  const order = { views: [{ elements: [] }] }
  const response = await host.call('POST', '/shortcode-orders', order, { 'idempotency-key': 'a' })
  t.equal(response.status, 201)
  t.strictSame(lines, [])
  t.equal(await ensureToken({ database: elsewhere }), token)
})

t.test(
  'ensureToken and migrate notify the listener of the rows that they write, and survive its errors',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const database = await freshAddress(t, engine)
      const heard: string[][] = []
      const warnings: Error[] = []
      const warned = (warning: Error) => warning.name === 'SvcApiWarning' && warnings.push(warning)
      process.on('warning', warned)
      t.teardown(() => process.off('warning', warned))
      const onOptionsChanged = async (keys: string[]) => {
        heard.push(keys)
        await delay(1)
        throw new Error('The cache is down.')
      }
      await migrate({ database, onOptionsChanged })
      t.strictSame(heard, [], 'nothing was written into options yet')
      const made = await ensureToken({ database, onOptionsChanged })
      await ensureToken({ database, onOptionsChanged })
      await ensureToken({ database, token, onOptionsChanged })
      t.not(made, token)
      t.strictSame(heard, [['svc_api_token'], ['svc_api_token']], 'what is there already is no change')

      const { host } = await hostWith(t, engine, {})
      await storeOption(host, 'svc_pr_groups', '[{"name":"Rule","data":{}}]')
      await migrate({ database: host.address, dryRun: true, onOptionsChanged })
      t.equal(heard.length, 2)
      await migrate({ database: host.address, onOptionsChanged })
      await migrate({ database: host.address, onOptionsChanged })
      t.strictSame(heard.slice(2), [['svc_imported']])
      await delay(10)
      t.equal(warnings.length, 3)
      t.match(warnings[0]?.message, /onOptionsChanged failed.*The cache is down/)
    }),
)

t.test('startup that imports legacy rows notifies the listener', async (t) => {
  const { host } = await hostWith(t, 'SQLite', {})
  await storeOption(host, 'svc_pr_groups', '[{"name":"Rule","data":{}}]')
  const heard: string[][] = []
  await printHost(t, { address: host.address, onOptionsChanged: (keys) => heard.push(keys) })
  t.strictSame(heard, [['svc_imported']])
})
