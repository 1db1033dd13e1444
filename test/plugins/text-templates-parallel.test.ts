// Text templates with independent writers: requests in two processes, and PHP.
import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import t from 'tap'
import { connect, databaseOn } from '../../src/db/connect.ts'
import { textTemplatesRepository } from '../../src/library/text-templates.ts'
import { optionsStore } from '../../src/settings/option-rows.ts'
import { storeOption } from '../support/fixtures/rows.ts'
import { build, onEachEngine, token } from '../support/hosts/build.ts'
import { storedOption } from '../support/hosts/options.ts'
import { servingPeers } from '../support/hosts/process.ts'

const path = '/text-templates'
const key = 'svc_text_templates'

t.test('of 100 parallel appends from two processes, each acknowledged one is there, and no other', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const [peer] = await servingPeers(t, host.address, token, 1)
    const append = (who: string) => (_: unknown, number: number) => ({
      method: 'POST',
      path,
      body: { text: `${who} ${number}` },
    })
    const [theirs, ...ours] = await Promise.all([
      peer?.requests(Array.from({ length: 50 }, append('there'))),
      ...Array.from({ length: 50 }, append('here')).map((one) => host.call(one.method, one.path, one.body)),
    ])
    const responses = [...(theirs ?? []), ...ours]
    // On a busy machine a writer may give up after its retries.
    t.ok(responses.every(({ status }) => status === 201 || status === 503))
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body.data)
    t.ok(made.length > 0)
    const { body } = await host.call('GET', path)
    const stored = new Map<number, string>(
      body.data.map(({ index, text }: { index: number; text: string }) => [index, text]),
    )
    for (const { index, text } of made) t.equal(stored.get(index), text)
    // Others may have been saved if the database did not confirm them.
    const unknown = responses.filter(({ body }) => body.data?.outcome === 'unknown')
    t.ok(stored.size - made.length <= unknown.length, `${stored.size} stored, ${made.length} acknowledged`)
  }),
)

t.test('what PHP writes between our read and our write is not overwritten', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, key, '[{"text":"ours"}]')
    const database = await databaseOn(host.connection)
    const php = await connect({ database: host.address })
    t.teardown(() => php.close())
    let reads = 0
    const barrier: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      // Runs between the result of our query and its use.
      async transformResult({ result }) {
        if (++reads === 1) await storeOption({ ...host, ...php }, key, '[{"text":"by PHP"}]')
        return result
      },
    }
    const changed: string[][] = []
    const store = optionsStore({ ...database, db: database.db.withPlugin(barrier) }, (keys) =>
      changed.push(keys),
    )
    const found = await textTemplatesRepository(store, database.encoder, 'wp_options').create({
      text: 'appended',
    })
    t.equal(found.id, 1)
    t.match(JSON.parse((await storedOption(host, key)) ?? ''), [{ text: 'by PHP' }, { text: 'appended' }])
    t.strictSame(changed, [[key]], 'the host hears of it once, after the write')
  }),
)

t.test('an append with an Idempotency-Key runs once, even when it is sent concurrently', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('POST', path, { text: 'first' })
    const append = () => host.call('POST', path, { text: 'once' }, { 'idempotency-key': 'k' })
    const responses = await Promise.all(Array.from({ length: 5 }, append))
    t.ok(responses.every(({ status }) => status === 201 || status === 409))
    const again = await append()
    t.match(
      [again.status, again.headers['idempotency-replayed'], again.body.data],
      [201, 'true', { index: 1, text: 'once' }],
    )
    t.equal((await host.call('GET', path)).body.meta.total, 2)
  }),
)

/** Requests of three concurrent clients; `apply` returns the new list, or the old one where the request is refused. */
type Model = string[]
interface Operation {
  method: string
  path: string
  body?: unknown
  apply(list: Model): Model
}

const word = fc.stringMatching(/^[a-z]{1,6}$/)
const position = fc.nat({ max: 4 })
const operation: fc.Arbitrary<Operation> = fc.oneof(
  word.map((text) => ({ method: 'POST', path, body: { text }, apply: (list: Model) => [...list, text] })),
  fc.tuple(position, word).map(([index, text]) => ({
    method: 'PATCH',
    path: `${path}/${index}`,
    body: { text },
    apply: (list: Model) => (index < list.length ? list.with(index, text) : list),
  })),
  position.map((index) => ({
    method: 'DELETE',
    path: `${path}/${index}`,
    apply: (list: Model) => list.toSpliced(index, 1),
  })),
  fc.array(word, { maxLength: 4 }).map((texts) => ({
    method: 'PUT',
    path,
    body: { templates: texts.map((text) => ({ text })) },
    apply: () => texts,
  })),
)

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

t.test('concurrent requests of three clients leave a list that some sequential order explains', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const property = fc.asyncProperty(
      fc.array(word, { maxLength: 4 }),
      fc.tuple(operation, operation, operation),
      async (start, operations) => {
        await host.call('PUT', path, { templates: start.map((text) => ({ text })) })
        await Promise.all(operations.map((one) => host.call(one.method, one.path, one.body)))
        const { data } = (await host.call('GET', path)).body
        const end = JSON.stringify(data.map(({ text }: { text: string }) => text))
        return orders.some(
          (order) =>
            JSON.stringify(order.reduce((list, at) => operations[at]?.apply(list) ?? list, start)) === end,
        )
      },
    )
    await fc.assert(property, { numRuns: 40 })
  }),
)
