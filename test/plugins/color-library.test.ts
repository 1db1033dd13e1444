// /color-library: derived from the older settings until it is saved, checked as a whole, and never losing what it does not know.
import t from 'tap'
import { build, onEachEngine } from '../support/build.ts'
import { storedOption } from '../support/options.ts'
import { rule, storeOption } from '../support/rule.ts'

const path = '/color-library'
const key = 'svc_color_library'
const red = { id: 'red', hex: '#ff0000', name: 'Red' }
const blue = { id: 'blue', hex: '#0000ff', name: 'Blue', price: 1.5 }
const basic = { id: 'basic', name: 'Basic', colorIds: ['red', 'blue'] }

const oddities: [name: string, options: Record<string, string>, library: object][] = [
  ['nothing stored gives an empty library', {}, { colors: [], palettes: [] }],
  [
    'a color without # is a color',
    { svc_hex_names: '000000:Black' },
    { colors: [{ id: 'c-000000', hex: '#000000', name: 'Black' }] },
  ],
  [
    'capitals become small letters',
    { svc_hex_names: '#FFAA00:Orange' },
    { colors: [{ id: 'c-ffaa00', hex: '#ffaa00', name: 'Orange' }] },
  ],
  [
    'three digits become six',
    { svc_color_colorPickerPalette: '#fa0' },
    { colors: [{ id: 'c-ffaa00', hex: '#ffaa00', name: '#ffaa00' }] },
  ],
  [
    'a color named in several places stands there once, with its last name and its price',
    {
      svc_hex_names: 'ff0000:Rot,#F00:Red',
      svc_color_prices: 'FF0000:2.5',
      svc_color_colorPickerPalette: '#f00,#ff0000',
    },
    { colors: [{ id: 'c-ff0000', hex: '#ff0000', name: 'Red', price: 2.5 }] },
  ],
  [
    'empty parts are passed over, and a color without a name takes its hex',
    { svc_hex_names: ',,000:,', svc_color_prices: '', svc_color_colorPickerPalette: ' , #111 ,' },
    {
      colors: [
        { id: 'c-000000', hex: '#000000', name: '#000000' },
        { id: 'c-111111', hex: '#111111', name: '#111111' },
      ],
    },
  ],
  [
    'a price that is none is left out, and a name may hold a colon',
    { svc_hex_names: '000000:Black: deep', svc_color_prices: '000000:free,111111:-1' },
    {
      colors: [
        { id: 'c-000000', hex: '#000000', name: 'Black: deep' },
        { id: 'c-111111', hex: '#111111', name: '#111111' },
      ],
    },
  ],
  [
    'lists become palettes, in which a slug that is no color is passed over and a color stands once',
    {
      svc_color_lists:
        '{"my-list":{"name":"Mine","colors":"#000,other-list,#000000,#FFF"},"noname":{"colors":""}}',
    },
    {
      colors: [{ id: 'c-000000' }, { id: 'c-ffffff' }],
      palettes: [
        { id: 'p-my-list', name: 'Mine', colorIds: ['c-000000', 'c-ffffff'] },
        { id: 'p-noname', name: 'noname', colorIds: [] },
      ],
    },
  ],
  [
    'slugs that no id can hold get ids of their own',
    { svc_color_lists: '{"a b":{"name":"1"},"a/b":{"name":"2"}}' },
    {
      palettes: [
        { id: 'p-a-b', name: '1' },
        { id: 'p-a-b-2', name: '2' },
      ],
    },
  ],
  [
    'slashes that PHP left are taken away',
    {
      svc_hex_names: "f00:Kid\\'s red",
      svc_color_lists: '{\\"x\\":{\\"name\\":\\"X\\",\\"colors\\":\\"#f00\\"}}',
    },
    { colors: [{ name: "Kid's red" }], palettes: [{ id: 'p-x', colorIds: ['c-ff0000'] }] },
  ],
  [
    'a saved library of an older form does not count',
    { svc_color_library: '{"version":1,"colors":[]}', svc_hex_names: 'f00:Red' },
    { colors: [{ name: 'Red' }] },
  ],
]

for (const [name, options, library] of oddities) {
  t.test(`derived: ${name}`, async (t) => {
    const host = await build(t)
    for (const [option, value] of Object.entries(options)) await storeOption(host, option, value)
    const { body } = await host.call('GET', path)
    t.match(body, { data: { version: 2, ...library }, meta: { persisted: false, version: 2 } })
    const { counts } = (await host.call('GET', '/system')).body.data
    t.equal(counts.colors, body.data.colors.length, 'and /system counts the same colors')
  })
}

t.test('a derived library says which of the older settings it could not read', async (t) => {
  const host = await build(t)
  await storeOption(host, 'svc_color_lists', 'not json')
  await storeOption(host, 'svc_hex_names', 'f00:Red')
  const { body } = await host.call('GET', path)
  t.strictSame(body.meta.unreadable, [{ id: 'svc_color_lists', column: 'option_value' }])
  t.match(body.data.colors, [{ name: 'Red' }])
})

t.test('a library is saved flat or under `library`, and from then on the older settings do not count', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_hex_names', '000000:Black')
    const flat = await host.call('PUT', path, { colors: [red, { ...blue, hex: '#00F' }], palettes: [basic] })
    const library = { colors: [red, blue], palettes: [basic], version: 2 }
    t.strictSame(flat.body, { success: true, data: library, meta: { persisted: true, version: 2 } })
    const nested = await host.call('PUT', path, { library: { ...library, palettes: [] } })
    t.strictSame(nested.body.data.palettes, [])
    t.strictSame((await host.call('GET', path)).body.data, { ...library, palettes: [] })
    t.strictSame(JSON.parse((await storedOption(host, key)) ?? ''), { ...library, palettes: [] })
  }),
)

t.test('all problems of a library are named at once, and nothing is written', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', path, { colors: [red] })
    const before = await storedOption(host, key)
    const answer = await host.call('PUT', path, {
      version: 3,
      colors: [red, { ...red, hex: 'ff0000' }, { id: 'a b', hex: '#ffff', name: ' ', price: -1 }, 7],
      palettes: [
        { id: 'p', name: 'P', colorIds: ['red', 'green', 'red'] },
        { id: 'p', name: '' },
      ],
    })
    t.match(answer, { status: 400, body: { code: 'svc_color_library_invalid' } })
    t.strictSame(answer.body.errors, [
      'version must be 2.',
      'colors[1].id "red" occurs twice in colors.',
      'colors[1].hex must be "#rgb" or "#rrggbb".',
      'colors[2].id must be 1 to 64 ASCII letters, digits, "_" or "-".',
      'colors[2].name must be a non-empty string.',
      'colors[2].hex must be "#rgb" or "#rrggbb".',
      'colors[2].price must be a number of at least 0.',
      'colors[3] must be an object.',
      'palettes[0].colorIds[1] must be the id of a color.',
      'palettes[0].colorIds[2] "red" occurs twice in the palette.',
      'palettes[1].id "p" occurs twice in palettes.',
      'palettes[1].name must be a non-empty string.',
      'palettes[1].colorIds must be an array.',
    ])
    t.equal(await storedOption(host, key), before)
  }),
)

t.test('what is no library is refused: both forms at once, nothing, no object, __proto__', async (t) => {
  const host = await build(t)
  for (const body of [{}, { library: { colors: [] }, colors: [] }, { library: [] }, { colors: {} }]) {
    const answer = await host.call('PUT', path, body)
    t.match(answer, { status: 400, body: { code: 'svc_color_library_invalid', errors: [String] } })
  }
  const hostile = '{"colors":[{"__proto__":{"id":"x"}}]}'
  const answer = await host.call('PUT', path, hostile, { 'content-type': 'application/json' })
  t.equal(answer.body.code, 'rest_invalid_json')
  t.equal(await storedOption(host, key), undefined)
})

t.test('members that only a newer version knows are kept, in the body and in what is stored', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const stored = {
      version: 2,
      groups: [1],
      colors: [{ ...red, cmyk: [0, 1, 1, 0], price: 3 }],
      palettes: [],
    }
    await storeOption(host, key, JSON.stringify(stored))
    t.strictSame((await host.call('GET', path)).body.data, stored)
    const saved = await host.call('PUT', path, { colors: [red, { ...blue, spot: 'P 293' }] })
    t.strictSame(saved.body.data.colors, [
      { ...red, cmyk: [0, 1, 1, 0] },
      { ...blue, spot: 'P 293' },
    ])
    t.strictSame(saved.body.data.groups, [1])
  }),
)

t.test('a stale If-Match does not replace the library, whether it was derived or saved', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const derived = (await host.call('GET', path)).headers.etag
    await storeOption(host, 'svc_hex_names', 'f00:Red')
    const put = (etag?: string) => host.call('PUT', path, { colors: [red] }, { 'if-match': etag })
    t.equal((await put(derived)).status, 412)
    const saved = await put((await host.call('GET', path)).headers.etag)
    t.equal(saved.status, 200)
    t.equal((await host.call('GET', path, undefined, { 'if-none-match': saved.headers.etag })).status, 304)
    await storeOption(host, 'svc_hex_names', '')
    t.equal(
      (await put(saved.headers.etag)).status,
      200,
      'a saved library no longer depends on the older settings',
    )
  }),
)

t.test('a library that cannot be read is said, and a new one replaces it', async (t) => {
  const host = await build(t)
  await storeOption(host, key, 'O:1:"x":0:{}')
  t.match(await host.call('GET', path), {
    status: 500,
    body: { code: 'svc_unreadable_value', data: { row: key, column: 'option_value' } },
  })
  t.equal((await host.call('PUT', path, { colors: [red] })).status, 200)
})

t.test(
  'fields narrow the library, 10 MB of colors are taken, and too many problems are counted',
  async (t) => {
    const host = await build(t)
    await host.call('PUT', path, { colors: [red] })
    t.strictSame((await host.call('GET', `${path}?fields=colors`)).body.data, { colors: [red] })
    t.equal((await host.call('GET', `${path}?fields=groups`)).status, 400)
    const many = Array.from({ length: 20_000 }, (_, n) => ({ ...red, id: `c${n}`, note: 'x'.repeat(480) }))
    t.equal((await host.call('PUT', path, { colors: many })).status, 200)
    const bad = await host.call('PUT', path, { colors: many.map((color) => ({ ...color, hex: '' })) })
    t.equal(bad.body.errors.length, 1001)
    t.equal(bad.body.errors.at(-1), '… and 19000 more.')
  },
)

t.test('a price with more digits than a double has is a price, unless it is below zero', async (t) => {
  const host = await build(t)
  const put = (price: string) =>
    host.call('PUT', path, `{"colors":[{"id":"a","hex":"#000","name":"A","price":${price}}],"palettes":[]}`, {
      'content-type': 'application/json',
    })
  t.match(await put('0.10000000000000001'), { status: 200, body: { data: { colors: [{ price: 0.1 }] } } })
  t.match((await host.call('GET', path)).body.data, { colors: [{ price: 0.1 }] })
  t.equal((await put('-0.10000000000000001')).status, 400)
})

rule('a library that comes back as it was read keeps its text and its tag', async (t, host) => {
  const color = { id: 'c-1', hex: '#112233', name: 'X', price: 2, finish: 'matt' }
  const sent = { colors: [color], palettes: [{ colorIds: ['c-1'], name: 'A', id: 'p', row: 1 }] }
  t.equal((await host.call('PUT', '/color-library', sent)).status, 200)
  const read = await host.call('GET', '/color-library')
  const written = await host.call('PUT', '/color-library', read.body.data)
  t.equal(written.text, read.text)
  t.equal(written.headers.etag, read.headers.etag)
  const { price: _, finish: __, ...bare } = color
  const again = await host.call('PUT', '/color-library', { ...sent, colors: [bare] })
  t.same(again.body.data.colors, [{ ...bare, finish: 'matt' }], 'a price goes, what is not known stays')
})
