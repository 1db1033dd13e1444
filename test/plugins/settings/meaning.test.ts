// Settings that nobody can mean: numbers outside their ranges, and texts with several values in no known form.
import t from 'tap'
import { runningContext } from '../../../src/http/running-apis.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'
import { storedOption } from '../../support/hosts/options.ts'
import { buildScreen } from '../../support/hosts/screen.ts'

rule('a number outside its range is 400 with the range, and nothing is written', async (t, host) => {
  const bad = {
    svc_ae_image_dpi: -5,
    svc_max_zoom: 0,
    svc_uploaded_designs_parameter_maxSize: 257,
    svc_designs_parameter_bounding_box_width: -1,
    svc_sharing_cache_days: 1e9,
  }
  const { status, body } = await host.call('PATCH', '/settings', { ...bad, svc_zoom_step: 0.5 })
  t.equal(status, 400)
  t.strictSame(body.data.params, {
    svc_ae_image_dpi: 'must be between 1 and 2400',
    svc_max_zoom: 'must be between 0.001 and 1000',
    svc_uploaded_designs_parameter_maxSize: 'must be between 0.001 and 256',
    svc_designs_parameter_bounding_box_width: 'must be between 0 and 1000000',
    svc_sharing_cache_days: 'must be between 0 and 36500',
  })
  for (const key of [...Object.keys(bad), 'svc_zoom_step']) t.equal(await storedOption(host, key), undefined)
  const good = {
    svc_ae_image_dpi: 2400,
    svc_designs_parameter_x: -12.5,
    svc_designs_parameter_bounding_box_width: null,
  }
  t.strictSame((await host.call('PATCH', '/settings', good)).body.data, good)
})

t.test('each number of the catalog has a range, in which its default lies', async (t) => {
  const { catalog } = runningContext((await build(t)).app)
  for (const { id, type, default: standard, minimum, maximum } of catalog.all) {
    if (type !== 'number') continue
    t.ok(minimum !== undefined && maximum !== undefined && minimum < maximum, id)
    t.ok(
      standard === null || (Number(standard) >= Number(minimum) && Number(standard) <= Number(maximum)),
      id,
    )
  }
})

rule('a text with several values in no known form is 400 with an example', async (t, host) => {
  const bad = {
    svc_hex_names: ['nonsense', 'red:Red', '000000', '#12:X', 'f00:Red,nonsense', ':', 'ff00000:Red'],
    svc_color_prices: ['nonsense', 'f00:free', '000:-1', '000:1e9', 'red:1', '000:1:2'],
    svc_color_colorPickerPalette: ['nonsense', '#ff', '#f00;#0f0', 'url(x)', 'warm'],
    svc_all_text_colors: ['nonsense', '#f00,nope', '#ggg'],
    svc_dynamic_views_formats: ['nonsense', '210', '210x297', '0:5', '-1:5', '1:2:3', ':'],
    svc_file_name: ['../{number}', '{evil}', '{number', '{number}\\{item}', `{number}${'x'.repeat(200)}`],
    svc_printable_statuses: ['bla;drop', 'processing packed', 'on-hold,é', 'a\u0000b'],
    svc_auto_print_statuses: ['wc-processing;'],
    svc_shortcode_order_mail_addresses: ['nonsense', 'a@b.example c@d.example', '@', 'a@b@c'],
    svc_color_lists: [
      { warm: 'red' },
      { warm: { name: 5 } },
      { warm: { colors: 'nonsense' } },
      { warm: { colors: ['#f00', 5] } },
      { warm: null },
    ],
  }
  for (const [key, values] of Object.entries(bad)) {
    for (const value of values) {
      const { status, body } = await host.call('PATCH', '/settings', { [key]: value })
      t.strictSame([status, Object.keys(body.data.params)], [400, [key]], JSON.stringify(value))
      t.match(body.data.params[key], /^must (be|have) .* such as|^must be e-mail addresses/)
    }
    t.equal(await storedOption(host, key), undefined)
  }
})

rule(
  'PATCH /settings: places, regions, file types and prices that mean nothing are 400 with their names',
  async (t, host) => {
    const bad = {
      svc_color_selection_placement: 'somewhere nice',
      svc_bulkVariationsPlacement: '<b>',
      svc_3d_preview_placement: 'a,b',
      svc_view_thumbnails_placement: '../none',
      svc_imagick_filter: 'blur; rm',
      svc_wc_add_to_cart_product_load: 'the product!',
      svc_pro_export_method: 'by hand',
      svc_printful_region: 'EU, US',
      svc_ae_s3_region: 'eu.central.1',
      svc_pixabayLang: 'English please',
      svc_allowedImageTypes: ['jpeg', 'image/png'],
      svc_textLinkGroupProps: ['fill', 'font size'],
    }
    const prices = { svc_designs_parameter_price: 'free', svc_custom_texts_parameter_price: '5 EUR' }
    const { status, body } = await host.call('PATCH', '/settings', { ...bad, ...prices })
    t.equal(status, 400)
    const word = 'must be a word of letters, digits, hyphens and underscores'
    const price = 'must be a price such as 2.5'
    t.strictSame(body.data.params, {
      ...Object.fromEntries(Object.keys(bad).map((key) => [key, word])),
      ...Object.fromEntries(Object.keys(prices).map((key) => [key, price])),
    })
    const good = {
      svc_imagick_filter: 'FILTER_LANCZOS',
      svc_view_thumbnails_placement: 'outside-main-left',
      svc_allowedImageTypes: ['jpeg', 'svg'],
      svc_designs_parameter_price: '2,50',
      svc_pixabayLang: '',
    }
    t.strictSame((await host.call('PATCH', '/settings', good)).body.data, good)
  },
)

rule('what can be meant is saved as it was sent', async (t, host) => {
  const good: Record<string, unknown[]> = {
    svc_hex_names: ['', '000000:Black', '#F00:Red: deep , 0f0:', ',,000:,', "f00:Kid's red"],
    svc_color_prices: ['', '000000:2.5,fff:0', '#000:'],
    svc_color_colorPickerPalette: ['', '#000,FFAA00', ' , #111 ,'],
    svc_dynamic_views_formats: ['', '210:297,148.5:210', ' 10 : 20 '],
    svc_file_name: ['', '{date} {number}-{sku}'],
    svc_printable_statuses: ['', 'wc-processing, packed,', 'completed'],
    svc_shortcode_order_mail_addresses: ['', 'a@shop.example, b@shop.example'],
    svc_color_lists: [
      {},
      { warm: { name: 'Warm', colors: '#f00,#0f0,', own: 1 }, cold: {} },
      { a: { colors: ['#00f'] } },
    ],
  }
  for (const [key, values] of Object.entries(good))
    for (const value of values) {
      const { status, text, body } = await host.call('PATCH', '/settings', { [key]: value })
      t.equal(status, 200, text)
      t.strictSame(body.data[key], value)
    }
  const named = { svc_all_image_colors: '#f00,a' }
  t.strictSame((await host.call('PATCH', '/settings', named)).body.data, named, 'a stored color list')
  const both = { svc_all_text_colors: 'cool', svc_color_lists: { cool: { colors: '#00f' } } }
  t.strictSame((await host.call('PATCH', '/settings', both)).body.data, both, 'a list of the same request')
})

rule(
  'what others stored against the rules may be sent back, but not given to another setting',
  async (t, host) => {
    const odd = { svc_ae_image_dpi: '-5', svc_hex_names: 'nonsense', svc_color_lists: '{"a":"b"}' }
    for (const [key, value] of Object.entries(odd)) await storeOption(host, key, value)
    const keys = Object.keys(odd).map((key) => `keys[]=${key}`)
    const { data } = (await host.call('GET', `/settings/values?${keys.join('&')}`)).body
    t.strictSame(data, { svc_ae_image_dpi: -5, svc_hex_names: 'nonsense', svc_color_lists: { a: 'b' } })
    t.equal((await host.call('PATCH', '/settings', data)).status, 200)
    for (const [key, value] of Object.entries(odd)) t.equal(await storedOption(host, key), value)
    t.equal((await host.call('PATCH', '/settings', { svc_max_zoom: -5 })).status, 400)
    t.equal((await host.call('PATCH', '/settings', { svc_ae_image_dpi: -6 })).status, 400)
  },
)

t.test('the settings screen says the same beside the field', async (t) => {
  const { host, client } = await buildScreen(t)
  const page = await client.save('export', { svc_ae_image_dpi: '-5' })
  t.equal(page.status, 400)
  t.match(page.texts('#field-svc_ae_image_dpi').join(), /must be between 1 and 2400/i)
  const colors = await client.save('colors', { svc_hex_names: 'nonsense' })
  t.match(colors.texts('#field-svc_hex_names').join(), /pairs such as ff0000:Red/)
  t.equal(await storedOption(host, 'svc_ae_image_dpi'), undefined)
})
