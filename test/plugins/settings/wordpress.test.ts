// The real CMS on the same rows: its get_option after our write, and our GET after its update_option.
import type { Test } from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, freshAddress, type ServerEngine } from '../../support/hosts/build.ts'
import { onServers } from '../../support/hosts/fresh-host.ts'
import { installWordpress } from '../../support/wordpress/wordpress.ts'

const texts = {
  svc_downloadFilename: `"double" 'single' \`back\` \\ \\' \\\\" &quot; ‚low‘ «angle»`,
  svc_start_customizing_css_class: '👩‍👩‍👧 𝒳 ß 漢\t\r\n end ',
  svc_common_fonts: ',',
  svc_custom_texts_parameter_replace: 'a:1:{i:0;s:1:"x";}',
  svc_textLinkGroup_x: 's:3:"abc";',
  svc_wc_product_image_css_selector: 'b:0;',
  svc_instagram_client_id: 'N;',
  svc_designs_parameter_replace: 'i:5;',
  svc_bulkVariations_written: 's:100:"broken";',
  svc_namesNumbersDropdown: '{"looks":"like JSON"}',
  svc_facebook_app_id: '0123456789012345678901234567890',
  svc_ae_s3_bucket: 'a: no array; {}',
}

const ours = {
  ...texts,
  svc_responsive: true,
  svc_smartGuides: false,
  svc_max_zoom: 2.5,
  svc_designs_parameter_x: -0.1,
  svc_padding_controls: 0,
  svc_iqr_low_width: null,
  svc_sharing_social_networks: ['de_DE', `o'clock "x"`, '👋', 7, 0.5],
  svc_global_products: [],
  svc_color_lists: { 'my-list': { name: `Kid's "red" 👋`, colors: '#f00,#0f0' } },
  svc_x_nested: { list: [1, [2, { deep: [true, null, 'x', 1.25] }]], '5': 'five', '': 'empty' },
  svc_x_model: { list: [1, [2, { deep: [true, null, 'x', 1.25] }]], slash: 'a/b\\c"d' },
}

/** What PHP has where it lacks a type for the value: strings for numbers and flags, JSON strings for models. */
const inPhp: Record<string, unknown> = {
  ...ours,
  svc_responsive: 'yes',
  svc_smartGuides: 'no',
  svc_max_zoom: '2.5',
  svc_designs_parameter_x: '-0.1',
  svc_padding_controls: '0',
  svc_iqr_low_width: '',
  svc_color_lists: JSON.stringify(ours.svc_color_lists),
  svc_x_model: JSON.stringify(ours.svc_x_model),
}

const keysOf = (values: object) =>
  Object.keys(values)
    .map((key) => `keys[]=${key}`)
    .join('&')

async function shop(t: Test, engine: ServerEngine) {
  const address = await freshAddress(t, engine)
  const wordpress = await installWordpress(t, address)
  const host = await build(t, { engine, address })
  await storeOption(host, 'svc_textLinkGroup_x', '')
  await storeOption(host, 'svc_x_nested', 'a:0:{}')
  await storeOption(host, 'svc_x_model', '{}')
  return { ...wordpress, ...host }
}

onServers(
  'get_option reads what we wrote: flags, numbers, strings, arrays, models, empty values',
  async (t, engine) => {
    const { call, wp } = await shop(t, engine)
    t.match(await call('PATCH', '/settings', ours), { status: 200, body: { data: ours } })
    const read = await wp(
      `$keys = json_decode(file_get_contents('php://stdin'));
     echo json_encode(array_combine($keys, array_map('get_option', $keys)), JSON_PRESERVE_ZERO_FRACTION);`,
      JSON.stringify(Object.keys(ours)),
    )
    t.strictSame(JSON.parse(read), inPhp)
    t.strictSame(
      (await call('GET', `/settings/values?${keysOf(ours)}`)).body.data,
      ours,
      'and we read the same',
    )
  },
)

onServers('the response has what update_option wrote, with its types', async (t, engine) => {
  const { call, wp } = await shop(t, engine)
  const update = `foreach (json_decode(file_get_contents('php://stdin'), true) as $key => $value) update_option($key, $value);`
  await wp(update, JSON.stringify(inPhp))
  t.strictSame((await call('GET', `/settings/values?${keysOf(ours)}`)).body.data, ours)
  // As PHP's own types, which its settings screens leave too.
  await wp(
    update,
    JSON.stringify({
      svc_responsive: true,
      svc_smartGuides: false,
      svc_max_zoom: 2.5,
      svc_padding_controls: 10,
      svc_downloadFilename: 5,
      svc_global_products: { '0': 'a', '2': 'b' },
      svc_color_lists: { a: { name: 'A' } },
      svc_sharing_social_networks: '',
    }),
  )
  const keys = {
    svc_responsive: true,
    svc_smartGuides: false,
    svc_max_zoom: 2.5,
    svc_padding_controls: 10,
    svc_downloadFilename: '5',
    svc_global_products: ['a', 'b'],
    svc_color_lists: { a: { name: 'A' } },
    svc_sharing_social_networks: [],
  }
  t.strictSame((await call('GET', `/settings/values?${keysOf(keys)}`)).body.data, keys)
})

onServers(
  'absent rows read as defaults here and as false in get_option; after delete_option they are absent again',
  async (t, engine) => {
    const { call, wp } = await shop(t, engine)
    await call('PATCH', '/settings', { svc_max_zoom: 9 })
    t.equal(
      await wp(`delete_option('svc_max_zoom'); echo var_export(get_option('svc_max_zoom'), true);`),
      'false',
    )
    t.same((await call('GET', '/settings/values?keys=svc_max_zoom')).body.data, { svc_max_zoom: 3 })
  },
)

onServers('PHP reads our templates, library and toggles, and we read its changes', async (t, engine) => {
  const { call, wp } = await shop(t, engine)
  await call('POST', '/text-templates', { text: `Kid's "best" 👋` })
  await call('PUT', '/color-library', { colors: [{ id: 'red', hex: '#f00', name: `Kid's red` }] })
  const read = await wp(
    `echo json_encode([json_decode(get_option('svc_text_templates')), json_decode(get_option('svc_color_library'))]);`,
  )
  t.match(JSON.parse(read), [[{ text: `Kid's "best" 👋` }], { colors: [{ name: `Kid's red` }] }])
  await wp(`$list = json_decode(get_option('svc_text_templates'), true);
    $list[] = ['text' => 'from "PHP" \\\\', 'properties' => ['fontSize' => '20']];
    update_option('svc_text_templates', wp_slash(json_encode($list)));
    update_option('svc_api_color_library_enabled', 'no');`)
  t.match((await call('GET', '/text-templates')).body.data, [{}, { text: 'from "PHP" \\', font_size: 20 }])
})
