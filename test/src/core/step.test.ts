// A step of print work ends by its deadline, whatever its work does.
import { setImmediate, setTimeout } from 'node:timers/promises'
import t from 'tap'
import { Abandoned, step, until } from '../../../src/core/step.ts'

const never = () => new Promise<never>(() => {})
const { signal: running } = new AbortController()

t.test('step: work that ends in time gives its result, or its error', async (t) => {
  t.equal(await step({ milliseconds: 10_000, stop: running }, async () => 'done'), 'done')
  const failing = step({ milliseconds: 10_000, stop: running }, () => Promise.reject(new Error('Broken.')))
  await t.rejects(failing, { message: 'Broken.' })
})

t.test('step: a time longer than any timer is no deadline at all', async (t) => {
  for (const milliseconds of [2 ** 31, 2 ** 33, Number.POSITIVE_INFINITY]) {
    const work = async (signal: AbortSignal) => {
      await setTimeout(20)
      return signal.aborted
    }
    t.equal(await step({ milliseconds, stop: running }, work), false)
  }
})

t.test('step: the signal of the work aborts with the reason, and no timer is left', async (t) => {
  const reasonOf = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  await t.rejects(step({ milliseconds: 5, stop: running }, reasonOf), { message: 'The step took too long.' })
  const stop = new AbortController()
  const stopped = step({ milliseconds: 10_000, stop: stop.signal }, reasonOf)
  stop.abort(new Error('Closing.'))
  await t.rejects(stopped, { message: 'Closing.' })
  const begun = await step({ milliseconds: 10_000, stop: stop.signal }, async (signal) => signal.reason)
  t.match(begun, { message: 'Closing.' }, 'a step that begins after the end aborts at once')
  t.notOk(process.getActiveResourcesInfo().includes('Timeout'))
})

t.test(
  'step: work that ignores its signal is abandoned after a second; what it gives later is released',
  async (t) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const released: string[] = []
    const late = (result: string) => released.push(result)
    const begin = performance.now()
    const abandoned = step({ milliseconds: 1, stop: running, late }, () => promise)
    await t.rejects(abandoned, { name: 'Abandoned', cause: { message: 'The step took too long.' } })
    t.ok(performance.now() - begin > 900)
    t.ok(await step({ milliseconds: 1, stop: running }, never).catch((error) => error instanceof Abandoned))
    resolve('file')
    await setImmediate()
    t.strictSame(released, ['file'])
    await step({ milliseconds: 10_000, stop: running, late }, async () => 'in time')
    t.strictSame(released, ['file'])
  },
)

t.test('step: a wait ends with its signal', async (t) => {
  const stop = new AbortController()
  t.equal(await until(stop.signal, Promise.resolve(1)), 1)
  const waiting = until(stop.signal, never())
  stop.abort(new Error('Closing.'))
  await t.rejects(waiting, { message: 'Closing.' })
  await t.rejects(until(stop.signal, never()), { message: 'Closing.' })
})

t.test('step: work that throws at once rejects, and leaves no timer that rejects later', async (t) => {
  const thrown = step({ milliseconds: 5, stop: running }, () => {
    throw new Error('Broken.')
  })
  await t.rejects(thrown, { message: 'Broken.' })
  t.notOk(process.getActiveResourcesInfo().includes('Timeout'))
})
