// Layouts: the built-in one, copies, the word `default`, and that exactly one layout is the default.
import t from 'tap'
import type { TestHost } from '../support/hosts/build.ts'
import { rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, ['user_interfaces'])

async function defaults({ db, t: names }: TestHost): Promise<number[]> {
  const rows = await db.selectFrom(names.user_interfaces).select(['ID', 'is_default']).orderBy('ID').execute()
  return rows.filter((row) => Number(row.is_default) === 1).map((row) => row.ID)
}

rule('the first read of an empty table stores the built-in default', async (t, host) => {
  const { call } = host
  const list = await call('GET', '/user-interfaces')
  t.strictSame(list.body, {
    success: true,
    data: [{ id: 1, name: 'Default', is_default: true }],
    meta: { total: 1 },
  })
  t.strictSame((await call('GET', '/user-interfaces')).body, list.body)
  t.strictSame(await defaults(host), [1])
})

rule('the built-in default has the form that the designer reads', async (t, { call }) => {
  const { body } = await call('GET', '/user-interfaces/default?include_data=true')
  t.strictSame(body.data.data, {
    name: 'Default',
    plugin_options: {
      stageWidth: 1200,
      stageHeight: 800,
      mainBarModules: ['products', 'images', 'text', 'designs', 'manage-layers'],
      actions: {
        left: ['manage-layers', 'info'],
        center: ['undo', 'redo'],
        right: ['preview-lightbox', 'zoom', 'save'],
      },
      toolbarPlacement: 'smart',
    },
    container_classes: 'svc-topbar svc-shadow-1',
    css_colors: { primary: '#000000', secondary: '#27ae60' },
    custom_css: '',
    toolbar_exclude_tools: [],
  })
})

rule('20 concurrent first reads create one default', async (t, host) => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => host.call('GET', `/user-interfaces${i % 2 ? '' : '/default'}`)),
  )
  t.ok(responses.every(({ status }) => status === 200))
  t.strictSame(await defaults(host), [1])
})

rule('a layout without data is a copy of the default', async (t, { call, db, t: names }) => {
  const clone = await call('POST', '/user-interfaces', { name: ' Mine ' })
  t.match(clone, {
    status: 201,
    headers: { location: 'https://shop.example/wp-json/svc/v1/user-interfaces/2' },
  })
  t.strictSame(clone.body.data, { id: 2, name: 'Mine', is_default: false })
  const odd = '{"b":1,   "custom_css":"a > b"}'
  await db.updateTable(names.user_interfaces).set({ data: odd }).where('ID', '=', 1).execute()
  await call('POST', '/user-interfaces', { name: 'Bytes' })
  const row = await db.selectFrom(names.user_interfaces).select('data').where('ID', '=', 3).executeTakeFirst()
  t.equal(row?.data, odd)
  const own = await call('POST', '/user-interfaces', {
    name: 'Own',
    data: { custom_css: '' },
    is_default: true,
  })
  t.strictSame(own.body.data, { id: 4, name: 'Own', is_default: true, data: { custom_css: '' } })
})

rule('making a layout the default clears the other one', async (t, host) => {
  const { call } = host
  for (const name of ['A', 'B']) await call('POST', '/user-interfaces', { name })
  await call('PATCH', '/user-interfaces/3', { is_default: true })
  t.strictSame(await defaults(host), [3])
  t.equal((await call('GET', '/user-interfaces/default')).body.data.name, 'B')
  await call('POST', '/user-interfaces', { name: 'C', is_default: true })
  t.strictSame(await defaults(host), [4])
})

rule('deleting the default, or clearing its status, gives 409', async (t, host) => {
  const { call } = host
  await call('POST', '/user-interfaces', { name: 'A' })
  for (const [method, path, body] of [
    ['DELETE', '1'],
    ['DELETE', 'default'],
    ['PATCH', '1', { is_default: false, name: 'Gone' }],
    ['PATCH', 'default', { is_default: false }],
  ] as const)
    t.match(await call(method, `/user-interfaces/${path}`, body), {
      status: 409,
      body: { code: 'svc_user_interface_is_default' },
    })
  t.equal((await call('GET', '/user-interfaces/1')).body.data.name, 'Default')
  t.equal((await call('PATCH', '/user-interfaces/2', { is_default: false })).status, 200)
  t.strictSame((await call('DELETE', '/user-interfaces/2')).body.data, { id: 2, deleted: true })
  t.strictSame(await defaults(host), [1])
})

rule('default can be read and changed by this word, even when none is stored yet', async (t, { call }) => {
  const changed = await call('PATCH', '/user-interfaces/default', { name: 'Shop', data: { custom_css: 'x' } })
  t.strictSame(changed.body.data, { id: 1, name: 'Shop', is_default: true, data: { custom_css: 'x' } })
  t.equal((await call('PATCH', '/user-interfaces/default', { is_default: true })).status, 200)
  t.match(await call('GET', '/user-interfaces/master'), { status: 404, body: { code: 'rest_no_route' } })
})

rule(
  'layouts without a default get the built-in one; of two marked ones, the older counts',
  async (t, host) => {
    const { call, db, t: names } = host
    await db.insertInto(names.user_interfaces).values({ name: 'Old', data: '{}', is_default: 0 }).execute()
    t.match((await call('GET', '/user-interfaces/default')).body.data, { id: 2, name: 'Default' })
    await db.updateTable(names.user_interfaces).set({ is_default: 1 }).execute()
    const { body } = await call('GET', '/user-interfaces')
    t.strictSame(
      body.data.map(({ is_default }: { is_default: boolean }) => is_default),
      [false, true],
    )
    await call('PATCH', '/user-interfaces/2', { is_default: true })
    t.strictSame(await defaults(host), [2])
  },
)

rule('the list returns all layouts by name, with data on request', async (t, { call }) => {
  for (const name of ['b', 'A']) await call('POST', '/user-interfaces', { name, data: { n: name } })
  const { body } = await call('GET', '/user-interfaces?include_data=true&fields=name,data')
  t.match(body.data, [{ name: 'A', data: { n: 'A' } }, { name: 'b', data: { n: 'b' } }, { name: 'Default' }])
  t.strictSame((await call('GET', '/user-interfaces?include=2')).body, {
    success: true,
    data: [{ id: 2, name: 'b', is_default: false }],
    meta: { total: 1 },
  })
})

rule('unknown layouts, invalid bodies and stale tags are refused', async (t, { call }) => {
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
    t.match(await call(method, '/user-interfaces/9', body), {
      status: 404,
      body: { code: 'svc_user_interface_not_found' },
    })
  t.match(await call('POST', '/user-interfaces', {}), { status: 400, body: { data: { params: ['name'] } } })
  t.match(await call('POST', '/user-interfaces', { name: 'x', data: null, is_default: 'yes' }), {
    status: 400,
    body: { data: { params: { data: String, is_default: String } } },
  })
  const { headers, body } = await call('GET', '/user-interfaces/default')
  t.equal(
    (await call('GET', '/user-interfaces/default', undefined, { 'if-none-match': headers.etag })).status,
    304,
  )
  t.equal(
    (await call('PATCH', '/user-interfaces/default', body.data, { 'if-match': headers.etag })).status,
    200,
  )
  t.equal((await call('PATCH', '/user-interfaces/default', { name: 'y' }, { 'if-match': '"x"' })).status, 412)
  t.match(await call('HEAD', '/user-interfaces/default'), { status: 200, text: '' })
})
