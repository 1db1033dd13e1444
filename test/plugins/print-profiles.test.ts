// Print profiles: the word `master`, copies, and that at most one profile is the master.
import t from 'tap'
import type { TestHost } from '../support/hosts/build.ts'
import { rulesOn } from '../support/hosts/shared-host.ts'

const rule = rulesOn(t, ['print_profiles'])

const data = { dpi: 300, bleed: { mm: 3 }, customImageParameters: { maxSize: 12 }, ünbekannt: [null] }

/** Creates profiles of these names, the last one as master. */
async function withMaster({ call }: TestHost, ...names: string[]): Promise<void> {
  for (const [i, name] of names.entries())
    await call('POST', '/print-profiles', { name, data, is_master: i === names.length - 1 })
}

async function masters({ call }: TestHost): Promise<number[]> {
  const { body } = await call('GET', '/print-profiles')
  return body.data.flatMap((item: { id: number; is_master: boolean }) => (item.is_master ? [item.id] : []))
}

rule('a profile is created and read; its data comes only with include_data', async (t, { call }) => {
  const made = await call('POST', '/print-profiles', { name: '  Offset ', data })
  t.match(made, {
    status: 201,
    headers: { location: 'https://shop.example/wp-json/svc/v1/print-profiles/1' },
  })
  t.strictSame(made.body.data, { id: 1, name: 'Offset', is_master: false, data })
  t.strictSame((await call('GET', '/print-profiles/1')).body.data, {
    id: 1,
    name: 'Offset',
    is_master: false,
  })
  t.strictSame((await call('GET', '/print-profiles/1?include_data=true')).body, made.body)
  const plain = await call('POST', '/print-profiles', { name: 'Empty' })
  t.strictSame(plain.body.data, { id: 2, name: 'Empty', is_master: false })
  t.strictSame((await call('GET', '/print-profiles/2?include_data=1')).body.data.data, {})
})

rule(
  'the list returns all profiles by name, with its total, and with data on request',
  async (t, { call }) => {
    for (const name of ['b', 'C', 'ä', 'a']) await call('POST', '/print-profiles', { name, data })
    const { body, headers } = await call('GET', '/print-profiles')
    t.strictSame(
      body.data.map(({ name }: { name: string }) => name),
      ['a', 'b', 'C', 'ä'],
    )
    t.strictSame(body.meta, { total: 4 })
    t.equal(headers['x-wp-total'], '4')
    t.notOk('data' in body.data[0])
    t.strictSame((await call('GET', '/print-profiles?include_data=true')).body.data[0].data, data)
    t.strictSame((await call('GET', '/print-profiles?fields=data&include=2')).body.data, [{ data }])
  },
)

rule('master gives 404 on every route while there is none', async (t, { call }) => {
  await call('POST', '/print-profiles', { name: 'A' })
  for (const [method, path, body] of [
    ['GET', ''],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', ''],
    ['POST', '/duplicate', { name: 'x' }],
    ['POST', '/master', {}],
  ] as const)
    t.match(await call(method, `/print-profiles/master${path}`, body), {
      status: 404,
      body: { code: 'svc_print_profile_not_found', message: /^No print profile is the master/ },
    })
  const { body } = await call('GET', '/print-profiles/4711')
  t.notMatch(body.message, /is the/)
})

rule('other words and forms of an id give the 404 of unknown routes', async (t, { call }) => {
  for (const word of ['Master', 'default', '0', '1abc', '01', '-1', '99999999999999999'])
    t.match(await call('GET', `/print-profiles/${word}`), { status: 404, body: { code: 'rest_no_route' } })
})

rule('master stands for the master profile on GET, PATCH, duplicate and master', async (t, host) => {
  const { call } = host
  await withMaster(host, 'A', 'B')
  t.match((await call('GET', '/print-profiles/master?include_data=1')).body.data, {
    id: 2,
    is_master: true,
    data,
  })
  t.match((await call('PATCH', '/print-profiles/master', { name: ' New ' })).body.data, {
    id: 2,
    name: 'New',
  })
  const copy = await call('POST', '/print-profiles/master/duplicate', { name: 'Copy' })
  t.match(copy, { status: 201, body: { data: { id: 3, name: 'Copy', is_master: false } } })
  t.strictSame((await call('GET', '/print-profiles/3?include_data=1')).body.data.data, data)
  t.match((await call('POST', '/print-profiles/master/master', { is_master: false })).body.data, {
    id: 2,
    is_master: false,
  })
  t.strictSame(await masters(host), [])
})

rule('making a profile the master clears the other one, in each of the three ways', async (t, host) => {
  const { call } = host
  await withMaster(host, 'A', 'B', 'C')
  t.strictSame(await masters(host), [3])
  t.match(await call('POST', '/print-profiles/1/master'), {
    status: 200,
    body: { data: { id: 1, is_master: true } },
  })
  t.strictSame(await masters(host), [1])
  await call('PATCH', '/print-profiles/2', { is_master: true })
  t.strictSame(await masters(host), [2])
  await call('POST', '/print-profiles', { name: 'D', is_master: true })
  t.strictSame(await masters(host), [4])
})

rule('clearing a profile that is not the master keeps the master', async (t, host) => {
  await withMaster(host, 'A', 'B')
  t.equal((await host.call('POST', '/print-profiles/1/master', { is_master: false })).status, 200)
  t.equal((await host.call('PATCH', '/print-profiles/1', { is_master: false })).status, 200)
  t.strictSame(await masters(host), [2])
})

rule('deleting the master gives 409 until its status is cleared', async (t, host) => {
  const { call } = host
  await withMaster(host, 'A', 'B')
  for (const ref of ['2', 'master'])
    t.match(await call('DELETE', `/print-profiles/${ref}`), {
      status: 409,
      body: { code: 'svc_print_profile_is_master' },
    })
  await call('PATCH', '/print-profiles/master', { is_master: false })
  t.strictSame((await call('DELETE', '/print-profiles/2')).body.data, { id: 2, deleted: true })
  t.equal((await call('DELETE', '/print-profiles/2')).status, 404)
})

rule(
  'of several marked profiles of other writers, the oldest counts, until one is made the master',
  async (t, host) => {
    const { call, db, t: names } = host
    await withMaster(host, 'A', 'B', 'C')
    await db.updateTable(names.print_profiles).set({ is_master: 1 }).where('ID', '>', 1).execute()
    t.strictSame(await masters(host), [2])
    t.equal((await call('GET', '/print-profiles/3')).body.data.is_master, false)
    t.equal((await call('GET', '/print-profiles/master')).body.data.id, 2)
    await call('POST', '/print-profiles/3/master')
    const rows = await db.selectFrom(names.print_profiles).select(['ID', 'is_master']).orderBy('ID').execute()
    t.strictSame(
      rows.map((row) => Number(row.is_master)),
      [0, 0, 1],
    )
  },
)

rule(
  'data is replaced whole, copied byte for byte, and null only where it cannot be read',
  async (t, host) => {
    const { call, db, t: names } = host
    await withMaster(host, 'A')
    t.strictSame((await call('PATCH', '/print-profiles/1', { data: { only: 1 } })).body.data.data, {
      only: 1,
    })
    const odd = '{"b":1,   "a":"\\u00e4"}'
    await db.updateTable(names.print_profiles).set({ data: odd }).execute()
    await call('POST', '/print-profiles/1/duplicate', { name: 'Copy' })
    const rows = await db.selectFrom(names.print_profiles).select('data').execute()
    t.strictSame(
      rows.map((row) => row.data),
      [odd, odd],
    )
    await db.updateTable(names.print_profiles).set({ data: 'O:1:"x"' }).where('ID', '=', 1).execute()
    t.match(await call('GET', '/print-profiles/1?include_data=1'), {
      status: 500,
      body: { code: 'svc_unreadable_value' },
    })
    t.equal((await call('GET', '/print-profiles/1')).status, 200)
    const list = await call('GET', '/print-profiles?include_data=1')
    t.match(list.body, {
      data: [{ data: null }, { data: { a: 'ä' } }],
      meta: { unreadable: [{ id: 1, column: 'data' }] },
    })
    t.match((await call('PATCH', '/print-profiles/1', { name: 'Z' })).body, {
      success: true,
      meta: undefined,
    })
  },
)

rule('invalid bodies give 400 with the names of the fields', async (t, { call }) => {
  await call('POST', '/print-profiles', { name: 'A' })
  const refused = async (method: string, path: string, body: object, params: unknown) =>
    t.match(await call(method, path, body), { status: 400, body: { data: { params } } })
  await refused('POST', '/print-profiles', {}, ['name'])
  await refused(
    'POST',
    '/print-profiles',
    { name: '\t', is_master: 1, data: 'x', dpi: 1 },
    {
      name: String,
      is_master: String,
      data: String,
      dpi: String,
    },
  )
  await refused('POST', '/print-profiles', { name: 'x'.repeat(256) }, { name: String })
  await refused('POST', '/print-profiles/1/duplicate', {}, ['name'])
  await refused('POST', '/print-profiles/1/master', { is_master: null }, { is_master: String })
  await refused('PATCH', '/print-profiles/1', { id: 1 }, ['name', 'data', 'is_master'])
  await refused('PATCH', '/print-profiles/1', { id: 2, name: 'x' }, { id: String })
})

rule('tags change with the master status; If-Match works for master too', async (t, host) => {
  const { call } = host
  await withMaster(host, 'A', 'B')
  const { headers, body } = await call('GET', '/print-profiles/1')
  t.equal((await call('GET', '/print-profiles/1', undefined, { 'if-none-match': headers.etag })).status, 304)
  t.not((await call('GET', '/print-profiles/1?include_data=1')).headers.etag, headers.etag)
  await call('POST', '/print-profiles/1/master', {}, { 'if-match': headers.etag })
  for (const [method, path] of [
    ['PATCH', 'master'],
    ['DELETE', '1'],
  ] as const)
    t.equal(
      (
        await call(method, `/print-profiles/${path}`, method === 'PATCH' ? { name: 'x' } : undefined, {
          'if-match': headers.etag,
        })
      ).status,
      412,
    )
  t.equal((await call('POST', '/print-profiles/master/master', {}, { 'if-match': headers.etag })).status, 412)
  t.equal((await call('PATCH', '/print-profiles/1', { ...body.data, is_master: true })).status, 200)
  t.match(await call('HEAD', '/print-profiles/master'), { status: 200, text: '' })
})
