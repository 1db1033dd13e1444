// The adapter of Printful keeps the contract of a print provider, and merges items without losing or doubling any.
import t, { type Test } from 'tap'
import { type ProviderLine, printfulProvider } from '../../../../src/print/providers/printful.ts'
import {
  type DraftItem,
  ProviderRefused,
  ProviderUnavailable,
} from '../../../../src/print/providers/provider.ts'
import { printProviderContract } from '../../../contract/print-provider.ts'
import { type Fault, lostResponse, printful, status, token } from '../../../support/peers/printful.ts'

const line: ProviderLine = {
  name: 'Shirt',
  quantity: 2,
  retailPrice: '19.90',
  variantId: 4012,
  placements: ['front', 'back'],
  recipient: { name: 'Ada Lovelace', address1: '1 Road', city: 'London', country_code: 'GB' },
  goneItems: [],
  notes: [],
}
const url = 'https://shop.example/uploads/a.png'

const item = (itemId = 5, more: Partial<DraftItem> = {}): DraftItem => ({
  orderId: '17',
  orderType: 'wc',
  itemId,
  variation: '4012',
  fileUrl: url,
  jobGuid: 'g',
  printedUrls: async () => [url],
  ...more,
})

async function make(t: Test, known: Partial<ProviderLine> = {}) {
  const remote = await printful(t)
  const written: object[] = []
  const provider = printfulProvider({
    url: `${remote.url}/`,
    token,
    orders: {
      line: async () => ({ ...line, ...known }),
      ordered: async (_id, order) => void written.push(order),
    },
  })
  const order = (given = item(), signal = new AbortController().signal) => provider.upsertDraft(given, signal)
  return { remote, provider, written, order }
}

printProviderContract(t, async (t) => {
  const { remote, provider } = await make(t)
  return {
    provider,
    failNext: (how) => remote.faults.push(undefined, status(how === 'refuse' ? 400 : 503)),
    drafts: async () =>
      Object.fromEntries(
        [...remote.orders].map(([id, { items }]) => [
          id,
          Object.fromEntries(items.map(({ external_id, files }) => [external_id, files[0]?.url])),
        ]),
      ),
  }
})

t.test('the first item makes a draft with recipient, variant, quantity, price and placement', async (t) => {
  const { remote, written, order } = await make(t)
  const { providerOrder } = await order()
  const draft = remote.orders.get('17')
  t.match(draft, { id: Number(providerOrder), status: 'draft', recipient: line.recipient })
  t.match(draft?.items, [
    {
      external_id: '5',
      variant_id: 4012,
      quantity: 2,
      retail_price: '19.90',
      files: [{ type: 'front', url }],
    },
  ])
  t.match(written, [{ id: draft?.id, dashboard_url: /^https:/ }])
  t.same(
    remote.requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /orders/@17', 'POST /orders'],
  )
  t.same(remote.confirmations(), [])
})

t.test('upsertDraft: a file of a later page goes to the placement of that page', async (t) => {
  const { remote, order } = await make(t)
  await order(item(5, { positions: [1] }))
  t.match(remote.orders.get('17')?.items, [{ files: [{ type: 'back', url }] }])
})

t.test('items that others put into the draft stay as they are, in their places', async (t) => {
  const { remote, order } = await make(t)
  await order(item(5))
  await order(item(6))
  const draft = remote.orders.get('17')
  draft?.items.unshift({
    id: 1,
    external_id: null,
    variant_id: 7,
    quantity: 3,
    name: 'By hand',
    options: [{ id: 'stitch_color', value: 'black' }],
    files: [{ id: 2, type: 'back', url: 'https://else.example/x.png' }],
  })
  // A file that the stand-in knows by its id, too.
  const before = structuredClone(
    draft?.items.map(({ files, ...rest }) => ({ ...rest, urls: files.map((f) => f.url) })),
  )
  remote.faults.push(undefined, (_request, { serve, send }) => {
    const { body } = _request
    t.match(body?.items[0], { id: 1, variant_id: 7, quantity: 3, files: [{ id: 2, type: 'back' }] })
    t.notMatch(JSON.stringify(body), /null/, 'nothing is sent back that would be refused')
    if (body) body.items[0].files[0].url = 'https://else.example/x.png'
    const { status: code, body: content } = serve()
    send(code, content)
  })
  await order(item(5))
  const after = remote.orders
    .get('17')
    ?.items.map(({ files, ...rest }) => ({ ...rest, urls: files.map((f) => f.url) }))
  t.match(after, before ?? [])
  t.equal(after?.length, 3)
})

t.test('printfulProvider: an item that stands in the draft twice stands there once afterwards', async (t) => {
  const { remote, order } = await make(t)
  await order(item(5))
  const draft = remote.orders.get('17')
  const [first] = draft?.items ?? []
  if (first) draft?.items.push({ ...first, id: 99 })
  await order(item(5))
  t.same(remote.items('17'), ['5'])
})

t.test(
  'printfulProvider: a recipient that was corrected at the provider stays, one that is missing comes from the shop',
  async (t) => {
    const { remote, order } = await make(t)
    await order()
    const draft = remote.orders.get('17')
    if (draft) draft.recipient.address1 = '2 Road'
    await order(item(6))
    t.equal(remote.orders.get('17')?.recipient.address1, '2 Road')
    if (draft) draft.recipient = { name: 'Ada' }
    await order(item(7))
    t.equal(remote.orders.get('17')?.recipient.address1, '1 Road')
  },
)

t.test(
  'printfulProvider: a response that is lost after the write is made good by a repeat, without a second order or item',
  async (t) => {
    const { remote, order } = await make(t)
    remote.faults.push(undefined, lostResponse)
    await t.rejects(order(item(5)), ProviderUnavailable)
    await order(item(5))
    remote.faults.push(undefined, lostResponse)
    await t.rejects(order(item(6)), ProviderUnavailable)
    await order(item(6))
    t.equal(remote.orders.size, 1)
    t.same(remote.items('17'), ['5', '6'])
  },
)

t.test('an order that another one made in between is merged into, not refused', async (t) => {
  const { remote, order } = await make(t)
  const early: Fault = (_request, { send }) => send(404, {})
  await order(item(5))
  remote.faults.push(early)
  await order(item(6))
  t.same(remote.items('17'), ['5', '6'])
  t.equal(remote.requests.filter(({ method }) => method === 'POST').length, 2)
})

t.test('an order that was confirmed takes no more items, but knows those it has', async (t) => {
  const { remote, order } = await make(t)
  await order(item(5))
  const draft = remote.orders.get('17')
  if (draft) draft.status = 'inprocess'
  t.equal((await order(item(5))).providerOrder, String(draft?.id))
  await t.rejects(order(item(6)), { name: 'ProviderRefused', message: /inprocess/ })
  const changed = 'https://shop.example/new.png'
  await t.rejects(order(item(5, { printedUrls: async () => [changed] })), ProviderRefused)
  t.notOk(remote.requests.some(({ method }) => method === 'PUT'))
})

t.test('the n-th picture goes to the n-th placement, and none is left over in silence', async (t) => {
  const { remote, order } = await make(t)
  const urls = ['https://shop.example/1.png', 'https://shop.example/2.png']
  await order(item(5, { printedUrls: async () => urls }))
  t.match(remote.orders.get('17')?.items[0]?.files, [
    { type: 'front', url: urls[0] },
    { type: 'back', url: urls[1] },
  ])
  await t.rejects(order(item(6, { printedUrls: async () => [...urls, url] })), {
    name: 'ProviderRefused',
    message: /3 pictures.* 2 templates/,
  })
  await t.rejects(order(item(7, { printedUrls: async () => [] })), {
    name: 'ProviderRefused',
    message: /no file/,
  })
  t.same(remote.items('17'), ['5'])
})

t.test('a variation without templates prints one file on the default placement', async (t) => {
  const { remote, order } = await make(t, { placements: [] })
  await order()
  t.match(remote.orders.get('17')?.items[0]?.files, [{ type: 'default', url }])
  await t.rejects(order(item(6, { printedUrls: async () => [url, url] })), ProviderRefused)
})
