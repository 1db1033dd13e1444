// The color library of the settings screen, changed by buttons one step at a time.
import t, { type Test } from 'tap'
import { buildScreen, type Changes, type ScreenClient } from '../../support/hosts/screen.ts'

const library = {
  colors: [
    { id: 'ink', name: 'Ink', hex: '#222222', note: 'kept' },
    { id: 'sun', name: 'Sun', hex: '#ffcc00', price: 2.5, spot: 'PANTONE 116 C', cmyk: [0, 18, 100, 0] },
    { id: 'sea', name: 'Sea', hex: '#0066aa' },
  ],
  palettes: [{ id: 'summer', name: 'Summer', colorIds: ['sun', 'sea'] }],
}

async function screen(t: Test) {
  const { client, host } = await buildScreen(t)
  await host.call('PUT', '/color-library', library)
  const stored = async () => (await host.call('GET', '/color-library')).body.data
  return { client, host, stored, press: (changes: Changes, path?: string) => press(client, changes, path) }
}

/** Sends the first form of a page with the value of one of its buttons. */
async function press(client: ScreenClient, changes: Changes, path = 'edit-color-library') {
  const [slug = ''] = path.split('?')
  return client.submit(await client.get(path), slug, changes)
}

const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

t.test('edit-color-library: swatches, names, prices and spot colors', async (t) => {
  const { client } = await screen(t)
  const page = await client.get('edit-color-library')
  t.same(page.texts('[aria-labelledby=library-colors] .what'), [
    'Ink #222222',
    'Sun #ffcc00, price 2.5, spot color PANTONE 116 C',
    'Sea #0066aa',
  ])
  t.match(page.texts('[aria-labelledby=library-palettes] .remark'), ['2 colors'])
  t.equal(page.document.querySelector('#colors-1 rect')?.getAttribute('fill'), '#ffcc00')
  t.ok(
    page.document.querySelector('#colors-0 button')?.hasAttribute('disabled'),
    'the first one cannot move up',
  )
})

t.test('edit-color-library: colors and palettes are moved and added', async (t) => {
  const { press, stored } = await screen(t)
  const sent = await press({ act: 'colors.up.2' })
  t.match([sent.status, sent.headers.location], [303, 'edit-color-library?saved=1#colors-1'])
  t.same(idsOf((await stored()).colors), ['ink', 'sea', 'sun'])
  t.match((await stored()).colors[0], { note: 'kept' })
  const added = { name: 'Rust', hex: 'B7410E', price: '1,5', spot: '', cmyk: '' }
  t.equal((await press({ act: 'add-color', ...added })).status, 303)
  t.match((await stored()).colors[3], { id: 'c-b7410e', name: 'Rust', hex: '#b7410e', price: 1.5 })
  t.equal((await press({ act: 'add-palette', palette: 'Für den Winter' })).status, 303)
  t.match((await stored()).palettes[1], { id: 'p-f-r-den-winter', name: 'Für den Winter', colorIds: [] })
  t.equal((await press({ act: 'palettes.down.0' })).status, 303)
  t.same(idsOf((await stored()).palettes), ['p-f-r-den-winter', 'summer'])
})

t.test('edit-color-library, edit-palette: a dragged row is moved to any place', async (t) => {
  const { press, stored } = await screen(t)
  const sent = await press({ act: 'colors.to.2.0' })
  t.match([sent.status, sent.headers.location], [303, 'edit-color-library?saved=1#colors-0'])
  t.same(idsOf((await stored()).colors), ['sea', 'ink', 'sun'])
  t.equal((await press({ act: 'member.to.0.1' }, 'edit-palette?id=summer')).status, 303)
  t.same((await stored()).palettes[0].colorIds, ['sea', 'sun'])
  for (const act of ['colors.to.1', 'colors.up.1.0', 'member.to.0.1', 'colors.to.9.0'])
    t.equal((await press({ act })).status, 400, act)
})

t.test(
  'edit-color-library: what the library refuses stays in the form; so does a library that has changed',
  async (t) => {
    const { client, host, press, stored } = await screen(t)
    const refused = await press({ act: 'add-color', name: 'Rust', hex: 'rusty' })
    t.equal(refused.status, 400)
    t.match(refused.texts('[role=alert]').join(), 'Color on screen must be "#rgb" or "#rrggbb".')
    t.same(refused.texts('.wrong .name'), ['Color on screen'])
    t.equal(refused.document.querySelector('input#hex')?.getAttribute('aria-invalid'), 'true')
    const both = await press({ act: 'add-color', name: 'Rust', hex: 'red', cmyk: '0 100' })
    const labels = ['Color on screen', 'CMYK where the spot ink is missing (optional)']
    t.same([both.texts('[role=alert] li').length, both.texts('.wrong .name')], [2, labels])
    t.equal(refused.document.querySelector('input#hex')?.getAttribute('value'), 'rusty')
    const page = await client.get('edit-color-library')
    t.equal((await client.submit(page, 'edit-color-library', { act: 'colors.up.1', _form: 'x' })).status, 403)
    await host.call('PUT', '/color-library', { ...library, colors: library.colors.toReversed() })
    t.equal((await client.submit(page, 'edit-color-library', { act: 'colors.up.1' })).status, 412)
    t.same(idsOf((await stored()).colors), ['sea', 'sun', 'ink'])
  },
)

t.test('edit-color: properties, inks and usages', async (t) => {
  const { client, host, press, stored } = await screen(t)
  await host.call('POST', '/products', { title: 'Mug', options: { colors: '#ffcc00' } })
  const page = await client.get('edit-color?id=sun')
  t.same(page.texts('[aria-labelledby=color-usages] dd'), ['Summer', 'Mug'])
  t.equal(page.document.querySelector('#cmyk')?.getAttribute('value'), '0, 18, 100, 0')
  const wrong = await press({ act: 'save', cmyk: '0, 18, 300' }, 'edit-color?id=sun')
  t.match([wrong.status, wrong.texts('[role=alert]').join()], [400, 'four percentages'])
  t.same(wrong.texts('.wrong .name'), ['CMYK where the spot ink is missing (optional)'])
  const changed = { act: 'save', name: 'Sunlight', price: '', spot: '', cmyk: '' }
  t.equal((await press(changed, 'edit-color?id=sun')).status, 303)
  t.strictSame((await stored()).colors[1], {
    id: 'sun',
    hex: '#ffcc00',
    name: 'Sunlight',
    spot: '',
    cmyk: [],
  })
  t.equal((await client.get('edit-color?id=nope')).status, 404)
})

t.test('edit-color: a color is removed with a tick, and from its palettes', async (t) => {
  const { press, stored } = await screen(t)
  t.equal((await press({ act: 'remove' }, 'edit-color?id=sun')).status, 400)
  t.equal((await press({ act: 'remove', confirmed: 'yes' }, 'edit-color?id=sun')).status, 303)
  t.match(await stored(), { colors: [{ id: 'ink' }, { id: 'sea' }], palettes: [{ colorIds: ['sea'] }] })
})

t.test('edit-palette: its colors are moved, taken out and added; it is renamed and removed', async (t) => {
  const { client, press, stored } = await screen(t)
  const path = 'edit-palette?id=summer'
  const colorIds = async () => (await stored()).palettes[0].colorIds
  const sent = await press({ act: 'member.down.0' }, path)
  t.match([sent.status, sent.headers.location], [303, `${path}&saved=1`])
  t.same(await colorIds(), ['sea', 'sun'])
  await press({ act: 'add', added: 'ink' }, path)
  await press({ act: 'member.out.1' }, path)
  t.same(await colorIds(), ['sea', 'ink'])
  await press({ act: 'save', name: 'Coast' }, path)
  t.match((await client.get(path)).texts('h1'), ['Coast'])
  t.equal((await press({ act: 'add', added: 'nope' }, path)).status, 400)
  t.equal((await press({ act: 'member.out.9' }, path)).status, 303)
  for (const act of ['nonsense', 'member.out.-1', 'member.left.0', 'colors.up.1', ''])
    t.equal((await press({ act }, path)).status, 400, act)
  t.same(await colorIds(), ['sea', 'ink'])
  await press({ act: 'remove', confirmed: 'yes' }, path)
  t.match(await stored(), { colors: [{}, {}, {}], palettes: [] })
})

t.test('edit-color: usages link the products on the desk, and orders are not searched', async (t) => {
  const { client, host } = await buildScreen(t, {}, { deskUrl: '/desk/' })
  await host.call('PUT', '/color-library', library)
  const { body } = await host.call('POST', '/products', { title: 'Mug', options: { colors: '#ffcc00' } })
  const page = await client.get('edit-color?id=sun')
  const link = page.document.querySelector('[aria-labelledby=color-usages] dd a')
  t.same([link?.textContent, link?.getAttribute('href')], ['Mug', `/desk/product?id=${body.data.id}`])
  t.match(page.texts('[aria-labelledby=color-usages] .remark'), ['Orders are not searched.'])
})
