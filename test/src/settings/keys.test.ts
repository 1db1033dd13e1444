// Which keys are settings, which belong to other routes, and which tell or decide something secret.
import t from 'tap'
import {
  assertNoProblems,
  assertReadable,
  dedicatedRoute,
  isDestination,
  isSettingKey,
  isUnsetDefault,
  keyProblem,
  namesSecret,
  rowWriter,
} from '../../../src/settings/keys.ts'

t.test('settings/keys: a key of a setting begins with svc_, and fits into its column', async (t) => {
  for (const key of ['svc_a', 'svc_A.b:c-d_1', `svc_${'a'.repeat(187)}`]) t.ok(isSettingKey(key), key)
  for (const key of ['svc_', 'svc', 'wp_a', 'svc_a b', 'svc_ä', ' svc_a', `svc_${'a'.repeat(188)}`])
    t.notOk(isSettingKey(key), key)
})

t.test('a row that something else writes is named by its route, whatever its case', async (t) => {
  t.equal(rowWriter('svc_text_templates'), '/text-templates')
  t.equal(rowWriter('svc_color_library'), '/color-library')
  t.equal(dedicatedRoute('svc_color_library'), '/color-library')
  for (const key of ['svc_pr_groups', 'SVC_PR_Groups']) t.equal(rowWriter(key), '/pricing-rules')
  for (const key of ['svc_ui_layout_a', 'svc_UI_layout_']) t.equal(rowWriter(key), '/user-interfaces')
  const progress = [
    'svc_auto_print_progress',
    'svc_print_jobs_linked',
    'svc_order_index_wc',
    'SVC_Order_Index_gf',
  ]
  const keys = ['svc_guard_x', 'SVC_GUARD_X', 'svc_imported', 'svc_fonts_unfinished', 'svc_etag_key']
  for (const key of [...keys, ...progress]) t.equal(rowWriter(key), 'this API')
  for (const key of ['svc_fonts', 'svc_guard', 'svc_imported_x', 'toString'])
    t.strictSame([rowWriter(key), dedicatedRoute(key)], [undefined, undefined], key)
})

t.test('settings/keys: the problem with a key says what to use instead', async (t) => {
  t.equal(keyProblem('svc_zoom_step'), undefined)
  t.equal(keyProblem('wp_a'), 'does not start with svc_')
  t.match(keyProblem('svc_a b'), /^is not a setting key: /)
  t.equal(keyProblem('svc_pr_groups'), 'cannot be written here; use /pricing-rules')
  t.equal(keyProblem('svc_guard_x'), 'belongs to this API itself')
})

function refusal(work: () => void): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

t.test('settings/keys: all keys that cannot be read are named at once', async (t) => {
  t.doesNotThrow(() => assertReadable(['svc_zoom_step', 'svc_pr_groups', 'svc_guard_x']))
  const params = { 'a b': /does not start/, svc_text_templates: /cannot be read here; use \/text-templates/ }
  t.match(
    refusal(() => assertReadable(['a b', 'svc_a', 'svc_text_templates'])),
    {
      statusCode: 400,
      data: { params },
    },
  )
  t.doesNotThrow(() => assertNoProblems([['svc_a', undefined]]))
  t.match(
    refusal(() => assertNoProblems([['svc_a', 'is bad']])),
    { data: { params: { svc_a: 'is bad' } } },
  )
})

t.test('only an empty value of the system fonts is the default of a missing row', async (t) => {
  t.ok(isUnsetDefault('svc_common_fonts', ''))
  t.notOk(isUnsetDefault('svc_common_fonts', 'Arial'))
  t.notOk(isUnsetDefault('svc_hex_names', ''))
})

t.test('settings/keys: where files, mails and logins go is a destination', async (t) => {
  const decisive = [
    'svc_ae_cloud',
    'svc_ae_s3_bucket',
    'svc_ae_dropbox_client_id',
    'svc_instagram_redirect_uri',
  ]
  decisive.push('svc_pro_export_webhook_url', 'svc_shortcode_order_mail_addresses', 'SVC_AE_CLOUD')
  for (const key of decisive) t.ok(isDestination(key), key)
  for (const key of ['svc_ae_cloud_x', 'svc_ae_output_file', 'xsvc_ae_cloud'])
    t.notOk(isDestination(key), key)
})

t.test('settings/keys: a name that speaks of something secret is taken at its word', async (t) => {
  const telling = ['svc_my_secret', 'svc_x_token', 'svc_password', 'svc_apikey', 'svc_api_key', 'svc_license']
  telling.push('svc_licence_2', 'svc_x_pass', 'svc_x_pwd_2', 'svc_x_keys', 'svc_x_salt', 'svc_purchase_code')
  for (const key of telling) t.ok(namesSecret(key), key)
  for (const key of ['svc_zoom_step', 'svc_keyboard', 'svc_compass', 'svc_author'])
    t.notOk(namesSecret(key), key)
})
