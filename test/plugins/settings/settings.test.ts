// /settings: the index, values and groups, and valid requests for them.
import t from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'

const values = (...keys: string[]) =>
  `/settings/values?${keys.map((key) => `keys[]=${encodeURIComponent(key)}`).join('&')}`

t.test('the index lists every setting with its tab, section, type and one sentence', async (t) => {
  const host = await build(t)
  const { body, headers } = await host.call('GET', '/settings')
  const count = body.data.length
  t.strictSame([body.meta.total, headers['x-wp-total']], [count, String(count)])
  t.strictSame(
    body.data.find(({ id }: { id: string }) => id === 'svc_zoom_step'),
    {
      id: 'svc_zoom_step',
      label: 'Step',
      description: 'Factor by which one click zooms in or out.',
      type: 'number',
      default: 0.2,
      tab: 'general',
      section: 'actions',
      sectionLabel: 'Actions',
    },
  )
  for (const { id, label, description } of body.data) {
    t.match([label, description], [/\S/, /^[A-Z"].*\.$/], id)
  }
})

t.test('search covers key, label and description, and tab takes a tab or section', async (t) => {
  const host = await build(t)
  const ids = async (query: string) =>
    (await host.call('GET', `/settings?${query}`)).body.data.map(({ id }: { id: string }) => id)
  t.strictSame(await ids('search=BUTTON%20CSS'), ['svc_start_customizing_css_class'])
  t.ok((await ids('search=watermark')).includes('svc_watermark_image'))
  t.strictSame(await ids('search=%25'), [], 'a percent sign is no wildcard')
  t.strictSame(await ids('tab=fonts'), ['svc_common_fonts', 'svc_google_webfonts', 'svc_fonts_directory'])
  const api: string[] = await ids('tab=api')
  for (const id of ['svc_api_token', 'svc_api_fonts_enabled']) t.ok(api.includes(id), id)
  t.equal((await ids('tab=social-share&search=days')).length, 1)
  t.strictSame(await ids('tab=nowhere'), [])
  t.strictSame((await host.call('GET', '/settings?tab=api&fields=id&search=fonts')).body.data, [
    { id: 'svc_api_fonts_enabled' },
  ])
})

t.test('values are typed; a setting without a row reads as its default, an unknown key as null', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_responsive', 'no')
    await storeOption(host, 'svc_max_zoom', '2.50')
    await storeOption(host, 'svc_languages', 'a:2:{i:0;s:5:"de_DE";i:1;s:5:"en_US";}')
    await storeOption(host, 'svc_color_lists', '{"a":{"name":"A"}}')
    const { body } = await host.call(
      'GET',
      values(
        'svc_responsive',
        'svc_max_zoom',
        'svc_languages',
        'svc_color_lists',
        'svc_zoom_step',
        'svc_iqr_low_width',
        'svc_nowhere',
      ),
    )
    t.strictSame(body, {
      success: true,
      data: {
        svc_responsive: false,
        svc_max_zoom: 2.5,
        svc_languages: ['de_DE', 'en_US'],
        svc_color_lists: { a: { name: 'A' } },
        svc_zoom_step: 0.2,
        svc_iqr_low_width: null,
        svc_nowhere: null,
      },
    })
  }),
)

t.test('keys come as keys[], keys, numbered or separated by commas; each once in the response', async (t) => {
  const host = await build(t)
  const expected = { svc_responsive: true, svc_max_zoom: 3 }
  for (const query of [
    'keys[]=svc_responsive&keys[]=svc_max_zoom',
    'keys%5B%5D=svc_responsive&keys%5B%5D=svc_max_zoom&keys[]=svc_max_zoom',
    'keys=svc_responsive&keys=svc_max_zoom',
    'keys[0]=svc_responsive&keys[1]=svc_max_zoom',
    'keys=svc_responsive,svc_max_zoom',
    'keys[]=svc_responsive,svc_max_zoom',
  ]) {
    t.strictSame((await host.call('GET', `/settings/values?${query}`)).body.data, expected, query)
  }
  t.strictSame(
    (await host.call('GET', '/settings/values?keys=svc_responsive&fields=svc_responsive')).body.data,
    {
      svc_responsive: true,
    },
  )
})

t.test('1 to 100 keys are read at once', async (t) => {
  const host = await build(t)
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `svc_k${n}`)
  t.equal((await host.call('GET', values(...keys(100)))).status, 200)
  for (const count of [101, 10_000]) {
    const response = await host.call('GET', values(...keys(count)))
    t.match(response, {
      status: 400,
      body: { data: { params: { 'keys[]': 'must have at most 100 items' } } },
    })
  }
  t.match((await host.call('GET', '/settings/values')).body, {
    code: 'rest_missing_callback_param',
    data: { params: ['keys[]'] },
  })
})

t.test('keys without the prefix give 400 with their names, whatever characters they contain', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'default_role', 'administrator')
    const bad = [
      'default_role',
      'siteurl',
      'SVC_responsive',
      'svc_',
      'svc_%',
      ' svc_responsive',
      'svc_responsive ',
      'svc_x\u0000',
      'svc_ä',
      `svc_${'x'.repeat(188)}`,
    ]
    for (const response of [
      await host.call('GET', values(...bad, 'svc_responsive')),
      await host.call(
        'PATCH',
        '/settings',
        Object.fromEntries([...bad, 'svc_responsive'].map((key) => [key, true])),
      ),
    ]) {
      t.match(response, {
        status: 400,
        body: { code: 'rest_invalid_param', message: /default_role.*siteurl/s },
      })
      t.strictSame(Object.keys(response.body.data.params), bad)
    }
  }),
)

t.test('the two lists with a route of their own give 400 with that route', async (t) => {
  const host = await build(t)
  for (const [key, route] of [
    ['svc_text_templates', '/text-templates'],
    ['svc_color_library', '/color-library'],
  ] as const) {
    for (const response of [
      await host.call('GET', values(key)),
      await host.call('PATCH', '/settings', { [key]: [], svc_responsive: false }),
    ]) {
      t.match(response, { status: 400, body: { data: { params: { [key]: new RegExp(`use ${route}$`) } } } })
    }
  }
  t.same((await host.call('GET', values('svc_responsive'))).body.data, { svc_responsive: true })
})

t.test('a tab responds with its sections and values, a section with its own; other slugs give 404', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_common_fonts', 'Arial')
    const { data } = (await host.call('GET', '/settings/groups/fonts')).body
    t.match(data, {
      tab: 'fonts',
      sections: [{ section: 'fonts', sectionLabel: String, options: [{}, {}, {}] }],
    })
    t.match(data.sections[0].options[0], {
      id: 'svc_common_fonts',
      type: 'text',
      default: '',
      value: 'Arial',
    })
    const section = (await host.call('GET', '/settings/groups/layout')).body.data
    t.match(section, { tab: 'advanced', sections: [{ section: 'layout' }] })
    t.equal(section.sections.length, 1)
    const general = (await host.call('GET', '/settings/groups/general')).body.data
    t.equal(general.tab, 'general', 'where a slug is both, it is the tab')
    t.equal(general.sections.length, 5)
    const tabs = [
      ...new Set((await host.call('GET', '/settings')).body.data.map(({ tab }: { tab: string }) => tab)),
    ]
    for (const slug of ['nowhere', 'GENERAL', '__proto__', 'toString']) {
      t.match(await host.call('GET', `/settings/groups/${slug}`), {
        status: 404,
        body: {
          code: 'svc_settings_group_not_found',
          message: `No settings tab or section "${slug}"; the tabs are ${tabs.join(', ')}.`,
        },
      })
    }
    const listed = (await host.call('GET', '/settings/groups/text-templates')).body.data.sections[0].options
    t.match(listed, [{ id: 'svc_text_templates', value: null, route: '/text-templates' }])
    t.strictSame((await host.call('GET', '/settings/groups/api?fields=tab')).body.data, { tab: 'api' })
  }),
)

t.test('secrets are null and listed in meta.masked', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const secrets = [
      'svc_api_token',
      'svc_ae_s3_access_secret',
      'svc_pixabayApiKey',
      'svc_other_api_key',
      'svc_MY_PASSWORD',
    ]
    for (const key of secrets.slice(1)) await storeOption(host, key, 'hush')
    const response = await host.call('GET', values(...secrets, 'svc_max_zoom'))
    t.strictSame(response.body.meta.masked, secrets)
    t.strictSame(response.body.data, {
      ...Object.fromEntries(secrets.map((key) => [key, null])),
      svc_max_zoom: 3,
    })
    const written = await host.call('PATCH', '/settings', { svc_ae_s3_access_secret: 'new hush' })
    t.strictSame(written.body, {
      success: true,
      data: { svc_ae_s3_access_secret: null },
      meta: { masked: ['svc_ae_s3_access_secret'] },
    })
    for (const group of ['api', 'export', 'general']) {
      const { text, body } = await host.call('GET', `/settings/groups/${group}`)
      t.notMatch(text, /hush|0123456789abcdef/)
      t.ok(body.meta.masked.length > 0)
    }
    t.notMatch((await host.call('GET', '/settings')).text, /hush|0123456789abcdef/)
  }),
)

t.test('the tag of a group changes with any of its values, including secrets', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const path = '/settings/groups/export'
    const etag = (await host.call('GET', path)).headers.etag
    t.equal((await host.call('GET', path, undefined, { 'if-none-match': etag })).status, 304)
    await host.call('PATCH', '/settings', { svc_ae_s3_access_secret: 'other' })
    t.equal((await host.call('GET', path, undefined, { 'if-none-match': etag })).status, 200)
    t.equal((await host.call('HEAD', path)).status, 200)
  }),
)

t.test('an unreadable value is null and listed in meta, and the others are read', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_languages', 'O:8:"stdClass":0:{}')
    await storeOption(host, 'svc_max_zoom', 'much')
    const { status, body } = await host.call('GET', values('svc_languages', 'svc_max_zoom', 'svc_zoom_step'))
    t.equal(status, 200)
    t.strictSame(body.data, { svc_languages: null, svc_max_zoom: null, svc_zoom_step: 0.2 })
    t.strictSame(body.meta.unreadable, [
      { id: 'svc_languages', column: 'option_value' },
      { id: 'svc_max_zoom', column: 'option_value' },
    ])
    t.equal((await host.call('PATCH', '/settings', { svc_languages: ['de_DE'] })).status, 200)
  }),
)

t.test('a response without secrets and unreadable values has no meta', async (t) => {
  const host = await build(t)
  for (const path of [values('svc_responsive'), '/settings/groups/fonts']) {
    t.notOk('meta' in (await host.call('GET', path)).body, path)
  }
  t.strictSame((await host.call('PATCH', '/settings', { svc_responsive: false })).body, {
    success: true,
    data: { svc_responsive: false },
  })
})
