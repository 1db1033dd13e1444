// Settings that name something else, or have a form: what does not exist or cannot be meant is 400.
import t from 'tap'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

rule('PATCH /settings: values that cannot be meant are 400 with their names', async (t, host) => {
  const bad = {
    svc_cross_sells_display: 'bla',
    svc_start_customizing_button_position: 'nowhere',
    svc_product_designer_ui_layout: 'no-such-layout',
    svc_font: 'No Such Font',
    svc_watermark_image: 'no url',
    svc_pro_export_webhook_url: 'javascript:alert(1)',
    svc_custom_texts_parameter_fill: 'reddish',
    svc_custom_texts_parameter_textAlign: 'up',
    svc_canvasHeight: 'high',
    svc_languages: ['en_US', '<b>'],
    svc_designs_parameter_patterns: ['pattern'],
    svc_printful_profit: 'much',
  }
  const { status, body } = await host.call('PATCH', '/settings', bad)
  t.equal(status, 400)
  t.strictSame(Object.keys(body.data.params).sort(), Object.keys(bad).sort())
  const keys = Object.keys(bad).map((key) => `keys[]=${key}`)
  const before = (await host.call('GET', `/settings/values?${keys.join('&')}`)).body.data
  t.equal((await host.call('PATCH', '/settings', before)).status, 200, 'defaults can be sent back')
})

rule('PATCH /settings: a stored value of any form can be sent back', async (t, host) => {
  const stored = {
    svc_cross_sells_display: 'of-another-version',
    svc_font: 'Removed Font',
    svc_product_designer_ui_layout: 'removed',
    svc_watermark_image: 'wp-content/mark.png',
  }
  for (const [key, value] of Object.entries(stored)) await storeOption(host, key, value)
  t.equal((await host.call('PATCH', '/settings', stored)).status, 200)
})

rule('PATCH /settings: layouts and fonts that exist are taken', async (t, host) => {
  await host.call('POST', '/user-interfaces', { name: 'Slim Bar', data: {} })
  for (const layout of ['Slim Bar', 'slim-bar', 'default'])
    t.equal(
      (await host.call('PATCH', '/settings', { svc_product_designer_ui_layout: layout })).status,
      200,
      layout,
    )
  t.equal((await host.call('PATCH', '/settings', { svc_font: 'Arial' })).status, 200)
  const both = { svc_google_webfonts: ['Open+Sans:400,700'], svc_font: 'Open Sans' }
  t.equal((await host.call('PATCH', '/settings', both)).status, 200, 'offered by the same request')
  const good = {
    svc_watermark_image: '/wp-content/uploads/mark.png',
    svc_pro_export_webhook_url: 'https://hooks.example/x?a=b,c',
    svc_custom_texts_parameter_fill: '#ff0000',
    svc_canvasHeight: '50vh',
    svc_languages: ['en_US', 'de_DE_formal', 'fi'],
    svc_printful_profit: '20%',
  }
  t.equal((await host.call('PATCH', '/settings', good)).status, 200)
})

t.test('PATCH /settings: uploaded fonts that do not exist are 400', async (t) => {
  const dir = t.testdir({ svc: { fonts: { 'Real.ttf': 'x' } } })
  const host = await build(t, { uploads: { dir, url: 'https://shop.example/uploads' } })
  const { status, body } = await host.call('PATCH', '/settings', {
    svc_fonts_directory: ['Real.ttf', 'Gone.ttf'],
  })
  t.strictSame(
    [status, body.data.params],
    [400, { svc_fonts_directory: 'names files that were not uploaded: Gone.ttf' }],
  )
  t.equal((await host.call('PATCH', '/settings', { svc_fonts_directory: ['Real.ttf'] })).status, 200)
})

rule('PATCH /settings: meta.warnings says that the limit of the master profile decides', async (t, host) => {
  const write = async () =>
    (await host.call('PATCH', '/settings', { svc_uploaded_designs_parameter_maxSize: 50 })).body
  t.equal((await write()).meta, undefined)
  const data = { customImageParameters: { maxSize: 5 } }
  await host.call('POST', '/print-profiles', { name: 'Press', data, is_master: true })
  const { warnings } = (await write()).meta
  t.match(warnings, [/^svc_uploaded_designs_parameter_maxSize has no effect: .* 5 MB\.$/])
})
