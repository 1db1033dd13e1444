// The search of the settings screen: what administrators type finds settings, or the place where the thing is set.
import t from 'tap'
import { elsewhere } from '../../../plugins/settings-screen/elsewhere.ts'
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import { findSettings } from '../../../src/settings/synonyms.ts'
import { buildScreen } from '../../support/hosts/screen.ts'

/** Search terms, and a setting that is among the first five results. */
const findable = {
  'maximum file size': 'svc_uploaded_designs_parameter_maxSize',
  'upload limit': 'svc_uploaded_designs_parameter_maxSize',
  watermark: 'svc_watermark_image',
  logo: 'svc_watermark_image',
  DPI: 'svc_ae_image_dpi',
  thumbnail: 'svc_wc_cart_thumbnail_width',
  language: 'svc_languages',
  translate: 'svc_languages',
  'e-mail address': 'svc_shortcode_order_mail_addresses',
  notifications: 'svc_shortcode_order_mail_addresses',
  'crop marks': 'svc_ae_hide_crop_marks',
  discount: 'svc_pricing_rules',
  'number of lines': 'svc_custom_texts_parameter_maxLines',
  'background removal': 'svc_ai_removeBG',
  folder: 'svc_ae_s3_root_dir',
  roster: 'svc_namesNumbersDropdown',
  'names and numbers': 'svc_namesNumbersEntryPrice',
  png: 'svc_auto_print_format',
  snap: 'svc_smartGuides',
  guest: 'svc_upload_designs_php_logged_in',
  millimeter: 'svc_unitOfMeasurement',
  'terms and conditions': 'svc_uploadAgreementModal',
  'paid orders': 'svc_printable_statuses',
  category: 'svc_design_categories',
  hints: 'svc_imageSizeTooltip',
  ai: 'svc_ai_superRes',
  mobile: 'svc_mobileGesturesBehaviour',
  fullscreen: 'svc_fullwidth_summary',
} as const

const elsewhereTerms = [
  ...[
    'currency',
    'Tax',
    'VAT',
    'shipping',
    'coupon',
    'sender',
    'time zone',
    'bleed',
    'print area',
    'CMYK',
    'PDF/X',
  ],
  ...[
    'overprint',
    'Pantone',
    'spot color',
    'SFTP',
    'hot folder',
    'CORS',
    'rate limit',
    'user role',
    'permissions',
  ],
]

t.test('findSettings: words that administrators use find the setting', (t) => {
  const { all } = settingsCatalog()
  for (const [text, id] of Object.entries(findable)) {
    const found = findSettings(all, text).map((setting) => setting.id)
    t.ok(found.slice(0, 5).includes(id), text, { found: found.slice(0, 5) })
  }
  t.end()
})

t.test('findSettings: short words are not found inside other words', (t) => {
  const { all } = settingsCatalog()
  t.same(findSettings(all, 'vat'), [], 'not in "private"')
  t.notOk(findSettings(all, 'ai').some(({ id }) => id === 'svc_main_bar_position'))
  t.end()
})

t.test('elsewhere: names the place of what is no setting of this API', (t) => {
  for (const text of elsewhereTerms) t.ok(elsewhere(text).length > 0, text)
  for (const text of ['', 'zoom', 'font size', 'taxidermy']) t.same(elsewhere(text), [], text)
  t.end()
})

t.test('GET search: an empty result says where the currency and taxes are set', async (t) => {
  const { client } = await buildScreen(t)
  const tax = await client.get('search?q=tax')
  t.match(tax.texts('[role=status]'), ['No setting matches “tax”.'])
  t.match(tax.texts('main .notice').join(), 'WooCommerce › Settings › Tax')
  const currency = await client.get('search?q=currency')
  t.match(currency.texts('main .notice').join(), 'Currency and price format are settings of WooCommerce')
  t.match(currency.texts('.found a').join(), 'Color Prices')
  const marks = await client.get('search?q=overprint')
  t.equal(marks.document.querySelector('main .notice a')?.getAttribute('href'), 'edit-print-output')
})
