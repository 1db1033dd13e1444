// /color-library: derived from legacy settings until it is saved, validated as a whole, and without loss of unknown properties.
import t from 'tap'
import { storeOption } from '../support/fixtures/rows.ts'
import { build, onEachEngine } from '../support/hosts/build.ts'
import { rule } from '../support/hosts/fresh-host.ts'
import { storedOption } from '../support/hosts/options.ts'

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
    'upper case becomes lower case',
    { svc_hex_names: '#FFAA00:Orange' },
    { colors: [{ id: 'c-ffaa00', hex: '#ffaa00', name: 'Orange' }] },
  ],
  [
    'three digits become six',
    { svc_color_colorPickerPalette: '#fa0' },
    { colors: [{ id: 'c-ffaa00', hex: '#ffaa00', name: '#ffaa00' }] },
  ],
  [
    'a color in several places is listed once, with its last name and its price',
    {
      svc_hex_names: 'ff0000:Rot,#F00:Red',
      svc_color_prices: 'FF0000:2.5',
      svc_color_colorPickerPalette: '#f00,#ff0000',
    },
    { colors: [{ id: 'c-ff0000', hex: '#ff0000', name: 'Red', price: 2.5 }] },
  ],
  [
    'empty parts are skipped, and a color without a name is named by its hex',
    { svc_hex_names: ',,000:,', svc_color_prices: '', svc_color_colorPickerPalette: ' , #111 ,' },
    {
      colors: [
        { id: 'c-000000', hex: '#000000', name: '#000000' },
        { id: 'c-111111', hex: '#111111', name: '#111111' },
      ],
    },
  ],
  [
    'an invalid price is left out, and a name may contain a colon',
    { svc_hex_names: '000000:Black: deep', svc_color_prices: '000000:free,111111:-1' },
    {
      colors: [
        { id: 'c-000000', hex: '#000000', name: 'Black: deep' },
        { id: 'c-111111', hex: '#111111', name: '#111111' },
      ],
    },
  ],
  [
    'lists become palettes, which skip slugs without a color and list a color once',
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
    'slugs that are not valid ids get ids of their own',
    { svc_color_lists: '{"a b":{"name":"1"},"a/b":{"name":"2"}}' },
    {
      palettes: [
        { id: 'p-a-b', name: '1' },
        { id: 'p-a-b-2', name: '2' },
      ],
    },
  ],
  [
    'slashes that PHP left are removed',
    {
      svc_hex_names: "f00:Kid\\'s red",
      svc_color_lists: '{\\"x\\":{\\"name\\":\\"X\\",\\"colors\\":\\"#f00\\"}}',
    },
    { colors: [{ name: "Kid's red" }], palettes: [{ id: 'p-x', colorIds: ['c-ff0000'] }] },
  ],
  [
    'a saved library in a legacy format is ignored',
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

t.test('a derived library names the legacy settings that it could not read', async (t) => {
  const host = await build(t)
  await storeOption(host, 'svc_color_lists', 'not json')
  await storeOption(host, 'svc_hex_names', 'f00:Red')
  const { body } = await host.call('GET', path)
  t.strictSame(body.meta.unreadable, [{ id: 'svc_color_lists', column: 'option_value' }])
  t.match(body.data.colors, [{ name: 'Red' }])
})

t.test('a library is saved flat or under `library`, and from then on legacy settings are ignored', (t) =>
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

t.test('an invalid library gives 400 with all problems, and nothing is written', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', path, { colors: [red] })
    const before = await storedOption(host, key)
    const response = await host.call('PUT', path, {
      version: 3,
      colors: [red, { ...red, hex: 'ff0000' }, { id: 'a b', hex: '#ffff', name: ' ', price: -1 }, 7],
      palettes: [
        { id: 'p', name: 'P', colorIds: ['red', 'green', 'red'] },
        { id: 'p', name: '' },
      ],
    })
    t.match(response, { status: 400, body: { code: 'svc_color_library_invalid' } })
    t.strictSame(response.body.errors, [
      'version must be 2.',
      'colors[1].id "red" occurs twice in colors.',
      'colors[1].hex must be "#rgb" or "#rrggbb".',
      'colors[2].id must be 1 to 64 ASCII letters, digits, "_" or "-".',
      'colors[2].name must be a non-empty string.',
      'colors[2].hex must be "#rgb" or "#rrggbb".',
      'colors[2].price must be a number of at least 0.',
      'colors[3] must be an object.',
      'palettes[0].colorIds[1] "green" is not the id of a color of this library.',
      'palettes[0].colorIds[2] "red" occurs twice in the palette.',
      'palettes[1].id "p" occurs twice in palettes.',
      'palettes[1].name must be a non-empty string.',
      'palettes[1].colorIds must be an array.',
    ])
    t.equal(await storedOption(host, key), before)
  }),
)

t.test(
  'an entry of a palette that names no color is repeated in its error, shortened where it is no id',
  async (t) => {
    const host = await build(t)
    const colorIds = ['c-gone', 'x'.repeat(500), '"\n', '', 7, null]
    const { body } = await host.call('PUT', path, {
      colors: [red],
      palettes: [{ id: 'p', name: 'P', colorIds }],
    })
    const place = (at: number) => `palettes[0].colorIds[${at}]`
    t.strictSame(body.errors, [
      `${place(0)} "c-gone" is not the id of a color of this library.`,
      `${place(1)} "${'x'.repeat(64)}…" is not the id of a color of this library.`,
      `${place(2)} "\\"\\n" is not the id of a color of this library.`,
      `${place(3)} "" is not the id of a color of this library.`,
      `${place(4)} must be the id of a color.`,
      `${place(5)} must be the id of a color.`,
    ])
  },
)

t.test('both forms at once, an empty body, a non-object and __proto__ give 400', async (t) => {
  const host = await build(t)
  for (const body of [{}, { library: { colors: [] }, colors: [] }, { library: [] }, { colors: {} }]) {
    const response = await host.call('PUT', path, body)
    t.match(response, { status: 400, body: { code: 'svc_color_library_invalid', errors: [String] } })
  }
  const hostile = '{"colors":[{"__proto__":{"id":"x"}}]}'
  const response = await host.call('PUT', path, hostile, { 'content-type': 'application/json' })
  t.equal(response.body.code, 'rest_invalid_json')
  t.equal(await storedOption(host, key), undefined)
})

t.test('properties of newer versions are kept, in the body and in the stored library', (t) =>
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

t.test('a stale If-Match gives 412, whether the library was derived or saved', (t) =>
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
      'a saved library no longer depends on legacy settings',
    )
  }),
)

t.test('an unreadable library gives 500, and a new one replaces it', async (t) => {
  const host = await build(t)
  await storeOption(host, key, 'O:1:"x":0:{}')
  t.match(await host.call('GET', path), {
    status: 500,
    body: { code: 'svc_unreadable_value', data: { row: key, column: 'option_value' } },
  })
  t.equal((await host.call('PUT', path, { colors: [red] })).status, 200)
})

t.test(
  'fields select properties, 7 MB of colors are accepted, and surplus problems are counted',
  async (t) => {
    const host = await build(t)
    await host.call('PUT', path, { colors: [red] })
    t.strictSame((await host.call('GET', `${path}?fields=colors`)).body.data, { colors: [red] })
    t.equal((await host.call('GET', `${path}?fields=groups`)).status, 400)
    const many = Array.from({ length: 20_000 }, (_, n) => ({ ...red, id: `c${n}`, note: 'x'.repeat(300) }))
    t.equal((await host.call('PUT', path, { colors: many })).status, 200)
    const bad = await host.call('PUT', path, { colors: many.map((color) => ({ ...color, hex: '' })) })
    t.equal(bad.body.errors.length, 1001)
    t.equal(bad.body.errors.at(-1), '… and 19000 more.')
  },
)

t.test('a price with more digits than a double gives 200, unless it is negative', async (t) => {
  const host = await build(t)
  const put = (price: string) =>
    host.call('PUT', path, `{"colors":[{"id":"a","hex":"#000","name":"A","price":${price}}],"palettes":[]}`, {
      'content-type': 'application/json',
    })
  t.match(await put('0.10000000000000001'), { status: 200, body: { data: { colors: [{ price: 0.1 }] } } })
  t.match((await host.call('GET', path)).body.data, { colors: [{ price: 0.1 }] })
  t.equal((await put('-0.10000000000000001')).status, 400)
})

rule('a library that is sent back as it was read keeps its bytes and its tag', async (t, host) => {
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
