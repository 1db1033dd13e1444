// What becomes of the changes that repositories note.
import t from 'tap'
import {
  changesOf,
  currentAuthor,
  type NotedChange,
  noteChange,
  onBehalfOf,
  reporting,
  reportingAs,
} from '../../../src/core/change.ts'

const author = {
  operation: 'update_product',
  principal: { kind: 'token', name: 'erp' },
  request_id: 'r1',
} as const
const updated: NotedChange = { resource: 'product', action: 'updated', id: 5, before: 'aa', after: 'bb' }
const tagsOf = (change: NotedChange) =>
  changesOf([change]).map(({ before_etag, after_etag }) => [before_etag, after_etag])

t.test('noteChange: adds to the changes of its transaction, if something consumes changes', (t) => {
  const noted: NotedChange[] = []
  noteChange({ noted: undefined }, updated)
  noteChange({ noted }, updated)
  t.strictSame(noted, [updated])
  t.strictSame(changesOf([]), [])
  t.end()
})

t.test('noteChange: a change names its author; without one it is upkeep', (t) => {
  const tags = { before_etag: '"aa"', after_etag: '"bb"' }
  const about = { resource: 'product', action: 'updated', id: 5 }
  const [own] = onBehalfOf({ ...author, waits: [] }, () => changesOf([updated]))
  t.strictSame(own, { ...author, ...about, ...tags })
  const nobody = { operation: 'upkeep', principal: null, request_id: null }
  t.strictSame(changesOf([updated]), [{ ...nobody, ...about, ...tags }])
  t.end()
})

t.test('noteChange: what was written as it was is no change, and what was deleted has no state', (t) => {
  t.strictSame(tagsOf({ ...updated, after: 'aa' }), [])
  t.strictSame(tagsOf({ ...updated, action: 'created', after: 'aa' }), [['"aa"', '"aa"']])
  t.strictSame(tagsOf({ ...updated, action: 'deleted' }), [['"aa"', null]])
  const { before: _, after: __, ...unread } = updated
  t.strictSame(tagsOf(unread), [[null, null]])
  t.end()
})

t.test('noteChange: whoever reports waits for the reports, even after a failure', async (t) => {
  const order: string[] = []
  const report = async () => {
    await new Promise(setImmediate)
    order.push('reported')
  }
  const failing = reporting(author, async () => {
    t.match(currentAuthor(), author)
    currentAuthor()?.waits.push(report())
    throw new Error('Broken.')
  })
  await t.rejects(failing, { message: 'Broken.' })
  t.strictSame(order, ['reported'])
  const operation = await reportingAs('purge', async () => currentAuthor())
  t.match(operation, { operation: 'purge', principal: null, request_id: null })
  t.equal(currentAuthor(), undefined)
})
