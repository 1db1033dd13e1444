// PATCH /settings: all or nothing, every value validated, no rows of others.
import t from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, onEachEngine, token } from '../../support/hosts/build.ts'
import { storedOption } from '../../support/hosts/options.ts'
import { servingPeers } from '../../support/hosts/process.ts'

t.test('values are written in the form that PHP reads, and returned as typed values', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const values = {
      svc_responsive: false,
      svc_multi_languages: true,
      svc_max_zoom: 2.5,
      svc_iqr_low_width: null,
      svc_downloadFilename: ' My "file" ',
      svc_rulerUnit: 'cm',
      svc_languages: ['de_DE', 5],
      svc_global_products: [],
      svc_color_lists: { a: { name: 'Ä', colors: '#000' } },
      svc_dynamic_views_formats: '10:20',
    }
    const { body } = await host.call('PATCH', '/settings', values)
    t.strictSame(body, { success: true, data: values })
    const keys = Object.keys(values).map((key) => `keys[]=${key}`)
    t.strictSame((await host.call('GET', `/settings/values?${keys.join('&')}`)).body.data, values)
    const stored = await Promise.all(Object.keys(values).map((key) => storedOption(host, key)))
    t.strictSame(stored, [
      'no',
      'yes',
      '2.5',
      '',
      ' My "file" ',
      'cm',
      'a:2:{i:0;s:5:"de_DE";i:1;i:5;}',
      'a:0:{}',
      '{"a":{"name":"Ä","colors":"#000"}}',
      '10:20',
    ])
  }),
)

t.test('a checkbox takes the stored words "yes" and "no", and returns booleans', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_of_others', 'no')
    const words = { svc_responsive: 'no', svc_multi_languages: 'yes', svc_of_others: 'yes' }
    const typed = { svc_responsive: false, svc_multi_languages: true, svc_of_others: true }
    t.strictSame((await host.call('PATCH', '/settings', words)).body.data, typed)
    for (const [key, word] of Object.entries(words)) t.equal(await storedOption(host, key), word)
    for (const other of ['1', '', 'true', 1, 0, null]) {
      t.equal((await host.call('PATCH', '/settings', { svc_responsive: other })).status, 400, String(other))
    }
  }),
)

t.test('a number with more digits than a double is a number, neither an object nor an array', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_of_others', '{"a":1}')
    const patch = (text: string) =>
      host.call('PATCH', '/settings', text, { 'content-type': 'application/json' })
    t.match(await patch('{"svc_max_zoom":0.10000000000000001}'), {
      status: 200,
      body: { data: { svc_max_zoom: 0.1 } },
    })
    t.match(await patch('{"svc_languages":["a",12345678901234567890]}'), { status: 200 })
    for (const key of ['svc_color_lists', 'svc_of_others'])
      t.equal((await patch(`{"${key}":12345678901234567890}`)).status, 400, key)
    t.equal(await storedOption(host, 'svc_of_others'), '{"a":1}')
  }),
)

t.test('half a surrogate pair, which PHP cannot read, gives 400, inside models too', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_of_others', '{"a":1}')
    for (const key of ['svc_color_lists', 'svc_of_others']) {
      t.match(await host.call('PATCH', '/settings', { [key]: { a: { name: 'x\\\ud800' } } }), {
        status: 400,
        body: { data: { params: { [key]: /surrogate/ } } },
      })
      const whole = { a: { name: '\\ud800 😀 \\\\ud83d' } }
      const kept = await host.call('PATCH', '/settings', { [key]: whole })
      t.strictSame(kept.body.data, { [key]: whole })
    }
  }),
)

t.test('one invalid value gives 400 for all, with the names of all invalid ones', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const response = await host.call('PATCH', '/settings', {
      svc_max_zoom: 5,
      svc_responsive: 'on',
      svc_multi_languages: 'Yes',
      svc_zoom_step: '0.2',
      svc_sharing_cache_days: null,
      svc_downloadFilename: 3,
      svc_rulerUnit: 'inch',
      svc_languages: 'de_DE',
      svc_design_categories: [['nested']],
      svc_color_lists: [1],
      svc_common_fonts: 'nul\u0000',
      svc_nowhere: 'x',
      siteurl: 'https://evil.example',
    })
    t.strictSame(response.body.data.params, {
      svc_responsive: 'must be true or false',
      svc_multi_languages: 'must be true or false',
      svc_zoom_step: 'must be a number',
      svc_sharing_cache_days: 'must be a number',
      svc_downloadFilename: 'must be a string',
      svc_rulerUnit: 'must be one of px, mm, cm',
      svc_languages: 'must be an array of strings or numbers',
      svc_design_categories: 'must be an array of strings or numbers',
      svc_color_lists: 'must be an object',
      svc_common_fonts: 'must not contain NUL or a lone surrogate',
      svc_nowhere: 'is not a known setting',
      siteurl: 'does not start with svc_',
    })
    t.equal(response.status, 400)
    t.equal(await storedOption(host, 'svc_max_zoom'), undefined)
  }),
)

t.test('a default that is not one of the choices can be sent back', async (t) => {
  const host = await build(t)
  const body = {
    svc_catalog_button_position: 'svc-replace-add-to-cart',
    svc_cart_show_element_props: 'props',
  }
  t.strictSame((await host.call('PATCH', '/settings', body)).body.data, body)
})

t.test('everything in the groups can be sent back', async (t) => {
  const host = await build(t)
  const index = (await host.call('GET', '/settings')).body.data
  for (const tab of new Set(index.map((setting: { tab: string }) => setting.tab))) {
    const { data, meta } = (await host.call('GET', `/settings/groups/${tab}`)).body
    const options = data.sections.flatMap((section: { options: object[] }) => section.options)
    const writable = options.filter(
      ({ id, route }: { id: string; route?: string }) => !route && !meta?.masked?.includes(id),
    )
    if (writable.length === 0) continue
    const body = Object.fromEntries(
      writable.map(({ id, value }: { id: string; value: unknown }) => [id, value]),
    )
    t.match(await host.call('PATCH', '/settings', body), { status: 200, body: { data: body } }, String(tab))
  }
})

t.test('an unknown key is written only where its row exists, with the type of that row', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const rows = {
      svc_x_flag: 'yes',
      svc_x_text: '12',
      svc_x_array: 'a:1:{s:1:"a";a:1:{i:0;i:1;}}',
      svc_x_model: '{"a":1}',
    }
    for (const [key, value] of Object.entries(rows)) await storeOption(host, key, value)
    const good = { svc_x_flag: false, svc_x_text: 'a', svc_x_array: { b: [[true, 1.5]] }, svc_x_model: [1] }
    t.strictSame((await host.call('PATCH', '/settings', good)).body.data, good)
    t.equal(await storedOption(host, 'svc_x_array'), 'a:1:{s:1:"b";a:1:{i:0;a:2:{i:0;b:1;i:1;d:1.5;}}}')
    t.equal(await storedOption(host, 'svc_x_model'), '[1]')
    const bad = {
      svc_x_flag: 'off',
      svc_x_text: 12,
      svc_x_array: 'a',
      svc_x_model: 1,
      SVC_X_TEXT: 'a',
      svc_X_text: 'a',
    }
    const { params } = (await host.call('PATCH', '/settings', bad)).body.data
    t.strictSame(Object.keys(params), Object.keys(bad), 'another case is another key, whatever the collation')
  }),
)

t.test('keys that belong to other routes, or to this API itself, give 400', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const owned = ['svc_pr_groups', 'svc_ui_layout_default', 'svc_guard_catalog', 'svc_imported']
    for (const key of owned) {
      if ((await storedOption(host, key)) === undefined) await storeOption(host, key, 'theirs')
    }
    const before = await Promise.all(owned.map((key) => storedOption(host, key)))
    const response = await host.call(
      'PATCH',
      '/settings',
      Object.fromEntries(owned.map((key) => [key, 'ours'])),
    )
    t.strictSame(Object.keys(response.body.data.params), owned)
    t.match(response.body.data.params, {
      svc_pr_groups: /pricing-rules/,
      svc_ui_layout_default: /user-interfaces/,
      svc_guard_catalog: 'belongs to this API itself',
      svc_imported: 'belongs to this API itself',
    })
    t.strictSame(await Promise.all(owned.map((key) => storedOption(host, key))), before)
  }),
)

t.test('the token can only be cleared, and the next request creates a new one', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const chosen = await host.call('PATCH', '/settings', { svc_api_token: 'f'.repeat(64) })
    t.match(chosen.body.data.params, { svc_api_token: /can only be cleared/ })
    const cleared = await host.call('PATCH', '/settings', { svc_api_token: '' })
    t.strictSame(cleared.body, {
      success: true,
      data: { svc_api_token: null },
      meta: { masked: ['svc_api_token'] },
    })
    t.equal((await host.call('GET', '/settings')).status, 403, 'the old one is no longer good')
    const fresh = await storedOption(host, 'svc_api_token')
    t.match(fresh, /^[0-9a-f]{64}$/)
    t.not(fresh, token)
    t.equal(
      (await host.call('GET', '/settings', undefined, { authorization: `Bearer ${fresh}` })).status,
      200,
    )
  }),
)

t.test('the listener of the host is called once, after the write, with the changed keys', (t) =>
  onEachEngine(t, async (t, engine) => {
    const heard: string[][] = []
    const host = await build(t, { engine, onOptionsChanged: (keys) => heard.push(keys) })
    await storeOption(host, 'svc_responsive', 'no')
    await host.call('PATCH', '/settings', { svc_responsive: false, svc_max_zoom: 2, svc_zoom_step: 1 })
    await host.call('PATCH', '/settings', { svc_responsive: false })
    await host.call('PATCH', '/settings', { svc_responsive: 1 })
    t.strictSame(heard, [['svc_max_zoom', 'svc_zoom_step']])
  }),
)

t.test('autoload stays as it is; new rows get a value that the installation already uses', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_max_zoom', '1')
    await host.db.updateTable(host.t.options).set({ autoload: 'auto-off' }).execute()
    await storeOption(host, 'svc_languages', 'a:0:{}')
    await host.db
      .updateTable(host.t.options)
      .set({ autoload: 'on' })
      .where('option_name', '=', 'svc_languages')
      .execute()
    await host.call('PATCH', '/settings', { svc_max_zoom: 2, svc_zoom_step: 1 })
    const rows = await host.db
      .selectFrom(host.t.options)
      .select(['option_name', 'autoload'])
      .where('option_name', 'in', ['svc_max_zoom', 'svc_zoom_step'])
      .orderBy('option_name')
      .execute()
    t.strictSame(
      rows.map(({ autoload }) => autoload),
      ['auto-off', 'on'],
    )
  }),
)

t.test('If-Match holds for the tab of each key, and of several writers with the same tag one succeeds', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const [peer] = await servingPeers(t, host.address, token, 1)
    const etag = (await host.call('GET', '/settings/groups/general')).headers.etag ?? ''
    const other = await host.call('PATCH', '/settings', { svc_canvasHeight: '80%' }, { 'if-match': etag })
    t.equal(other.status, 412, 'a tag of another tab')
    const patch = (value: number) => ({
      method: 'PATCH',
      path: '/settings',
      // Different rows of one tab: the rule covers all of them.
      body: value % 2 ? { svc_max_zoom: value } : { svc_zoom_step: value },
      headers: { 'if-match': etag },
    })
    const [theirs, ...ours] = await Promise.all([
      peer?.requests([1, 2, 3, 4, 5].map(patch)),
      ...[6, 7, 8, 9, 10].map(patch).map((one) => host.call(one.method, one.path, one.body, one.headers)),
    ])
    const statuses = [...(theirs ?? []), ...ours].map(({ status }) => status).sort()
    t.strictSame(statuses, [200, ...Array(9).fill(412)])
  }),
)

t.test('If-Match also takes the tag of a section, for the keys of that section', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const tagOf = async (slug: string) =>
      (await host.call('GET', `/settings/groups/${slug}`)).headers.etag ?? ''
    const patch = async (body: object, tag: string) =>
      (await host.call('PATCH', '/settings', body, { 'if-match': tag })).status
    const tag = await tagOf('display')
    t.equal(await patch({ svc_max_zoom: 2 }, tag), 412, 'a key of another section')
    t.equal(await patch({ svc_multi_languages: true }, tag), 200)
    t.equal(await patch({ svc_multi_languages: false }, tag), 412, 'stale by now')
    const both = `${await tagOf('display')}, ${await tagOf('actions')}`
    t.equal(await patch({ svc_multi_languages: false, svc_max_zoom: 3 }, both), 200)
  }),
)

t.test('the groups "uploads" and "products" are sections, and their tags hold for their keys', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const groups = [
      [
        'uploads',
        'element-properties',
        ['custom-images'],
        'svc_uploaded_designs_parameter_minW',
        'svc_max_zoom',
      ],
      [
        ...([
          'products',
          'woocommerce',
          ['product-page', 'catalog-listing', 'global-product-designer'],
        ] as const),
        ...(['svc_global_product_designer', 'svc_wc_cart_thumbnail_width'] as const),
      ],
    ] as const
    for (const [slug, tab, sections, key, other] of groups) {
      const { status, body, headers } = await host.call('GET', `/settings/groups/${slug}`)
      t.strictSame([status, body.data.tab], [200, tab])
      t.strictSame(
        body.data.sections.map(({ section }: { section: string }) => section),
        sections,
      )
      const values = await host.call('GET', `/settings/values?keys[]=${key}`)
      const patch = async (keys: object) =>
        (await host.call('PATCH', '/settings', keys, { 'if-match': String(headers.etag) })).status
      t.equal(await patch({ [other]: 5 }), 412, 'a key of another group')
      t.equal(await patch(values.body.data), 200, key)
    }
    const unknown = await host.call('GET', '/settings/groups/upload')
    t.match(unknown.body.message, /the tabs are general/)
  }),
)

t.test('concurrent writes of the same rows in different orders end as one of them, whole', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const [peer] = await servingPeers(t, host.address, token, 1)
    const keys = ['svc_max_zoom', 'svc_zoom_step', 'svc_padding_controls']
    const patch = (value: number) => ({
      method: 'PATCH',
      path: '/settings',
      body: Object.fromEntries((value % 2 ? keys : keys.toReversed()).map((key) => [key, value])),
    })
    const numbers = (from: number) => Array.from({ length: 20 }, (_, n) => patch(from + n))
    const [theirs, ...ours] = await Promise.all([
      peer?.requests(numbers(100)),
      ...numbers(200).map((one) => host.call(one.method, one.path, one.body)),
    ])
    const statuses = [...(theirs ?? []), ...ours].map(({ status }) => status)
    // On a busy machine a writer may give up after its retries.
    t.strictSame(
      statuses.filter((status) => status !== 200 && status !== 503),
      [],
    )
    t.ok(statuses.includes(200))
    const stored = await Promise.all(keys.map((key) => storedOption(host, key)))
    t.equal(new Set(stored).size, 1)
  }),
)

t.test('an empty body, too many settings and too large a body are refused', async (t) => {
  const host = await build(t)
  t.equal((await host.call('PATCH', '/settings', {})).body.code, 'rest_missing_callback_param')
  t.equal((await host.call('PATCH', '/settings', [])).body.code, 'rest_missing_callback_param')
  t.equal((await host.call('PATCH', '/settings', [1])).body.code, 'rest_invalid_param')
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`svc_k${n}`, 1]))
  t.match((await host.call('PATCH', '/settings', many)).body.data.params, { body: /at most 1000/ })
  t.equal((await host.call('PATCH', '/settings', { svc_common_fonts: 'x'.repeat(1024 * 1024) })).status, 413)
})
