// A remote storage that responds too late: nobody waits for it, and what it gives then ends nothing.
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { guarded } from '../../../src/storage/guarded.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'

t.test(
  'open: a stream that arrives after the time is closed, and its failure does not end the process',
  async (t) => {
    const late = new Readable({ read: () => {} })
    const slow = { ...memoryStorage(), open: () => delay(50, late) }
    const opened = within(260, () => guarded(slow).open('a/b.pdf'))
    await t.rejects(opened, { code: 'svc_storage_unavailable' })
    await delay(100)
    t.equal(late.destroyed, true)
    late.emit('error', new Error('The connection was reset.'))
  },
)

t.test('open: a stream that stops in the middle fails after 15 seconds, and is closed', async (t) => {
  const half = new Readable({ read: () => {} })
  half.push('half')
  const stream = await guarded({ ...memoryStorage(), open: async () => half }).open('a/b.pdf')
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const chunks = stream[Symbol.asyncIterator]()
  t.equal(String((await chunks.next()).value), 'half')
  const next = chunks.next()
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
  mock.timers.tick(15_000)
  await t.rejects(next, { code: 'svc_storage_unavailable' })
  t.equal(half.destroyed, true)
})

t.test('open: a stream is read to its end, and closed with it', async (t) => {
  const whole = Readable.from(['a', 'b', 'c'].map(Buffer.from))
  t.equal(await text(await guarded({ ...memoryStorage(), open: async () => whole }).open('a/b.pdf')), 'abc')
  t.equal(whole.destroyed, true)
})

t.test('open: a stream that nobody reads may fail, and is closed with its reader', async (t) => {
  const [failing, unread] = [new Readable({ read: () => {} }), new Readable({ read: () => {} })]
  const opened = (stream: Readable) =>
    guarded({ ...memoryStorage(), open: async () => stream }).open('a/b.pdf')
  const first = await opened(failing)
  const failed = new Promise((resolve) => first.once('error', resolve))
  failing.destroy(new Error('The connection was reset.'))
  t.match(await failed, { message: 'The connection was reset.' })
  const second = await opened(unread)
  second.destroy()
  await new Promise((resolve) => second.once('close', resolve))
  t.equal(unread.destroyed, true)
})
