// Clients written in PHP: json_decode(…, true) and json_encode make [] of an empty object, and a list of one with the names
// "0", "1", ….
import t from 'tap'
import { roundTrips, throughPhp } from '../support/fixtures/round-trips.ts'
import { newProduct, newView } from '../support/fixtures/rows.ts'
import { build } from '../support/hosts/build.ts'
import { rule } from '../support/hosts/fresh-host.ts'
import { php } from '../support/wordpress/php.ts'

const seed = 20_261_127

for (const [name, check] of Object.entries(roundTrips)) {
  rule(`what PHP read of ${name} can be sent back and changes nothing`, async (t, host) => {
    t.ok((await check(host, 25, seed, throughPhp)) > 3)
  })
}

const read = {
  a: {},
  b: [{ parameters: {} }, { c: { 0: 'x', 1: {} } }],
  d: { 1: 'one' },
  e: [],
  f: { '': {} },
}

t.test('PHP itself makes the same of a value as these tests do', async (t) => {
  const code = `echo json_encode(json_decode(stream_get_contents(STDIN), true));`
  t.strictSame(
    JSON.parse(await php(code.replace('STDIN', "fopen('php://stdin', 'r')"), JSON.stringify(read))),
    throughPhp(read),
  )
})

t.test(
  'PATCH: [] is taken as {} where a property is an object, and the rest of a change is kept',
  async (t) => {
    const host = await build(t)
    const product = await newProduct(host, { options: read })
    const view = await newView(host, product, { elements: [{ type: 'text', parameters: {} }], options: {} })
    const sent = throughPhp(read) as typeof read
    const changed = await host.call('PATCH', `/products/${product}`, { options: { ...sent, a: [], new: [] } })
    t.strictSame(changed.body.data.options, { ...read, new: [] })
    const elements = [
      { type: 'text', parameters: [] },
      { type: 'image', parameters: [] },
    ]
    const patched = await host.call('PATCH', `/views/${view}`, { elements, options: [] })
    t.strictSame(patched.body.data.elements, [{ type: 'text', parameters: {} }, elements[1]])
    t.strictSame(patched.body.data.options, {})
  },
)

t.test('POST: [] is an object without properties, also as the whole body', async (t) => {
  const { call } = await build(t)
  const rule = await call('POST', '/design-categories', { title: 'Animals', options: [], designs: [] })
  t.strictSame([rule.status, rule.body.data.category_data?.parameters ?? rule.body.data.options], [201, {}])
  t.equal((await call('POST', '/print-profiles', { name: 'Press', data: [] })).status, 201)
  await call('POST', '/categories', { title: 'Mugs' })
  t.equal((await call('POST', '/categories/1/clear', [])).status, 200)
  t.match(await call('POST', '/products', []), { status: 400, body: { data: { params: ['title'] } } })
  t.equal((await call('POST', '/products', { title: 'x', options: [1] })).status, 400)
})
