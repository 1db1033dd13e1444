// /text-templates: one list in one option row, flat in responses, shared with PHP and other processes.
import t from 'tap'
import { storeOption } from '../support/fixtures/rows.ts'
import { build, onEachEngine } from '../support/hosts/build.ts'
import { storedOption } from '../support/hosts/options.ts'

const path = '/text-templates'

t.test('a template is appended with the defaults, and stored nested in the option', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const created = await host.call('POST', path, { text: 'Grüße 👋' })
    t.equal(created.status, 201)
    t.equal(created.headers.location, 'https://shop.example/wp-json/svc/v1/text-templates/0')
    const template = { index: 0, text: 'Grüße 👋', font_family: '', font_size: 16, text_align: 'left' }
    t.strictSame(created.body.data, template)
    t.strictSame(JSON.parse((await storedOption(host, 'svc_text_templates')) ?? ''), [
      { text: 'Grüße 👋', properties: { fontFamily: '', fontSize: 16, textAlign: 'left' } },
    ])
    const list = await host.call('GET', path)
    t.strictSame(list.body, { success: true, data: [template], meta: { total: 1 } })
    t.equal(list.headers['x-wp-total'], '1')
  }),
)

t.test('PATCH changes the given fields, and keeps unknown properties', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const others = '{"text":"a","id":12345678901234567890,"properties":{"fontSize":"20","lineHeight":2}}'
    await storeOption(host, 'svc_text_templates', `[${others}]`)
    const patched = await host.call('PATCH', `${path}/0`, { text: 'b', index: 0 })
    t.match(patched.body.data, { text: 'b', font_size: 20, text_align: 'left' })
    t.equal(await storedOption(host, 'svc_text_templates'), `[${others.replace('"a"', '"b"')}]`)
    t.match((await host.call('PATCH', `${path}/0`, { index: 3 })).body, {
      data: { params: ['text', 'font_family', 'font_size', 'text_align'] },
    })
    t.match(await host.call('PATCH', `${path}/0`, { text: 'c', index: 1 }), {
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { index: /cannot be changed/ } } },
    })
  }),
)

t.test('an entry that is not an object keeps its bytes when others are written', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_text_templates', '["old",null,{"text":"a"}]')
    await host.call('PATCH', `${path}/2`, { text: 'b' })
    await host.call('POST', path, { text: 'c' })
    t.match(JSON.parse((await storedOption(host, 'svc_text_templates')) ?? ''), [
      'old',
      null,
      { text: 'b' },
      { text: 'c' },
    ])
    t.match((await host.call('GET', path)).body.data[0], { index: 0, text: '', font_size: 16 })
    t.equal((await host.call('PATCH', `${path}/1`, { text: 'd' })).status, 200)
    t.equal((await host.call('DELETE', `${path}/0`)).status, 200)
    t.match((await host.call('GET', path)).body.data, [{ text: 'd' }, { text: 'b' }, { text: 'c' }])
  }),
)

t.test('PUT replaces the list; an item with its index keeps unknown properties', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(
      host,
      'svc_text_templates',
      '[{"text":"a","color":"red","properties":{"fontSize":9,"bold":true}},{"text":"b"}]',
    )
    const replaced = await host.call('PUT', path, { templates: [{ text: 'new' }, { index: 0, text: 'A' }] })
    t.equal(replaced.status, 200)
    t.strictSame(
      replaced.body.data.map(({ index, text }: { index: number; text: string }) => [index, text]),
      [
        [0, 'new'],
        [1, 'A'],
      ],
    )
    t.match(JSON.parse((await storedOption(host, 'svc_text_templates')) ?? ''), [
      { text: 'new' },
      { text: 'A', color: 'red', properties: { bold: true, fontSize: 16 } },
    ])
    t.same((await host.call('PUT', path, { templates: [] })).body.meta, { total: 0 })
  }),
)

t.test('a list with a duplicate or unknown index gives 400, and nothing changes', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await host.call('POST', path, { text: 'a' })
    for (const templates of [
      [
        { text: 'x', index: 0 },
        { text: 'y', index: 0 },
      ],
      [{ text: 'x', index: 1 }],
      [{ text: 'x', size: 3 }],
      [{ text: ' ' }],
      'none',
    ]) {
      const response = await host.call('PUT', path, { templates })
      t.match(response, {
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { templates: String } } },
      })
    }
    t.match((await host.call('GET', path)).body.data, [{ text: 'a' }])
  }),
)

t.test('deleting a template moves later ones up', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    for (const text of ['a', 'b', 'c']) await host.call('POST', path, { text })
    t.strictSame((await host.call('DELETE', `${path}/0`)).body.data, { index: 0, deleted: true })
    t.match((await host.call('GET', `${path}/0`)).body.data, { index: 0, text: 'b' })
    t.equal((await host.call('GET', `${path}/2`)).body.code, 'svc_text_template_not_found')
  }),
)

t.test(
  'positions start at 0; a malformed one gives the 404 of unknown routes, one outside the list its own 404',
  async (t) => {
    const host = await build(t)
    for (const index of ['-1', '00', '01', '1.0', 'abc', '9007199254740992']) {
      t.equal((await host.call('GET', `${path}/${index}`)).body.code, 'rest_no_route', index)
    }
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const response = await host.call(method, `${path}/0`, method === 'PATCH' ? { text: 'a' } : undefined)
      t.equal(response.body.code, 'svc_text_template_not_found', method)
    }
  },
)

t.test('a stale tag gives 412 where the position has shifted', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    for (const text of ['a', 'b', 'c']) await host.call('POST', path, { text })
    const etag = (await host.call('GET', `${path}/1`)).headers.etag
    t.equal(etag, (await host.call('GET', path)).headers.etag, 'a template carries the tag of its list')
    await host.call('DELETE', `${path}/0`)
    const headers = { 'if-match': etag }
    const responses = [
      await host.call('PATCH', `${path}/1`, { text: 'x' }, headers),
      await host.call('DELETE', `${path}/1`, undefined, headers),
      await host.call('PUT', path, { templates: [] }, headers),
    ]
    t.strictSame(
      responses.map(({ body }) => body.code),
      Array(3).fill('svc_precondition_failed'),
    )
    const fresh = (await host.call('GET', path)).headers.etag
    const written = await host.call('PATCH', `${path}/1`, { text: 'x' }, { 'if-match': fresh })
    t.equal(written.status, 200)
    t.equal((await host.call('GET', path, undefined, { 'if-none-match': written.headers.etag })).status, 304)
  }),
)

t.test('a font that is neither uploaded nor a system or web font gives 422', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_fonts_directory', 'a:1:{i:0;s:15:"Great_Vibes.ttf";}')
    await storeOption(host, 'svc_common_fonts', 'Arial, Times New Roman')
    await storeOption(host, 'svc_google_webfonts', 'a:1:{i:0;s:13:"Open+Sans:400";}')
    for (const font_family of ['', 'Great Vibes', 'Times New Roman', 'Open Sans']) {
      t.equal((await host.call('POST', path, { text: 'a', font_family })).status, 201, font_family)
    }
    for (const method of ['POST', 'PATCH', 'PUT']) {
      const template = { text: 'a', font_family: 'Great Vibes.ttf' }
      const body = method === 'PUT' ? { templates: [template] } : template
      const response = await host.call(method, method === 'PATCH' ? `${path}/0` : path, body)
      t.match(response, {
        status: 422,
        body: { code: 'svc_text_template_invalid', errors: [/is not offered/] },
      })
    }
    await storeOption(host, 'svc_common_fonts', '')
    const kept = { index: 2, text: 'b', font_family: 'Times New Roman' }
    t.equal((await host.call('PATCH', `${path}/2`, kept)).status, 200, 'a font that it has already may stay')
  }),
)

t.test('a fresh installation offers five system fonts, until the setting lists others', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const fonts = ['Arial', 'Helvetica', 'Times New Roman', 'Verdana', 'Geneva']
    const statusOf = async (font_family: string) =>
      (await host.call('POST', path, { text: 'a', font_family })).status
    for (const font of fonts) t.equal(await statusOf(font), 201, font)
    t.equal(await statusOf('Courier'), 422)
    await storeOption(host, 'svc_fonts_directory', 'a:1:{i:0;s:10:"Lobster.ttf";}')
    t.equal(await statusOf('Arial'), 201, 'the other settings change nothing')
    for (const stored of ['', 'Courier']) {
      await storeOption(host, 'svc_common_fonts', stored)
      t.equal(await statusOf('Arial'), 422, stored)
    }
    t.equal(await statusOf('Courier'), 201)
  }),
)

t.test('settings that are sent back as they were read do not change the fonts of a fresh installation', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const offers = async (font_family: string) =>
      (await host.call('POST', path, { text: 'a', font_family })).status === 201
    const keys = 'keys[]=svc_common_fonts&keys[]=svc_google_webfonts&keys[]=svc_fonts_directory'
    const values = (await host.call('GET', `/settings/values?${keys}`)).body.data
    t.equal(values.svc_common_fonts, '')
    const sent = await host.call('PATCH', '/settings', values)
    t.match(sent, { status: 200, body: { data: { svc_common_fonts: '' } } })
    t.ok(await offers('Arial'))
    for (const [value, isOffered] of [
      [',', false],
      ['Arial', true],
      ['', false],
    ] as const) {
      t.equal((await host.call('PATCH', '/settings', { svc_common_fonts: value })).status, 200)
      t.equal(await offers('Arial'), isOffered, `"${value}"`)
    }
  }),
)

t.test('an entry equal to a stored one is accepted although its font is no longer offered', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    const properties = { fontFamily: 'Gone', fontSize: 9, textAlign: 'right', lineHeight: 2 }
    await storeOption(host, 'svc_text_templates', JSON.stringify([{ text: 'a', properties }, { text: 'b' }]))
    const gone = { text: 'a', font_family: 'Gone', font_size: 9, text_align: 'right' }
    const put = (...templates: object[]) => host.call('PUT', path, { templates })
    t.match(await put({ text: 'new' }, { text: 'b' }, gone), {
      status: 200,
      body: { data: [{ text: 'new' }, { text: 'b' }, { index: 2, ...gone }] },
    })
    t.match(await put({ text: 'b' }, { ...gone, font_size: 10 }), {
      status: 422,
      body: { errors: [/templates\[1\].*"Gone" is not offered/] },
    })
    const read = (await host.call('GET', path)).body.data
    t.strictSame((await put(...read.toReversed())).status, 200, 'what was read can be sent back')
    const plain = read.map(({ index: _, ...item }: { index: number }) => item)
    t.equal((await put(...plain, ...plain)).status, 200)
  }),
)

t.test('bodies are validated field by field', async (t) => {
  const host = await build(t)
  t.match((await host.call('POST', path, {})).body, {
    code: 'rest_missing_callback_param',
    data: { params: ['text'] },
  })
  const bad = { text: '', font_size: 0, text_align: 'justify', font_family: null, angle: 1 }
  t.strictSame((await host.call('POST', path, bad)).body.data.params, {
    text: 'must be 1 to 65,535 characters long and not only whitespace',
    font_size: 'must be at least 1',
    text_align: 'must be one of left, center, right',
    font_family: 'must be a string',
    angle: 'is not a known property',
  })
  t.equal(
    (await host.call('POST', path, { text: '\ud800' })).status,
    422,
    'half a surrogate pair would make PHP lose the list',
  )
})

t.test('a list of PHP is read in every encoding: slashes, gaps, serialized', async (t) => {
  const host = await build(t)
  for (const value of [
    '[{\\"text\\":\\"a\\"}]',
    '{"3":{"text":"a"}}',
    'a:1:{i:0;a:1:{s:4:"text";s:1:"a";}}',
    '[{"text":"a","properties":{"fontSize":"x","textAlign":"up"}}]',
  ]) {
    await storeOption(host, 'svc_text_templates', value)
    const { body } = await host.call('GET', path)
    t.match(body.data, [{ index: 0, text: 'a', font_family: '', font_size: 16, text_align: 'left' }], value)
  }
})

t.test('an unreadable list gives 500, is not overwritten by an append, and can be replaced whole', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine })
    await storeOption(host, 'svc_text_templates', 'O:8:"stdClass":0:{}')
    const place = { table: 'wp_options', row: 'svc_text_templates', column: 'option_value' }
    t.match(await host.call('GET', path), {
      status: 500,
      body: { code: 'svc_unreadable_value', data: place },
    })
    t.equal((await host.call('POST', path, { text: 'a' })).status, 500)
    t.equal(await storedOption(host, 'svc_text_templates'), 'O:8:"stdClass":0:{}')
    t.equal((await host.call('PUT', path, { templates: [{ text: 'a' }] })).status, 200)
  }),
)

t.test(
  'fields selects fields, HEAD responds like GET, and a disabled group gives the 404 of unknown routes',
  async (t) => {
    const host = await build(t)
    await host.call('POST', path, { text: 'a' })
    t.strictSame((await host.call('GET', `${path}?fields=text`)).body.data, [{ text: 'a' }])
    t.equal((await host.call('GET', `${path}/0?fields=size`)).status, 400)
    const head = await host.call('HEAD', path)
    t.match([head.status, head.text, head.headers.etag], [200, '', String])
    t.equal((await host.call('POST', path, { text: 'x'.repeat(1024 * 1024) })).status, 413)
    await host.call('PATCH', '/settings', { svc_api_text_templates_enabled: false })
    t.equal((await host.call('GET', path)).body.code, 'rest_no_route')
  },
)

t.test(
  'a template of whitespace that PHP stored can be sent back in its place, and nobody can add one',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const host = await build(t, { engine })
      const stored = '[{"text":"","properties":{"fontFamily":"","fontSize":16,"textAlign":"left"},"id":7}]'
      await storeOption(host, 'svc_text_templates', stored)
      const { body } = await host.call('GET', path)
      t.equal((await host.call('PUT', path, { templates: body.data })).status, 200)
      t.equal((await host.call('PATCH', `${path}/0`, { ...body.data[0], font_size: 16 })).status, 200)
      t.equal(await storedOption(host, 'svc_text_templates'), stored)
      for (const templates of [
        [{ text: '' }],
        [...body.data, { text: ' ' }],
        [{ ...body.data[0], text: ' ' }],
      ]) {
        t.match(await host.call('PUT', path, { templates }), {
          status: 400,
          body: { data: { params: { templates: /\.text: it must not be only whitespace/ } } },
        })
      }
    }),
)
