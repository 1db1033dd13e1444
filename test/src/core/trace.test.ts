// What listeners on the diagnostics channels are told, and what they are not.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t, { type Test } from 'tap'
import type { OutboundSpan, SqlSpan, StorageSpan } from '../../../src/core/trace.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'

/** Everything that is told on a channel until the test ends. */
function listen<Span>(t: Test, channel: string): Span[] {
  const spans: Span[] = []
  const listener = (span: unknown) => spans.push(span as Span)
  subscribe(channel, listener)
  t.teardown(() => unsubscribe(channel, listener))
  return spans
}

t.test('tracer: every statement of a request is told to listeners, without its values', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call } = await build(t, { engine })
    const spans = listen<SqlSpan>(t, 'svc-api:sql')
    await call('POST', '/categories', { title: 'A very secret title' })
    const own = spans.filter((span) => span.engine === (engine === 'SQLite' ? 'sqlite' : 'mysql'))
    t.ok(own.some(({ statement }) => /^insert into .wp_svc_categories/.test(statement)))
    t.ok(own.every(({ milliseconds }) => milliseconds >= 0))
    t.notOk(JSON.stringify(spans).includes('secret'))
  }),
)

t.test('tracer: a print file is told as a call to its server and an operation of the storage', async (t) => {
  const host = await printHost(t)
  const calls = listen<OutboundSpan>(t, 'svc-api:outbound')
  const operations = listen<StorageSpan>(t, 'svc-api:storage')
  await host.notify((await host.newJob()).guid, { file_url: `${host.router.url}/x.pdf?secret=1` })
  const [file = ''] = host.stored()
  t.match(calls, [
    { purpose: 'print-file', method: 'GET', origin: host.router.url, milliseconds: Number, error: undefined },
  ])
  t.notOk(JSON.stringify(calls).includes('secret'))
  t.match(
    operations.filter(({ operation }) => operation === 'put'),
    [{ key: file, milliseconds: Number, error: undefined }],
  )
})

t.test('tracer: a call that fails is told with the code of its failure', async (t) => {
  const host = await printHost(t, {}, (request) => request.socket.destroy())
  const calls = listen<OutboundSpan>(t, 'svc-api:outbound')
  await host.notify((await host.newJob()).guid, { file_url: `${host.router.url}/x.pdf` })
  t.match(calls, [{ purpose: 'print-file', error: 'ECONNRESET' }])
})
