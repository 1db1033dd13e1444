// Kills processes that write and deliver, again and again, while the receiver fails, hangs and responds too late.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Test } from 'tap'
import { auditEntries } from '../../../plugins/index.ts'
import { build, type Engine, token } from '../hosts/build.ts'
import { create, eventually, type Received, receiver, retryNow, statesOf } from '../hosts/webhooks.ts'
import type { OutboxTask } from './outbox-worker.ts'

export interface OutboxReport {
  kills: number
  /** Committed changes, and those of them whose request got its response. */
  changes: number
  acknowledged: number
  deliveries: number
  /** Deliveries beyond the first of an event. */
  doubles: number
}

const between = (least: number, most: number) => least + Math.random() * (most - least)

/** Two processes at a time; each is killed at a random moment and replaced. */
export async function outboxKills(t: Test, engine: Engine, kills: number): Promise<OutboxReport> {
  let isHealthy = false
  /** Events for which the receiver has responded with success in time. */
  const succeeded = new Set<string>()
  const early: string[] = []
  const hook = await receiver(t, async (response, event) => {
    const earlier = hook.received.filter(
      ({ data, id }) => data.id === event.data.id && id !== event.id && !succeeded.has(id),
    )
    // Whatever arrived before about the same product must have arrived successfully.
    if (!succeeded.has(event.id) && earlier.length > 0) early.push(event.id)
    const dice = isHealthy ? 0 : Math.random()
    if (dice > 0.9) return
    if (dice > 0.75) await new Promise((over) => setTimeout(over, 1500))
    else if (dice > 0.6) return response.writeHead(503).end()
    else succeeded.add(event.id)
    response.writeHead(204).end()
  })
  const host = await build(t, { engine })
  const products: number[] = []
  for (let i = 0; i < 10; i++) products.push(await create(host, `P${i}`))
  const acknowledged = new Set<string>()
  const running = new Set<ChildProcess>()
  t.teardown(() => {
    for (const child of running) child.kill('SIGKILL')
  })

  async function start(name: string): Promise<ChildProcess> {
    const { address } = host
    const task: OutboxTask = { address, token, endpoint: hook.endpoint, products, name }
    const child = fork(join(import.meta.dirname, 'outbox-worker.ts'), [JSON.stringify(task)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    running.add(child)
    child.once('exit', () => running.delete(child))
    child.on('message', (message: { acknowledged?: string }) => {
      if (message.acknowledged !== undefined) acknowledged.add(message.acknowledged)
    })
    await once(child, 'message')
    return child
  }

  async function end(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** Resolves after so many writes of the process, or after ten seconds. */
  async function writes(child: ChildProcess, count: number): Promise<void> {
    const enough = AbortSignal.timeout(10_000)
    for (let left = count; left > 0; left--) await once(child, 'message', { signal: enough }).catch(() => {})
  }

  /** Lives and dies until enough processes were killed. */
  let killed = 0
  async function lane(name: string): Promise<void> {
    while (killed < kills) {
      killed++
      const child = await start(`${name}${killed}`)
      await writes(child, Math.floor(between(0, 5)))
      await new Promise((over) => setTimeout(over, between(0, 150)))
      await end(child)
    }
  }
  // Only the pauses are cut short, never a lease.
  const hurry = setInterval(() => retryNow(host).catch(() => {}), 500)
  t.teardown(() => clearInterval(hurry))
  await Promise.all([lane('a'), lane('b')])

  isHealthy = true
  const last = await build(t, { engine, address: host.address, webhooks: [hook.endpoint], audit: true })
  await eventually(async () => (await statesOf(host)).every((state) => state === 'delivered'), 100_000)
  await last.app.close()

  await compare(t, host, hook.received, acknowledged)
  t.same(early, [], 'no event overtook an earlier one about the same product')
  const ids = new Set(hook.received.map(({ id }) => id))
  return {
    kills: killed,
    changes: ids.size,
    acknowledged: acknowledged.size,
    deliveries: hook.received.length,
    doubles: hook.received.length - ids.size,
  }
}

/** Committed changes, responses, products and what arrived must agree. */
async function compare(
  t: Test,
  { address, db, t: names }: Awaited<ReturnType<typeof build>>,
  received: readonly Received[],
  acknowledged: ReadonlySet<string>,
): Promise<void> {
  const titleOf = ({ data }: Received) => String(data.request_id)
  const entries = (await auditEntries({ database: address, limit: 10_000 })).reverse()
  const committed = entries.map(({ request_id }) => String(request_id))
  const arrived = new Map(received.map((event) => [titleOf(event), event]))
  t.same(
    committed.filter((title) => !arrived.has(title)),
    [],
    'no event of a committed change is lost',
  )
  t.same(
    [...arrived.keys()].filter((title) => !committed.includes(title)),
    [],
    'no event is invented',
  )
  t.same(
    [...acknowledged].filter((title) => !arrived.has(title)),
    [],
    'what a client knows as done has arrived',
  )
  const byTitle = Map.groupBy(received, titleOf)
  t.ok(
    [...byTitle.values()].every((events) => new Set(events.map(({ id }) => id)).size === 1),
    'doubles carry the same id',
  )
  for (const row of await db.selectFrom(names.products).select(['ID', 'title']).execute()) {
    const own = entries.filter(({ id }) => id === row.ID).map(({ request_id }) => request_id)
    const inOrder = [...new Set(received.filter(({ data }) => data.id === row.ID).map(titleOf))]
    t.same(inOrder, own, `the events of product ${row.ID} arrive in the order of its changes`)
    if (own.length > 0) t.equal(row.title, own.at(-1), 'the last one announces what is stored')
  }
}
