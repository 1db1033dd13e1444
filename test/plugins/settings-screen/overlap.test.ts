// Several administrators at once, and what acts on the running API: toggles and the token.
import t from 'tap'
import { onEachDialect, token } from '../../support/hosts/build.ts'
import { buildScreen, rowsOf, type ScreenPage } from '../../support/hosts/screen.ts'

const shownIn = (page: ScreenPage, name: string): unknown =>
  Reflect.get(Object(page.document.querySelector(`main [name="${name}"]:not([type=hidden])`)), 'value')

t.test(
  'of two administrators the second is told what the first has saved, and overwrites it only knowingly',
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const { host, client } = await buildScreen(t, { engine })
      const [first, second] = [await client.get('export'), await client.get('export')]
      const saved = await client.submit(first, 'export', {
        svc_ae_s3_bucket: 'first',
        svc_ae_s3_root_dir: 'theirs',
      })
      t.equal(saved.status, 303)
      const page = await client.submit(second, 'export', {
        svc_ae_s3_bucket: 'second',
        svc_pro_export_webhook_url: 'https://mine.example',
      })
      t.equal(page.status, 412)
      t.match(page.texts('[role=alert]')[0], 'Another user has changed settings of this tab')
      t.equal((await rowsOf(host)).svc_ae_s3_bucket, 'first')
      t.strictSame(page.texts('.overlap'), ['Changed by another user meanwhile: first'])
      // What the second has not touched is theirs.
      t.strictSame(
        ['svc_ae_s3_bucket', 'svc_ae_s3_root_dir', 'svc_pro_export_webhook_url'].map((name) =>
          shownIn(page, name),
        ),
        ['second', 'theirs', 'https://mine.example'],
      )
      t.equal((await client.submit(page, 'export')).headers.location, 'export?saved=2')
      const rows = await rowsOf(host)
      t.strictSame(
        [rows.svc_ae_s3_bucket, rows.svc_ae_s3_root_dir, rows.svc_pro_export_webhook_url],
        ['second', 'theirs', 'https://mine.example'],
      )
    }),
)

t.test('of forms sent at the same moment one is saved', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    const page = await client.get('export')
    const responses = await Promise.all(
      ['a', 'b', 'c', 'd'].map((value) => client.submit(page, 'export', { svc_ae_s3_bucket: value })),
    )
    t.strictSame(responses.map(({ status }) => status).sort(), [303, 412, 412, 412])
    const winner = ['a', 'b', 'c', 'd'][responses.findIndex(({ status }) => status === 303)]
    t.equal((await rowsOf(host)).svc_ae_s3_bucket, winner)
  }),
)

t.test('a form without the state that it was opened with is never saved', async (t) => {
  const { host, client } = await buildScreen(t)
  const before = await rowsOf(host)
  for (const state of [undefined, '', '*', '"*"', 'x'])
    t.equal((await client.save('export', { _state: state, svc_ae_s3_bucket: 'x' })).status, 412)
  t.strictSame(await rowsOf(host), before)
})

t.test('a toggle acts on the running API at once, and the page says so', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    t.equal((await host.call('GET', '/products')).status, 200)
    const off = await client.save('api', { svc_api_products_enabled: 'no', svc_api_settings_enabled: 'no' })
    t.match(off.texts('#field-svc_api_products_enabled .off')[0], 'Switched off')
    t.equal((await host.call('GET', '/products')).status, 404)
    // The screen does not stand on the group that it toggles.
    t.equal((await host.call('GET', '/settings')).status, 404)
    const on = await client.save('api', { svc_api_products_enabled: ['no', 'yes'] })
    t.match(on.texts('#field-svc_api_products_enabled .on')[0], 'Served')
    t.equal((await host.call('GET', '/products')).status, 200)
  }),
)

t.test('clearing the token asks once more; the next request makes the new one, and the page shows it', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, client } = await buildScreen(t, { engine })
    t.equal(
      (await client.get('api')).document.querySelector('a[href=clear-token]')?.textContent,
      'Rotate token…',
    )
    const ask = await client.get('clear-token')
    t.equal((await rowsOf(host)).svc_api_token, token)
    t.notMatch(ask.text, token)
    t.equal((await client.submit(ask, 'clear-token')).headers.location, 'api?saved=1')
    t.match((await client.get('api')).texts('#field-svc_api_token .remark')[0], 'the next request to the API')
    t.equal((await host.call('GET', '/system')).status, 403)
    const next =
      (await client.get('api')).document.getElementById('svc_api_token')?.getAttribute('value') ?? ''
    t.match(next, /^[0-9a-f]{64}$/)
    t.not(next, token)
    t.equal((await host.call('GET', '/system', undefined, { authorization: `Bearer ${next}` })).status, 200)
    // The page that asked before knows the old token only.
    t.equal((await client.submit(ask, 'clear-token')).status, 412)
    t.equal((await rowsOf(host)).svc_api_token, next)
  }),
)
