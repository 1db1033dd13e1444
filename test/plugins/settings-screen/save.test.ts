// Saving on the settings screen: what is written, what is refused, and what of others stays.
import t from 'tap'
import { onEachDialect, token } from '../../support/hosts/build.ts'
import { buildScreen, rowsOf, type ScreenPage, store } from '../../support/hosts/screen.ts'

const tabs = [
  'general',
  'element-properties',
  'fonts',
  'colors',
  'woocommerce',
  'export',
  'addons',
  'advanced',
  'api',
]

const shownIn = (page: ScreenPage, name: string): unknown =>
  Reflect.get(Object(page.document.querySelector(`main [name="${name}"]:not([type=hidden])`)), 'value')

/** As PHP and others leave them; each may be looked at and sent back. */
const odd: Record<string, string> = {
  svc_languages: 'a:2:{i:0;s:5:"en_US";i:1;i:7;}',
  svc_google_webfonts: 'a:1:{i:3;s:12:" Open\nSans  ";}',
  svc_global_products: 'a:2:{i:0;i:12;i:1;s:2:"13";}',
  svc_color_lists: '{"a":{"id":12345678901234567890,"b":"\\u0000"}}',
  svc_hex_names: 'first\nsecond\n',
  svc_color_prices: 'first\r\nsecond',
  svc_custom_texts_parameter_replace: 'first\r\nsecond',
  svc_color_colorPickerPalette: '\nleading',
  svc_dynamic_views_formats: 'lone\rbreak\nand\r\nmixed',
  svc_watermark_image: 'nul\0 here',
  svc_all_image_colors: '  edges  ',
  svc_product_designer_visibility: 'nowhere',
  svc_rulerUnit: 'yards',
  svc_printful_region: 's:2:"EU";',
  svc_printful_api_key: 'hush-hush',
  svc_ae_image_dpi: '300.50',
  svc_iqr_low_width: '',
  svc_iqr_low_height: '12345678901234567890',
  svc_ae_hide_crop_marks: '1',
  svc_ae_email_attachment: 'a:1:{i:0;i:1;}',
  svc_api_fonts_enabled: ' ON ',
  svc_custom_texts_parameter_colors: 'x'.repeat(70_000),
  svc_designs_parameter_patterns: 'a:broken',
}

t.test('a form that nobody touched writes nothing, whatever others have stored', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    await store(host, odd)
    const before = await rowsOf(host)
    for (const tab of tabs) {
      const page = await client.save(tab)
      t.strictSame(page.texts('[role=status]'), ['Nothing was changed.'], tab)
    }
    t.strictSame(await rowsOf(host), before)
  }),
)

t.test('one touched field is the only row that is written', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    await store(host, odd)
    const before = await rowsOf(host)
    const changes: [tab: string, key: string, sent: string | string[], stored: string][] = [
      ['colors', 'svc_hex_names', 'f00:first\r\nnew\r\nsecond\r\n', 'f00:first\nnew\nsecond\n'],
      ['element-properties', 'svc_custom_texts_parameter_replace', 'first\r\nnew', 'first\r\nnew'],
      ['colors', 'svc_color_lists', '{"a":{"id":12345678901234567891}}', '{"a":{"id":12345678901234567891}}'],
      [
        'general',
        'svc_languages',
        'en_US\r\n7\r\n de_DE \r\n',
        'a:3:{i:0;s:5:"en_US";i:1;i:7;i:2;s:5:"de_DE";}',
      ],
      ['woocommerce', 'svc_global_products', '13\r\n12\r\n13', 'a:3:{i:0;s:2:"13";i:1;i:12;i:2;s:2:"13";}'],
      ['general', 'svc_rulerUnit', 'cm', 'cm'],
      ['export', 'svc_ae_image_dpi', ' +150.25 ', '150.25'],
      ['export', 'svc_ae_email_attachment', ['no', 'yes'], 'yes'],
      ['export', 'svc_printful_api_key', ' new ', ' new '],
      [
        'export',
        'svc_pro_export_webhook_url',
        'https://router.example/?a=b&c=ü+%',
        'https://router.example/?a=b&c=ü+%',
      ],
    ]
    for (const [tab, key, sent, stored] of changes) {
      const page = await client.save(tab, { [key]: sent })
      t.strictSame(page.texts('[role=status]'), ['1 setting was saved.'], key)
      before[key] = stored
      t.strictSame(await rowsOf(host), before, key)
    }
  }),
)

t.test('an emptied number is null where its default is, else it is refused', async (t) => {
  const { host, client } = await buildScreen(t)
  await store(host, { svc_iqr_low_width: '5' })
  const group = (await host.call('GET', '/settings/values?keys[]=svc_iqr_low_width')).body.data
  t.equal(group.svc_iqr_low_width, 5)
  const place = (await host.call('GET', '/settings?search=svc_iqr_low_width')).body.data[0].tab
  await client.save(place, { svc_iqr_low_width: '' })
  t.equal((await rowsOf(host)).svc_iqr_low_width, '')
  const page = await client.save('export', { svc_ae_image_dpi: '' })
  t.equal(page.status, 400)
})

t.test(
  'all fields of a form are saved or none; what is wrong stands beside its field, with all that was entered',
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const { host, client } = await buildScreen(t, { engine })
      const before = await rowsOf(host)
      const page = await client.save('export', {
        svc_ae_image_dpi: '30O',
        svc_ae_output_file: 'exe',
        svc_pro_export_webhook_url: 'https://router.example/',
        svc_ae_hide_crop_marks: ['no', 'yes'],
        svc_ae_s3_bucket: 'shop',
        svc_printful_api_key: 'hush-hush',
      })
      t.equal(page.status, 400)
      t.strictSame(await rowsOf(host), before)
      t.match(page.texts('title')[0], /^Error: /)
      t.strictSame(page.texts('[role=alert] li'), [
        'Output File must be one of pdf, jpeg, png, zip_pdf_fonts, zip_pdf_custom_images.',
        'Image DPI must be a number.',
      ])
      t.strictSame(page.texts('.wrong .name'), ['Output File', 'Image DPI'])
      const wrong = page.document.getElementById('svc_ae_image_dpi')
      t.equal(wrong?.getAttribute('aria-invalid'), 'true')
      const described = wrong?.getAttribute('aria-describedby')?.split(' ').at(-1) ?? ''
      t.equal(page.document.getElementById(described)?.textContent, 'Image DPI must be a number.')
      t.strictSame(
        ['svc_ae_image_dpi', 'svc_ae_output_file', 'svc_pro_export_webhook_url', 'svc_ae_s3_bucket'].map(
          (name) => shownIn(page, name),
        ),
        ['30O', 'exe', 'https://router.example/', 'shop'],
      )
      t.ok(page.document.querySelector('#svc_ae_hide_crop_marks[checked]'))
      // A secret is not even shown to who has just entered it.
      t.notMatch(page.text, 'hush-hush')
      t.match(page.texts('#field-svc_printful_api_key')[0], 'Please enter it again')

      const fixed = await client.submit(page, 'export', {
        svc_ae_image_dpi: '150',
        svc_ae_output_file: 'png',
      })
      t.equal(fixed.headers.location, 'export?saved=5')
      const rows = await rowsOf(host)
      t.strictSame(
        [rows.svc_ae_image_dpi, rows.svc_ae_s3_bucket, rows.svc_ae_hide_crop_marks],
        ['150', 'shop', 'yes'],
      )
    }),
)

t.test(
  'a secret is kept by an empty field, replaced by what is entered, and removed only where asked',
  async (t) => {
    const { host, client } = await buildScreen(t)
    const stored = async () => (await rowsOf(host)).svc_printful_api_key
    await client.save('export', { svc_printful_api_key: 'one' })
    await client.save('export', { svc_ae_s3_bucket: 'other' })
    t.equal(await stored(), 'one')
    await client.save('export', { svc_printful_api_key: 'two' })
    t.equal(await stored(), 'two')
    const page = await client.save('export', { _remove: 'svc_printful_api_key' })
    t.match(page.texts('#field-svc_printful_api_key strong')[0], 'Not set')
    t.equal(await stored(), '')
    // Nothing but a secret of the tab can be removed so.
    await client.save('export', { _remove: ['svc_ae_s3_bucket', 'svc_api_token', 'home'] })
    const rows = await rowsOf(host)
    t.strictSame([rows.svc_ae_s3_bucket, rows.svc_api_token], ['other', token])
  },
)

t.test('fields of other tabs, read-only ones and unknown ones in a form change nothing', async (t) => {
  const { host, client } = await buildScreen(t)
  const before = await rowsOf(host)
  const page = await client.save('export', {
    svc_api_token: '',
    svc_api_products_enabled: 'no',
    svc_color_library: '{}',
    svc_guard_catalog: 'x',
    home: 'https://evil.example',
    ['__proto__']: 'x',
    constructor: 'x',
  })
  t.strictSame(page.texts('[role=status]'), ['Nothing was changed.'])
  t.strictSame(await rowsOf(host), before)
})

t.test('settings of the host with choices, lists and objects are fields like any other', async (t) => {
  const setting = (id: string, rest: object) => ({
    id,
    label: id,
    description: 'Of the host.',
    tab: 'own',
    section: 'own',
    sectionLabel: 'Own',
    ...rest,
  })
  const { host, client } = await buildScreen(t, {
    settings: [
      setting('svc_own_size', { type: 'number', default: 2, choices: ['1', '2', '3'] }),
      setting('svc_own_list', { type: 'multiselect', default: ['a'], choices: ['a', 'b', 'c'] }),
      setting('svc_own_order', { type: 'select-sortable', default: [], choices: ['a', 'b'] }),
      setting('svc_own_fixed', { type: 'text', default: '', readOnly: true }),
    ] as never,
  })
  const page = await client.save('own', {
    svc_own_size: '3',
    svc_own_list: ['', 'c', 'b'],
    svc_own_order: 'b\r\na',
    svc_own_fixed: 'x',
  })
  t.strictSame(page.texts('[role=status]'), ['3 settings were saved.'])
  const keys = ['size', 'list', 'order', 'fixed'].map((name) => `keys[]=svc_own_${name}`).join('&')
  t.strictSame((await host.call('GET', `/settings/values?${keys}`)).body.data, {
    svc_own_size: 3,
    svc_own_list: ['b', 'c'],
    svc_own_order: ['b', 'a'],
    svc_own_fixed: '',
  })
  // What others stored in another order, twice or beside the choices stays so, and what is ticked comes behind it.
  const stored = ['c', 'c', 'x', 'b']
  await store(host, {
    svc_own_list: `a:4:{${stored.map((item, place) => `i:${place};s:1:"${item}";`).join('')}}`,
  })
  const before = await rowsOf(host)
  t.strictSame((await client.save('own')).texts('[role=status]'), ['Nothing was changed.'])
  t.strictSame(await rowsOf(host), before)
  await client.save('own', { svc_own_size: '1' })
  t.strictSame(await rowsOf(host), { ...before, svc_own_size: '1' })
  await client.save('own', { svc_own_list: [''] })
  t.strictSame((await host.call('GET', `/settings/values?${keys}`)).body.data.svc_own_list, [])
  t.equal((await client.save('own', { svc_own_size: '4' })).status, 400)
})

t.test(
  'the size of uploads: the page and the notice say that the master print profile decides',
  async (t) => {
    const { host, client } = await buildScreen(t, {}, { referenceUrl: '/reference' })
    const key = 'svc_uploaded_designs_parameter_maxSize'
    const atField = (page: { texts(selector: string): string[] }) =>
      page.texts(`#field-${key} .remark`).join()
    t.equal(atField(await client.get('element-properties')), '')
    const data = { customImageParameters: { maxSize: 10 } }
    await host.call('POST', '/print-profiles', { name: 'Textile', data, is_master: true })
    const sentence = 'The master print profile “Textile” sets 10 MB, which takes precedence.'
    const page = await client.save('element-properties', { [key]: '25' })
    t.match(page.texts('[role=status]').join(), `1 setting was saved. ${sentence}`)
    t.equal(page.document.querySelector('[role=status] a')?.getAttribute('href'), '/reference')
    t.match(atField(page), sentence)
    const other = await client.save('element-properties', { svc_custom_texts_parameter_replace: 'x' })
    t.strictSame(other.texts('[role=status]'), ['1 setting was saved.'])
  },
)
