// What no scope gives: the token of the installation, secrets, and where files go.
import t from 'tap'
import { runningContext } from '../../src/http/running-apis.ts'
import { cloudKeys } from '../../src/storage/remote-storages.ts'
import { newProduct, newView, storeOption } from '../support/fixtures/rows.ts'
import { build, token } from '../support/hosts/build.ts'
import { rule } from '../support/hosts/fresh-host.ts'
import { as, makeToken } from '../support/hosts/named-tokens.ts'
import { storedOption } from '../support/hosts/options.ts'

const isSecret = (id: string) => /secret|token|password|api_?key|_key$/i.test(id)

rule(
  'secrets, the token and where files go cannot be changed by any scope, nor anything beside them',
  async (t, host) => {
    const call = as(host, await makeToken(host, 'agent', ['write', 'settings:write']))
    const { catalog } = runningContext(host.app)
    const secrets = catalog.all.map(({ id }) => id).filter(isSecret)
    t.ok(secrets.length >= 7, `${secrets}`)
    const sent = ['svc_pro_export_webhook_url', 'svc_shortcode_order_mail_addresses', 'svc_some_api_key']
    const logins = ['svc_instagram_client_id', 'svc_instagram_redirect_uri']
    for (const key of new Set([...secrets, ...cloudKeys, ...sent, ...logins])) {
      // What a destination is without a row may be sent back.
      for (const value of secrets.includes(key) ? ['', 'x', null] : ['x', 's3']) {
        const { status, body, headers } = await call('PATCH', '/settings', {
          svc_api_fonts_enabled: false,
          [key]: value,
        })
        t.strictSame(
          [status, body.code, body.data.scope],
          [403, 'svc_insufficient_scope', 'all'],
          `${key}=${value}`,
        )
        t.match(body.message, key)
        t.match(headers['www-authenticate'], /scope="all"$/)
      }
      t.equal(await storedOption(host, key), key === 'svc_api_token' ? token : undefined, key)
    }
    t.equal(await storedOption(host, 'svc_api_fonts_enabled'), undefined)
    for (const key of ['svc_API_TOKEN', 'SVC_api_token', ' svc_api_token', 'svc_api_token ', 'svc_api_tökén'])
      t.ok((await call('PATCH', '/settings', { [key]: '' })).status >= 400, key)
    t.equal(await storedOption(host, 'svc_api_token'), token)
  },
)

rule('other settings may be changed, and what was read about files may be sent back', async (t, host) => {
  await storeOption(host, 'svc_ae_s3_bucket', 'shop-files')
  const call = as(host, await makeToken(host, 'agent', ['settings:write']))
  t.equal((await call('PATCH', '/settings', { svc_api_fonts_enabled: false })).status, 200)
  const same = { svc_ae_s3_bucket: 'shop-files', svc_ae_cloud: 'none' }
  t.equal((await call('PATCH', '/settings', same)).status, 200)
  t.equal((await call('PATCH', '/settings', { svc_ae_s3_bucket: 'mine' })).status, 403)
  t.equal(
    (await host.call('PATCH', '/settings', { svc_ae_s3_bucket: 'other', svc_ae_s3_access_secret: 'x' }))
      .status,
    200,
  )
})

t.test('a login of the host with all rights may change them', async (t) => {
  const host = await build(t, { authenticate: () => ({ name: 'ada', scopes: 'all' }) })
  const { status } = await as(host, undefined)('PATCH', '/settings', { svc_ae_s3_access_secret: 'x' })
  t.equal(status, 200)
  t.equal(await storedOption(host, 'svc_ae_s3_access_secret'), 'x')
})

t.test('no response to a scoped token contains a token, its hash or a stored secret', async (t) => {
  const host = await build(t, { mcp: true })
  const own = await makeToken(host, 'agent', ['write'])
  const call = as(host, own)
  const keys = runningContext(host.app)
    .catalog.all.map(({ id }) => id)
    .filter((id) => isSecret(id) && id !== 'svc_api_token')
  for (const [index, key] of keys.entries()) await storeOption(host, key, `hidden-${index}`)
  await storeOption(host, 'svc_unknown_secret', 'hidden-unknown')
  await newView(host, await newProduct(host))
  const paths = host.routes
    .filter(({ method }) => [method].flat().includes('GET'))
    .map(({ url }) => url.replace('/wp-json/svc/v1', '').replace(/:tab/, 'export').replace(/:\w+/g, '1'))
  const values = ['svc_api_token', 'svc_unknown_secret', ...keys].map((key) => `keys[]=${key}`).join('&')
  paths.push('/openapi.json', '/mcp', `/settings/values?${values}`)
  for (const tab of runningContext(host.app).catalog.tabs) paths.push(`/settings/groups/${tab}`)
  const [row] = await host.db.selectFrom(host.t.api_tokens).select('token_hash').execute()
  for (const path of new Set(paths)) {
    const { text, headers } = await call('GET', path)
    const whole = text + JSON.stringify(headers)
    for (const secret of [token, own, String(row?.token_hash), 'hidden-'])
      t.notOk(whole.includes(secret), `${path} contains ${secret.slice(0, 12)}`)
  }
})

rule(
  'rows of others are secrets by their names: no way gives them out, and only all rights change them',
  async (t, host) => {
    const names = ['svc_genius_license_key', 'svc_license_key', 'svc_LICENSE_KEY2_Key', 'svc_my_Secret_2']
    names.push(
      'svc_tokens',
      'svc_PasswordOfShop',
      'svc_apikey_x',
      'svc_smtp_pass',
      'svc_mail_pwd',
      'svc_ftp_passwd',
    )
    names.push(
      'svc_passphrase',
      'svc_google_credentials',
      'svc_private_key_pem',
      'svc_my_keys',
      'svc_license',
    )
    names.push('svc_licence_code', 'svc_purchase_code', 'svc_shop_key_2', 'svc_smtp_auth', 'svc_sentry_dsn')
    const shown = [
      'svc_keyboard',
      'svc_key_color',
      'svc_monkey',
      'svc_passport',
      'svc_bypass',
      'svc_compass_color',
    ]
    for (const name of [...names, ...shown]) await storeOption(host, name, `hidden-${name}`)
    const call = as(host, await makeToken(host, 'agent', ['write', 'settings:write']))
    for (const read of [call, host.call]) {
      const query = [...names, ...shown].map((name) => `keys[]=${name}`).join('&')
      const { body, text } = await read('GET', `/settings/values?${query}`)
      t.same(body.meta.masked, names)
      t.same(
        shown.map((name) => body.data[name]),
        shown.map((name) => `hidden-${name}`),
      )
      t.notOk(names.some((name) => text.includes(`hidden-${name}`)))
      const tool = { name: 'get_settings', arguments: { keys: names } }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
      const { status, text: result } = await read('POST', '/mcp', message)
      t.equal(status, 200)
      t.match(result, 'svc_license_key')
      t.notMatch(result, 'hidden-')
    }
    for (const name of names) {
      t.equal((await call('PATCH', '/settings', { [name]: 'x' })).status, 403, name)
      const { status, body, text } = await host.call('PATCH', '/settings', { [name]: 'hidden-new' })
      t.strictSame([status, body.data, body.meta.masked], [200, { [name]: null }, [name]])
      t.notMatch(text, 'hidden-')
      t.equal(await storedOption(host, name), 'hidden-new')
    }
    const trail = JSON.stringify(await host.db.selectFrom(host.t.api_audit).selectAll().execute())
    t.ok(names.every((name) => trail.includes(name)))
    t.notMatch(trail, 'hidden-')
  },
  { mcp: true, audit: true },
)
