// A check in its thread: whatever happens to it, the next one works.
import t from 'tap'
import { fileChecks } from '../../../src/files/accept.ts'
import { FileCheckFailed, FileRejected } from '../../../src/files/rejected.ts'
import { thread } from '../../../src/files/thread.ts'
import { pdf, pdfStream } from '../../support/make-pdf.ts'

const ODD = new URL('../../support/odd-worker.ts', import.meta.url)
const file = { read: async () => Buffer.from('four') }

t.test('if the thread dies, the check fails as retryable, and the next check runs', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  for (const end of ['exit', 'fail']) {
    await t.rejects(odd.run(end, file), FileCheckFailed, end)
    t.equal(await odd.run('length', file), 4)
  }
})

t.test('a thread that cannot start is no fault of the file', async (t) => {
  const missing = thread(new URL('../../support/no-such-worker.ts', import.meta.url))
  t.teardown(() => missing.close())
  const error: unknown = await missing.run('length', file).catch((each) => each)
  t.match(error, { statusCode: 503, cause: { message: /no-such-worker/ } })
})

t.test(
  'a check that the file broke refuses it, with a sentence that says nothing of the inside',
  async (t) => {
    const odd = thread(ODD)
    t.teardown(() => odd.close())
    for (const end of ['throw', 'break']) {
      const error: Error = await odd.run(end, file).then(
        () => new Error('passed'),
        (each) => each,
      )
      t.match(
        error,
        { statusCode: 422, message: 'The file has an unexpected structure and cannot be checked.' },
        end,
      )
      t.match(error.cause, { message: /a fault/, stack: /odd-worker/ }, 'the log is told')
      t.equal(await odd.run('length', file), 4)
    }
  },
)

t.test('files that crash a check are rejected, and the message reveals nothing of the crash', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const percents = Buffer.alloc(8_000_000, '%')
  const within = (start: string, end: string) =>
    Buffer.concat([Buffer.from(start), percents, Buffer.from(end)])
  const files: Record<string, Buffer> = {
    'a.svg': within('<svg xmlns="http://www.w3.org/2000/svg"><a href="', '"/></svg>'),
    'a.pdf': within('%PDF-1.7\n1 0 obj << /A ', '>>\nstartxref\n%%EOF'),
    'a.png': within('\x89PNG\r\n\x1a\n', ''),
    'a.jpg': within('\xff\xd8\xff', ''),
  }
  for (const [name, bytes] of Object.entries(files)) {
    const error = await checks.asset({ name, read: async () => bytes }).catch((each) => each)
    t.match(error, { statusCode: 422 }, name)
    t.notMatch(error.message, /\bat |\/|Error/, name)
  }
})

t.test('a check that takes too much CPU time is terminated long before the deadline', async (t) => {
  const odd = thread(ODD, { cpuTime: 100 })
  t.teardown(() => odd.close())
  await t.rejects(odd.run('begin and loop', file), new FileRejected('The file takes too long to check.'))
  t.equal(await odd.run('length', file), 4)
})

t.test('large files are transferred to the thread and back without being copied', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const bytes = new Uint8Array(pdf({ objects: [pdfStream('', Buffer.alloc(100_000))] }))
  const { length } = bytes
  const accepted = await checks.asset({ name: 'a.pdf', read: async () => bytes })
  t.equal(bytes.length, 0, 'it has gone over')
  t.equal(accepted.bytes.length, length)
})

t.test(
  'after so many bytes and after a while without a file the thread ends, and a new one starts',
  async (t) => {
    let started = 0
    const count = () => started++
    process.on('worker', count)
    t.teardown(() => process.off('worker', count))
    const busy = thread(ODD, { recycle: 10 })
    t.teardown(() => busy.close())
    for (let sent = 0; sent < 5; sent++) await busy.run('length', file)
    t.equal(started, 2, 'four bytes each')
    const idle = thread(ODD, { idle: 1 })
    t.teardown(() => idle.close())
    await idle.run('length', file)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await idle.run('length', file)
    t.equal(started, 4)
  },
)

t.test('a check that does not end is terminated and the file rejected', async (t) => {
  const odd = thread(ODD, { deadline: 2000 })
  t.teardown(() => odd.close())
  const [looping, waiting] = [odd.run('loop', file), odd.run('length', file)]
  await t.rejects(looping, new FileRejected('The file takes too long to check.'))
  t.equal(await waiting, 4)
})

t.test('a check that takes too much memory is terminated and the file rejected', async (t) => {
  const odd = thread(ODD, { heap: 32 })
  t.teardown(() => odd.close())
  await t.rejects(odd.run('memory', file), new FileRejected('The file takes too much memory to check.'))
  t.equal(await odd.run('length', file), 4)
})

t.test('files wait for their turn before they are read', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  let reading = 0
  let most = 0
  const slow = async () => {
    most = Math.max(most, ++reading)
    await new Promise((resolve) => setImmediate(resolve))
    reading--
    return Buffer.from('four')
  }
  await Promise.all(Array.from({ length: 5 }, () => odd.run('length', { read: slow })))
  t.equal(most, 1)
})

t.test('a file that cannot be read fails its own check only', async (t) => {
  const odd = thread(ODD)
  t.teardown(() => odd.close())
  await t.rejects(odd.run('length', { read: () => Promise.reject(new Error('gone')) }), /gone/)
  t.equal(await odd.run('length', file), 4)
})

t.test(
  'the sanitiser killed in the middle of a drawing fails that one, and the next drawing is taken',
  async (t) => {
    const checks = fileChecks()
    t.teardown(() => checks.close())
    const open = '<svg xmlns="http://www.w3.org/2000/svg">'
    const upload = (content: string) => ({
      name: 'a.svg',
      read: async () => Buffer.from(`${open}${content}</svg>`),
    })
    process.once('worker', (worker) => worker.once('online', () => worker.terminate()))
    await t.rejects(checks.asset(upload('<rect/>'.repeat(20_000))), FileCheckFailed)
    t.match(await checks.asset(upload('<rect/>')), { type: 'svg' })
  },
)
