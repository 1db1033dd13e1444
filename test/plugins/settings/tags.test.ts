// The ETag of a group of settings: it notices every change of a secret, and tells nobody what the secret is.
import t from 'tap'
import { stateTag } from '../../../src/db/state-tag.ts'
import { runningContext } from '../../../src/http/running-apis.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, onEachEngine, type TestHost } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'
import { storedOption } from '../../support/hosts/options.ts'

const path = '/settings/groups/export'
const tagOf = async ({ call }: TestHost, at = path) => String((await call('GET', at)).headers.etag)

t.test(
  'two installations with the same secrets have different tags, and two processes of one the same',
  (t) =>
    onEachEngine(t, async (t, engine) => {
      const [one, other] = [await build(t, { engine }), await build(t, { engine })]
      const beside = await build(t, { engine, address: one.address })
      for (const host of [one, other]) await storeOption(host, 'svc_ae_s3_access_secret', 'guess me')
      const [first, second] = await Promise.all([tagOf(one), tagOf(beside)])
      t.equal(first, second)
      t.not(await tagOf(other), first)
      t.match(await storedOption(one, 'svc_etag_key'), /^[0-9a-f]{64}$/)
    }),
)

rule('the tag is no hash of what is stored', async (t, host) => {
  await storeOption(host, 'svc_ae_s3_access_secret', 'guess me')
  const group = runningContext(host.app).catalog.group('export')
  const keys = group?.sections.flatMap(({ settings }) => settings.map(({ id }) => id)) ?? []
  const rows = await Promise.all(keys.map((key) => storedOption(host, key)))
  t.not(await tagOf(host), `"${stateTag(...rows)}"`)
})

rule('a changed secret changes the tag, and If-Match notices it', async (t, host) => {
  await storeOption(host, 'svc_ae_s3_access_secret', 'before')
  const held = await tagOf(host)
  t.equal(await tagOf(host), held)
  const save = (etag: string) =>
    host.call('PATCH', '/settings', { svc_ae_image_dpi: 150 }, { 'if-match': etag })
  await storeOption(host, 'svc_ae_s3_access_secret', 'after')
  t.equal((await save(held)).status, 412)
  t.not(await tagOf(host), held)
  t.equal((await save(await tagOf(host))).status, 200)
  t.equal((await save('*')).status, 200)
})

rule('without the key no tag that somebody holds is valid, and a read makes a new key', async (t, host) => {
  const held = await tagOf(host)
  await storeOption(host, 'svc_etag_key', 'not a key')
  const save = (etag: string) =>
    host.call('PATCH', '/settings', { svc_ae_image_dpi: 150 }, { 'if-match': etag })
  t.equal((await save(held)).status, 412)
  t.equal((await save(await tagOf(host))).status, 200)
  t.match(await storedOption(host, 'svc_etag_key'), /^[0-9a-f]{64}$/)
})

rule('the key is neither shown nor written by the settings', async (t, host) => {
  await tagOf(host)
  const stored = await storedOption(host, 'svc_etag_key')
  for (const key of ['svc_etag_key', 'svc_ETAG_KEY', 'svc_etag_KEY']) {
    const { body, text } = await host.call('GET', `/settings/values?keys[]=${key}`)
    t.strictSame([body.data[key], body.meta.masked], [null, [key]])
    t.notOk(text.includes(String(stored)))
    t.equal((await host.call('PATCH', '/settings', { [key]: 'f'.repeat(64) })).status, 400)
  }
  t.equal(await storedOption(host, 'svc_etag_key'), stored)
})
