import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import t from 'tap'
import type { SqlSpan } from '../../../src/db/trace.ts'
import { build, onEachEngine } from '../../support/build.ts'

t.test('every statement of a request is told to listeners, without its values', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { call } = await build(t, { engine })
    const spans: SqlSpan[] = []
    const listener = (span: unknown) => spans.push(span as SqlSpan)
    subscribe('svc-api:sql', listener)
    t.teardown(() => unsubscribe('svc-api:sql', listener))
    await call('POST', '/categories', { title: 'A very secret title' })
    const own = spans.filter((span) => span.engine === (engine === 'SQLite' ? 'sqlite' : 'mysql'))
    t.ok(own.some(({ statement }) => /^insert into .wp_svc_categories/.test(statement)))
    t.ok(own.every(({ milliseconds }) => milliseconds >= 0))
    t.notOk(JSON.stringify(spans).includes('secret'))
  }),
)
