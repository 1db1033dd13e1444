// What the settings screen says, and whether an administrator who does not know the API understands it.
import t from 'tap'
import { choiceLabel } from '../../../plugins/settings-screen/choices.ts'
import { databaseOn } from '../../../src/db/connect.ts'
import { printJobsRepository } from '../../../src/print/print-jobs.ts'
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import { buildScreen, type Changes } from '../../support/hosts/screen.ts'

t.test('a tab with several sections begins with links to them', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('woocommerce')
  const links = [...page.document.querySelectorAll('nav.jump a')].map(
    (link) => link.getAttribute('href') ?? '',
  )
  t.ok(links.length > 1)
  for (const link of links) t.ok(page.document.querySelector(link), link)
})

t.test('every choice of our own settings has words', (t) => {
  const choices = settingsCatalog().all.flatMap(({ id, choices = [] }) =>
    choices.map((one) => [id, one] as const),
  )
  t.ok(choices.length > 40)
  t.strictSame(
    choices.filter(([id, choice]) => choiceLabel(id, choice) === choice),
    [],
  )
  t.end()
})

t.test('choices have words, and are stored as they were', async (t) => {
  const { client, host } = await buildScreen(t)
  const all: string[] = []
  for (const tab of (await client.get('general')).texts('header + .columns > nav a')) {
    const page = await client.get(tab.toLowerCase().replaceAll(' ', '-').replace('add-ons', 'addons'))
    all.push(...page.texts('option, .boxes label'))
  }
  t.ok(all.includes('In place of the product picture') && all.includes('Colors in use'))
  for (const raw of ['svc-replace-image', 'used_colors', 'page-customize', 'zip_pdf_fonts'])
    t.notOk(all.includes(raw), raw)
  await client.save('general', { svc_product_designer_visibility: 'lightbox' })
  t.equal(
    (await host.call('GET', '/settings/values?keys[]=svc_product_designer_visibility')).body.data
      .svc_product_designer_visibility,
    'lightbox',
  )
})

t.test(
  'rights of a new token are a table of groups, with a box for reading and one for changing',
  async (t) => {
    const { client } = await buildScreen(t)
    const page = await client.get('named-tokens')
    t.strictSame(page.texts('#scopes thead th'), ['Group', 'Read', 'Change'])
    const rows = [...page.document.querySelectorAll('#scopes tbody tr')]
    t.ok(rows.length > 15)
    for (const row of rows) t.equal(row.querySelectorAll('input[type=checkbox]').length, 2)
    t.ok(page.texts('#scopes label').includes('Change print jobs'))
  },
)

t.test('a token that cannot be made has its reasons at the top of the page', async (t) => {
  const { client } = await buildScreen(t)
  const refused = await client.submit(await client.get('named-tokens'), 'named-tokens', {
    name: 'a'.repeat(99),
  })
  t.equal(refused.status, 400)
  const [said = ''] = refused.texts('[role=alert]')
  t.match(said, /No token was created.*Name /)
  t.ok(refused.document.querySelector('[role=alert] a[href="#name"]'))
})

t.test('a form of a token that is sent again by a reload makes no second one', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('named-tokens')
  const wish = { name: 'press', scopes: ['orders:read'] }
  t.equal((await client.submit(page, 'named-tokens', wish)).status, 200)
  const again = await client.submit(page, 'named-tokens', wish)
  t.strictSame([again.status, again.headers.location], [303, 'named-tokens'])
  t.equal((await client.get('named-tokens')).texts('.found li').length, 1)
})

t.test('what is no JSON is called that', async (t) => {
  const places = {
    tab: 'own',
    section: 'own',
    sectionLabel: 'Own',
    label: 'Own',
    description: 'Of the host.',
  }
  const list = { id: 'svc_own_list', type: 'select-sortable', default: [], choices: [' a '], ...places }
  const { client } = await buildScreen(t, { settings: [list] as never })
  const refused = await client.submit(await client.get('own'), 'own', { svc_own_list: '{"a": ' })
  t.equal(refused.status, 400)
  t.match(refused.texts('[role=alert]')[0], /Own is not valid JSON\./)
  t.match(refused.texts('textarea')[0], /^\{"a":/)
})

t.test('text templates are edited, added and removed on a page of their own', async (t) => {
  const { client, host } = await buildScreen(t)
  await host.call('POST', '/text-templates', { text: 'First', font_family: 'Arial' })
  await host.call('POST', '/text-templates', { text: 'Second' })
  const list = async () => (await host.call('GET', '/text-templates')).body.data
  const link = (await client.get('text-templates')).document.querySelector('main a[href^=edit-]')
  t.equal(link?.getAttribute('href'), 'edit-text-templates')
  const page = await client.get('edit-text-templates')
  const changes = { text: ['First!', 'Second', 'Third\r\nline'], remove: '1', size: ['20', '16', '8'] }
  t.equal((await client.submit(page, 'edit-text-templates', changes)).status, 303)
  t.match(await list(), [
    { text: 'First!', font_family: 'Arial', font_size: 20 },
    { text: 'Third\nline', font_family: '', font_size: 8, text_align: 'left' },
  ])
  const overtaken = await client.submit(page, 'edit-text-templates', { text: ['Mine', 'Second', ''] })
  t.equal(overtaken.status, 412)
  t.match(overtaken.texts('textarea')[0], 'Mine')
  const open = await client.get('edit-text-templates')
  const wrongs: [Changes, RegExp][] = [
    [{ size: ['x', '8', '16'] }, /size of template 1 must be a whole number/],
    [{ align: ['middle', 'left', 'left'] }, /alignment of template 1 must be left, center or right/],
    [{ font: ['Nowhere', '', ''] }, /Nowhere|font/],
    [{ text: ['First!', 'Third', 'x'.repeat(65_536)] }, /text of the new template may have 65535 characters/],
    [{ _form: 'x' }, /opened too long ago/],
  ]
  for (const [wrong, said] of wrongs) {
    const refused = await client.submit(open, 'edit-text-templates', wrong)
    t.ok(refused.status >= 400)
    t.match(refused.texts('[role=alert]')[0], said)
  }
  t.equal((await list()).length, 2)
})

t.test(
  'the color library is edited on a page of its own, which lists everything that is wrong',
  async (t) => {
    const { client, host } = await buildScreen(t)
    const page = await client.get('import-color-library')
    const model = JSON.stringify({ colors: [{ id: 'ink', name: 'Ink', hex: '#333' }], palettes: [] })
    t.equal((await client.submit(page, 'import-color-library', { model })).status, 303)
    const saved = (await host.call('GET', '/color-library')).body.data
    t.match(saved, { colors: [{ id: 'ink', hex: '#333333' }] })
    const open = await client.get('import-color-library?saved=1')
    t.match(open.texts('[role=status]')[0], 'saved')
    t.match(open.texts('textarea')[0], '"id": "ink"')
    for (const [wrong, said] of [
      ['{', /The library is not valid JSON/],
      ['[]', /must be a JSON object/],
      ['{"colors":[{"id":"x","name":"","hex":"red"}]}', /name.*hex|hex.*name/],
    ] as const) {
      const refused = await client.submit(open, 'import-color-library', { model: wrong })
      t.equal(refused.status, 400, wrong)
      t.match(refused.texts('[role=alert]')[0], said)
      t.equal(refused.texts('textarea')[0], wrong)
    }
  },
)

t.test('the last print jobs name their order and its customer, and S3 is not set up', async (t) => {
  const { client, host } = await buildScreen(t, { renderer: true })
  const views = [{ title: 'Front', elements: [], options: { stageWidth: 100, stageHeight: 100 } }]
  const order = { customer_name: 'Ada <b>', views }
  const { id } = (await host.call('POST', '/shortcode-orders', order)).body.data
  const jobs = printJobsRepository(await databaseOn(host.connection))
  const { guid } = await jobs.create({ order_id: id, order_type: 'shortcode' })
  await jobs.create({ order_id: 7, order_type: 'wc' })
  await jobs.create({})
  const page = await client.get('status')
  const rows = page.texts('table tbody tr')
  t.match(rows[0], 'No order')
  t.match(rows[1], 'Shop 7')
  t.match(rows[2], `Website order ${id} Ada <b>`)
  t.notMatch(page.text, guid)
  t.match(page.texts('section[aria-labelledby=section-integrations]')[0], /S3\s*Not set up/)
  const picture = page.document.querySelector(`img[src*="order=${id}"]`)?.getAttribute('src') ?? ''
  const drawn = await client.get(picture)
  t.strictSame([drawn.status, drawn.headers['content-type']], [200, 'image/png'])
  t.equal((await client.get('order-picture?type=wc&order=7&item=0')).status, 404)
  t.equal((await client.get('order-picture?type=..&order=x')).status, 404)
})

t.test('GET /status: jobs link to their order on the desk, for users who may open the desk', async (t) => {
  const linksOn = async (options: Parameters<typeof buildScreen>[2]) => {
    const { client, host } = await buildScreen(t, {}, options)
    const jobs = printJobsRepository(await databaseOn(host.connection))
    await jobs.create({ order_id: 7, order_type: 'wc', item_id: 3 })
    await jobs.create({ order_id: 8, order_type: 'removed' })
    await jobs.create({})
    const { document } = await client.get('status')
    const links = [...document.querySelectorAll('table tbody th a')]
    return links.map((link) => [link.textContent, link.getAttribute('href')])
  }
  t.strictSame(await linksOn({ deskUrl: '/desk/' }), [['Shop 7', '/desk/order?type=wc&id=7&item=3']])
  t.strictSame(await linksOn({ deskUrl: 'https://print.example/desk' }), [
    ['Shop 7', 'https://print.example/desk/order?type=wc&id=7&item=3'],
  ])
  const visitors: unknown[] = []
  const refused = (request: { url: string }) => {
    visitors.push(request.url)
    return undefined
  }
  t.strictSame(await linksOn({ deskUrl: refused }), [])
  t.strictSame([...new Set(visitors)], ['/settings/status'])
  t.strictSame(await linksOn({}), [])
})

t.test('lists that are too long for a page are not shown, and deep ones not indented', async (t) => {
  const { client, host } = await buildScreen(t)
  const color = { id: 'ink', name: 'Ink', hex: '#333' }
  const deep = JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`)
  const notes = Array.from({ length: 500 }, () => deep)
  await host.call('PUT', '/color-library', { colors: [{ ...color, notes }], palettes: [] })
  const page = await client.get('import-color-library')
  t.ok(page.text.length < 2_000_000)
  t.match(page.texts('textarea')[0], '[[[')
  await host.call('PUT', '/color-library', {
    colors: [{ ...color, note: 'x'.repeat(2 ** 20) }],
    palettes: [],
  })
  const templates = Array.from({ length: 1001 }, () => ({ text: 'a' }))
  await host.call('PUT', '/text-templates', { templates })
  for (const [path, said] of [
    ['import-color-library', /too long for a page. PUT \/color-library/],
    ['edit-text-templates', /too long for a page. PUT \/text-templates/],
  ] as const) {
    const page = await client.get(path)
    t.match(page.texts('[role=alert]')[0], said)
    t.equal(page.texts('form[method=post]').length, 0)
  }
})

t.test('the tabs of fonts and colors begin with links to where both are edited', async (t) => {
  const plain = await buildScreen(t)
  t.notMatch((await plain.client.get('fonts')).text, 'Upload fonts on the desk')
  const { client } = await buildScreen(t, {}, { deskUrl: '/desk/' })
  const firstLink = async (tab: string) => {
    const link = (await client.get(tab)).document.querySelector('main p a')
    return [link?.textContent, link?.getAttribute('href')]
  }
  t.same(await firstLink('fonts'), ['Upload fonts on the desk', '/desk/fonts'])
  t.same(await firstLink('colors'), ['Open the color library', 'edit-color-library'])
})
