// Importing a helper changes nothing global; only a call does.
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'

const support = resolve(import.meta.dirname, '../support')
/** These are entry points of processes, which start to work when they are loaded. */
const programs =
  /(?:^|\/)(?:auto-print-worker|lock-holder|odd-worker|outbox-worker|peer|print-worker|push-worker|run|serving|shifted-clock|step-worker|upload-host|watched-host|without-domains)\.ts$/

/** Registries that libraries keep for all their copies. */
const ofLibraries = new Set(['__core-js_shared__', '__zod_globalConfig', '__zod_globalRegistry', 'awslambda'])

t.test('no helper changes a global when it is imported', async (t) => {
  const names = Object.getOwnPropertyNames(globalThis)
  const { now } = performance
  const { fetch, setTimeout, Date: date } = globalThis
  for (const file of globSync('{*,!(render)/*}.ts', { cwd: support }).filter((name) => !programs.test(name)))
    await import(`../support/${file}`)
  const added = Object.getOwnPropertyNames(globalThis).filter((name) => !names.includes(name))
  t.strictSame(
    added.filter((name) => !ofLibraries.has(name)),
    [],
  )
  t.equal(performance.now, now)
  t.same([globalThis.fetch, globalThis.setTimeout, globalThis.Date], [fetch, setTimeout, date])
})

t.test('passSecond advances the monotonic clock', async (t) => {
  const { passSecond } = await import('../support/fixtures/clock.ts')
  const before = performance.now()
  passSecond()
  passSecond()
  const passed = performance.now() - before
  t.ok(passed >= 2000 && passed < 12_000)
})
