// /color-library/usages: where a color or palette is used, and never "unused" unless that is certain.
import t from 'tap'
import { databaseOn } from '../../src/db/connect.ts'
import { usageScan } from '../../src/library/color-usages.ts'
import { storeOption } from '../support/fixtures/rows.ts'
import { build, onEachEngine, type TestHost } from '../support/hosts/build.ts'

const usagesPath = '/color-library/usages'
const everything = { has: () => true }
const library = {
  colors: [
    { id: 'sun', hex: '#ffaa00', name: 'Sun' },
    { id: 'ink', hex: '#12345e', name: 'Ink' },
  ],
  palettes: [{ id: 'warm', name: 'Warm', colorIds: ['sun'] }],
}

async function product(host: TestHost, title: string, options: unknown, elements: unknown[] = []) {
  const { id } = (await host.call('POST', '/products', { title, options })).body.data
  await host.call('POST', `/products/${id}/views`, { title: 'View', elements })
  return id as number
}

const usages = async (host: TestHost, id: string, type = 'color') =>
  (await host.call('GET', `${usagesPath}?id=${id}&type=${type}`)).body.data

t.test('a color is found by id or hex, in every spelling, at any depth', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', '/color-library', library)
    await storeOption(host, 'svc_color_colorPickerPalette', '#000,FFAA00')
    await product(host, 'none', { fill: '#ffaa01', title: '#ffaa00', colorId: 'sun' }, [
      { source: 'sun.png' },
    ])
    const expected = [
      await product(host, 'in options', { a: [{ colors: '#000, #FfAa00' }] }),
      await product(host, 'short form', { deep: { fill: '#FA0' } }),
      await product(host, 'by id in a view', {}, [{ parameters: { paletteId: 'sun' } }]),
      await product(host, 'in a list', {}, [{ colorList: [['x'], ['ffaa00']] }]),
      await product(host, 'in a gradient', {}, [{ fill: { stops: [{ color: '#ffaa00' }] } }]),
    ]
    await host.db
      .insertInto(host.t.print_profiles)
      .values([
        { name: 'With', data: '{\\"text\\":{\\"colors\\":\\"#ffaa00\\"}}', is_master: 0 },
        { name: 'Without', data: '{"colors":"#000"}', is_master: 0 },
      ])
      .execute()
    const found = await usages(host, 'sun')
    t.strictSame(
      found.products.map(({ id }: { id: number }) => id),
      expected,
    )
    t.match(found, {
      palettes: [{ id: 'warm', name: 'Warm' }],
      pickerPreset: true,
      productsChecked: true,
      products: [{ title: 'in options' }, { title: 'short form' }],
    })
    t.match(found.printProfiles, [{ name: 'With' }])
    t.equal(found.printProfiles.length, 1)
    t.strictSame(await usages(host, 'ink'), {
      palettes: [],
      printProfiles: [],
      pickerPreset: false,
      productsChecked: true,
      products: [],
      designCategories: [],
    })
  }),
)

t.test('usages include elements and parameters of designs, and options of categories', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', '/color-library', library)
    const add = async (title: string, members: object) =>
      (await host.call('POST', '/design-categories', { title, ...members })).body.data.id as number
    await add('none', { designs: [{ title: '#ffaa00', image: 'ffaa00.png' }] })
    const expected = [
      await add('in parameters', { designs: [{ title: 'x', image: 'y', parameters: { colors: '#FA0' } }] }),
      await add('in elements', {
        designs: [{ title: 'x', elements: [{ parameters: { fill: '#ffaa00' } }] }],
      }),
      await add('in options', { options: { colorList: ['sun'] } }),
    ]
    await host.db
      .updateTable(host.t.designs)
      .set({ options: 'a:1:{s:6:"colors";s:3:"sun";}' })
      .where('title', '=', 'in options')
      .execute()
    const found = await usages(host, 'sun')
    t.strictSame(
      found.designCategories.map(({ id }: { id: number }) => id),
      expected,
    )
    t.match(found, { productsChecked: true, products: [], designCategories: [{ title: 'in parameters' }] })
    const narrow = await host.call('GET', `${usagesPath}?id=sun&type=color&fields=designCategories`)
    t.strictSame(narrow.body.data, { designCategories: found.designCategories })
  }),
)

t.test(
  'GET /color-library/usages: products in the order of their ids, whatever part of them uses the color',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      await host.call('PUT', '/color-library', library)
      const inView = await product(host, 'by a view', {}, [{ fill: '#ffaa00' }])
      const inOptions = await product(host, 'by options', { fill: '#ffaa00' })
      t.match((await usages(host, 'sun')).products, [{ id: inView }, { id: inOptions }])
    }),
)

t.test('a palette is found by its id', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', '/color-library', library)
    const id = await product(host, 'P', {}, [{ parameters: { colors: ['#000'], colorList: 'warm' } }])
    t.match(await usages(host, 'warm', 'palette'), {
      palettes: [],
      pickerPreset: false,
      products: [{ id, title: 'P' }],
    })
  }),
)

t.test('ids with characters that are special in SQL are found literally', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const id = 'a.(%_[*'
    const model = { version: 2, colors: [], palettes: [{ id, name: 'P', colorIds: [] }] }
    await storeOption(host, 'svc_color_library', JSON.stringify(model))
    await product(host, 'other', { paletteId: 'abcdefg' })
    const used = await product(host, 'same', { paletteId: id })
    t.match((await usages(host, encodeURIComponent(id), 'palette')).products, [{ id: used }])
  }),
)

t.test('an unreadable blob counts as using every term in it', async (t) => {
  const host = await build(t)
  await host.call('PUT', '/color-library', library)
  const id = await product(host, 'P', {})
  await host.db.updateTable(host.t.products).set({ options: 'broken ffaa00' }).execute()
  t.match((await usages(host, 'sun')).products, [{ id }])
})

t.test('id and type are required, and must match', async (t) => {
  const host = await build(t)
  await host.call('PUT', '/color-library', library)
  t.strictSame((await host.call('GET', usagesPath)).body.data.params, ['id', 'type'])
  t.strictSame((await host.call('GET', `${usagesPath}?id=sun&type=hue`)).body.data.params, {
    type: 'must be one of color, palette',
  })
  t.equal((await host.call('GET', `${usagesPath}?id=warm&type=color`)).body.code, 'svc_color_not_found')
  t.equal((await host.call('GET', `${usagesPath}?id=sun&type=palette`)).body.code, 'svc_palette_not_found')
  t.strictSame((await host.call('GET', `${usagesPath}?id=sun&type=color&fields=palettes`)).body.data, {
    palettes: [{ id: 'warm', name: 'Warm' }],
  })
})

t.test('usageScan: a cut scan responds without products', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    for (const title of ['a', 'b', 'c']) await product(host, title, { fill: '#ffaa00' })
    const [color] = library.colors
    const palettes = [{ id: 'warm', name: 'Warm' }]
    const query = { palettes, id: 'sun', color, picker: '', selection: everything }
    const database = await databaseOn(host.connection)
    const cut = await usageScan(database, 5)(query)
    t.match(cut.usages, { productsChecked: false, products: [], palettes: [{ id: 'warm' }] })
    t.same(cut.incomplete, ['products'])
    const whole = await usageScan(database, 6)(query)
    t.match(whole, { usages: { productsChecked: true, products: [{}, {}, {}] }, incomplete: [] })
  }),
)

t.test(
  'usageScan: each list that was not searched to the end is incomplete, and productsChecked is false',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      await product(host, 'a', { fill: '#ffaa00' })
      await host.call('POST', '/print-profiles', { name: 'P', data: { colors: '#ffaa00' } })
      await host.call('POST', '/design-categories', { title: 'D', options: { fill: '#ffaa00' } })
      const [color] = library.colors
      const palettes = [{ id: 'warm', name: 'Warm' }]
      const query = { palettes, id: 'sun', color, picker: '', selection: everything }
      const database = await databaseOn(host.connection)
      // One row each of profiles, design categories, products and views.
      const fields = ['printProfiles', 'designCategories', 'products']
      for (const rows of [0, 1, 2, 3]) {
        const { usages, incomplete } = await usageScan(database, rows)(query)
        t.match(usages, { productsChecked: false, products: [] }, `${rows}`)
        t.same(incomplete, fields.slice(Math.min(rows, 2)))
      }
      const { usages } = await usageScan(database, 4)(query)
      t.match(usages, {
        printProfiles: [{}],
        productsChecked: true,
        products: [{}],
        designCategories: [{}],
      })
      const only = (member: string) => ({ ...query, selection: { has: (name: string) => name === member } })
      t.match(await usageScan(database, 3)(only('productsChecked')), { usages: { productsChecked: false } })
      t.same((await usageScan(database, 0)(only('designCategories'))).incomplete, ['designCategories'])
    }),
)

t.test('the scan searches the rows of all chunks', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('PUT', '/color-library', library)
    const rows = Array.from({ length: 600 }, (_, n) => ({
      title: `P${n}`,
      options: n % 299 === 1 ? '{"fill":"sun"}' : '{}',
      thumbnail: '',
      user_id: 0,
      type: 'catalog',
    }))
    await host.db.insertInto(host.t.products).values(rows).execute()
    t.strictSame(
      (await usages(host, 'sun')).products.map(({ title }: { title: string }) => title),
      ['P1', 'P300', 'P599'],
    )
  }),
)
