// What is written about the provider's order: whole where it fits, always readable by PHP, never cut.
import t from 'tap'
import { phpToJsonText } from '../../../src/db/php-json.ts'
import { readPhp } from '../../../src/db/php-value.ts'
import { orderMeta } from '../../../src/orders/provider-meta-values.ts'

const item = (n: number, more = {}) => ({
  id: n,
  external_id: String(n),
  variant_id: 4012,
  quantity: 1,
  ...more,
})
const utf8mb3 = (text: string) => text.replace(/[\u{10000}-\u{10ffff}\ud800-\udfff]/gu, '\ufffd')
const limits = { maxBytes: 65_535, storable: utf8mb3 }
const read = (order: Record<string, unknown>, maxBytes = limits.maxBytes) => {
  const text = orderMeta(order, { ...limits, maxBytes })._svc_printful_order_data ?? ''
  return { text, value: JSON.parse(phpToJsonText(readPhp(text))) }
}
const url = 'https://www.printful.com/dashboard?order_id=7'

t.test('orderMeta: an order that fits is stored whole', async (t) => {
  const order = {
    id: 7,
    status: 'draft',
    dashboard_url: url,
    costs: { total: '9.95', rate: 0.5 },
    gift: null,
    items: [item(1)],
  }
  t.same(read(order).value, order)
  t.equal(orderMeta(order, limits)._svc_printful_order_dashboard_url, url)
})

t.test('orderMeta: one that does not fit is reduced to what tells it from others, not cut', async (t) => {
  const order = {
    id: 7,
    dashboard_url: url,
    items: Array.from({ length: 50 }, (_, n) => item(n, { note: 'x'.repeat(2000) })),
  }
  const { text, value } = read(order)
  t.ok(Buffer.byteLength(text) <= 65_535)
  t.match(value, { id: 7, dashboard_url: url })
  t.equal(value.items.length, 50)
  t.same(read(order, 1024 * 1024).value, order, 'the meta of a post holds more')
  const many = read({ id: 7, items: Array.from({ length: 2000 }, (_, n) => item(n)) })
  t.same(many.value, { id: 7 })
})

t.test('what PHP or the column cannot hold does not keep the order from being stored', async (t) => {
  t.equal(read({ id: 7, name: 'A 😀 B \ud800' }).value.name, 'A \ufffd B \ufffd')
  t.equal(read({ id: 7, sum: Number.POSITIVE_INFINITY }).value.id, 7)
  const deep: Record<string, unknown> = { id: 7 }
  let inner = deep
  for (let i = 0; i < 5000; i++) {
    inner.next = {}
    inner = inner.next as Record<string, unknown>
  }
  t.equal(read(deep).value.id, 7)
})

t.test('orderMeta: an URL that is none is not written', async (t) => {
  for (const dashboard_url of [
    undefined,
    7,
    '',
    'javascript:alert(1)',
    'https://x y',
    `https://x/${'y'.repeat(2000)}`,
  ]) {
    t.notOk('_svc_printful_order_dashboard_url' in orderMeta({ id: 7, dashboard_url }, limits))
  }
})
