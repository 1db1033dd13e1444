// The options about changes: which are accepted, and what an endpoint wants.
import t from 'tap'
import '../../../plugins/index.ts'
import { endpointsOf } from '../../../src/changes/endpoints.ts'
import { changeOptions } from '../../../src/changes/options.ts'
import { auditQuery, webhookQuery } from '../../../src/changes/queries.ts'
import { checkOptions, optionsObject } from '../../../src/core/check-options.ts'
import { webhookSecret as secret } from '../../support/hosts/webhooks.ts'

const options = optionsObject(changeOptions, 'be an object')
const url = 'https://erp.example/svc'
const hook = (more: object) => () => checkOptions(options, { webhooks: [{ url, secret, ...more }] })

t.test('a type names a resource and what became of it, or all of either', async (t) => {
  for (const type of [
    'product.created',
    'product.updated',
    'product.deleted',
    'product.*',
    '*.deleted',
    '*.*',
  ])
    t.doesNotThrow(hook({ events: [type] }), type)
  t.doesNotThrow(hook({ events: ['named_token.created'] }))
  for (const type of [
    'product',
    'product.',
    '.created',
    'products.created',
    'product.made',
    'product.*.x',
    '*',
    5,
  ])
    t.throws(hook({ events: [type] }), /events\[0\]: must be a type such as/, String(type))
  t.throws(hook({ events: [] }), /events: must be an array of types/)
})

t.test('an endpoint wants what one of its types matches, and without types all', async (t) => {
  const wanted = (events?: string[]) => {
    const [endpoint] = endpointsOf([{ url, secret, ...(events && { events }) }])
    return ['product.created', 'product.deleted', 'view.created', 'view.deleted'].filter(
      endpoint?.wants ?? (() => false),
    )
  }
  t.same(wanted(), ['product.created', 'product.deleted', 'view.created', 'view.deleted'])
  t.same(wanted(['product.*']), ['product.created', 'product.deleted'])
  t.same(wanted(['*.deleted']), ['product.deleted', 'view.deleted'])
  t.same(wanted(['view.created', 'product.deleted']), ['product.deleted', 'view.created'])
  t.same(wanted(['view.updated']), [])
})

t.test('numbers have their bounds', async (t) => {
  for (const seconds of [0.1, 1, 60]) t.doesNotThrow(hook({ seconds }))
  for (const seconds of [0, 60.1, -1]) t.throws(hook({ seconds }), /seconds: must be a number of seconds/)
  const audit = (keepDays: number) => () => checkOptions(options, { audit: { keepDays } })
  for (const days of [1, 36_500]) t.doesNotThrow(audit(days))
  for (const days of [0, 36_501, 1.5]) t.throws(audit(days), /keepDays: must be a number of days/)
  for (const query of [auditQuery, webhookQuery]) {
    const limited = (limit: number) => () => checkOptions(query, { database: 'sqlite:x', limit })
    for (const limit of [1, 10_000]) t.doesNotThrow(limited(limit))
    for (const limit of [0, 10_001]) t.throws(limited(limit), /limit: must be a number of rows/)
  }
})

t.test('conditions of the audit trail are of their types, and may be undefined', async (t) => {
  const query = (more: object) => () => checkOptions(auditQuery, { database: 'sqlite:x', ...more })
  for (const more of [{ id: 7 }, { id: 'a.png' }, { since: new Date() }, { resource: 'product' }])
    t.doesNotThrow(query(more))
  t.doesNotThrow(query({ id: undefined, since: undefined, resource: undefined, limit: undefined }))
  t.throws(query({ id: 7.5 }), /id: must be an id/)
  t.throws(query({ since: new Date('never') }), /since: must be a valid Date/)
  t.throws(query({ since: '2026-01-01' }), /since: must be a valid Date/)
  t.throws(query({ resource: 'products' }), /resource: must be what events are about/)
})

t.test('an endpoint is known by its URL, sent to by https, and waited for 15 seconds', async (t) => {
  const internal = { url: 'http://10.0.0.1/a', secret: [secret, secret], allowInternal: true, seconds: 2 }
  const [one, two] = endpointsOf([{ url, secret }, internal])
  t.match(one, { id: /^[0-9a-f]{32}$/, isTrusted: false, milliseconds: 15_000 })
  t.equal(one?.url.href, url)
  t.match(two, { id: /^[0-9a-f]{32}$/, isTrusted: true, milliseconds: 2000 })
  t.same([one?.secrets.length, two?.secrets.length], [1, 2])
  t.not(one?.id, two?.id)
  t.throws(
    () => endpointsOf([{ url, secret }, internal, { url, secret }]),
    /^webhooks\[2\]\.url: must differ/,
  )
  const insecure = [
    { url, secret },
    { url: 'http://erp.example/', secret },
  ]
  t.throws(() => endpointsOf(insecure), /^webhooks\[1\]\.url: must be an https URL, unless/)
  t.throws(() => endpointsOf([{ url, secret: [secret, 'short'] }]), /^webhooks\[0\]\.secret/)
})
