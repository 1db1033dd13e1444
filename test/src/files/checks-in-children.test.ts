// A check in its child process: whatever happens to it, the next one works, and the message tells nothing of the inside.
import t from 'tap'
import { fileChecks } from '../../../src/files/accept.ts'
import { FileCheckFailed, FileRejected } from '../../../src/files/rejected.ts'
import { pdf } from '../../support/fixtures/make-pdf.ts'

const odd = new URL('../../support/hostile/odd-checks.ts', import.meta.url)
const upload = (content: string) => ({ name: 'a.pdf', read: async () => Buffer.from(`%PDF-1.7 ${content}`) })

t.test('a child that is ended by others fails the check as retryable, and the next check runs', async (t) => {
  const checks = fileChecks({ script: odd })
  t.teardown(() => checks.close())
  for (const end of ['exit', 'kill']) {
    await t.rejects(checks.asset(upload(end)), FileCheckFailed, end)
    t.match(await checks.asset(upload('')), { type: 'pdf' })
  }
})

t.test('fileChecks: a child that cannot start is no fault of the file', async (t) => {
  const checks = fileChecks({ script: new URL('../../support/no-such-worker.ts', import.meta.url) })
  t.teardown(() => checks.close())
  const error: unknown = await checks.asset(upload('')).catch((each) => each)
  t.match(error, { statusCode: 503, cause: { message: /no-such-worker/ } })
})

t.test(
  'fileChecks: a check that the file broke refuses it, with a sentence that says nothing of the inside',
  async (t) => {
    const checks = fileChecks({ script: odd })
    t.teardown(() => checks.close())
    for (const end of ['broken', 'crash']) {
      const error: unknown = await checks.asset(upload(end)).catch((each) => each)
      const message = 'The file has an unexpected structure and cannot be checked.'
      t.match(error, { statusCode: 422, message, cause: { message: /\w/ } }, end)
      t.match(await checks.asset(upload('')), { type: 'pdf' })
    }
  },
)

t.test('fileChecks: a check that takes too much time or memory is ended and the file rejected', async (t) => {
  const checks = fileChecks({ script: odd })
  t.teardown(() => checks.close())
  await t.rejects(checks.asset(upload('loop')), new FileRejected('The file takes too long to check.'))
  await t.rejects(
    checks.asset(upload('memory')),
    new FileRejected('The file takes too much memory to check.'),
  )
  t.match(await checks.asset(upload('')), { type: 'pdf' })
})

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

t.test('fileChecks: a file that stays as it is keeps its bytes', async (t) => {
  const checks = fileChecks()
  t.teardown(() => checks.close())
  const bytes = pdf({ objects: ['<< /Type /Page >>'] })
  const accepted = await checks.asset({ name: 'a.pdf', read: async () => bytes })
  t.equal(accepted.bytes, bytes)
})
