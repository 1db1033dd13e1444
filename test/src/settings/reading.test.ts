// What the options hold, read to the byte and by exact name; the CMS's own options, read only.
import t from 'tap'
import { databaseOn } from '../../../src/db/connect.ts'
import { cmsOptions } from '../../../src/settings/cms.ts'
import { optionsStore } from '../../../src/settings/option-rows.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { build, type Engine, onEachEngine } from '../../support/hosts/build.ts'
import { rule } from '../../support/hosts/fresh-host.ts'

rule('what is stored is read to the byte, and what is absent is absent', async (t, host) => {
  const store = optionsStore(await databaseOn(host.connection), () => {})
  const text = 'ä\u{1f600} \\ \' " %_\n\t trailing  '
  await storeOption(host, 'svc_a', text)
  await storeOption(host, 'svc_b', '')
  t.equal(await store.get('svc_a'), text)
  t.strictSame([...(await store.getMany(['svc_a', 'svc_b', 'svc_c', 'svc_a']))].sort(), [
    ['svc_a', text],
    ['svc_b', ''],
  ])
  t.strictSame([await store.get('svc_c'), (await store.getMany([])).size], [undefined, 0])
})

rule('a name matches exactly: not in other case, not with whitespace, not by wildcard', async (t, host) => {
  const store = optionsStore(await databaseOn(host.connection), () => {})
  await storeOption(host, 'SVC_Name', 'other case')
  for (const name of ['svc_name', 'svc_%', 'SVC_Name ', 'SVC_N_me', 'ŠVC_Name']) {
    t.equal(await store.get(name), undefined, name)
  }
  t.equal(await store.get('SVC_Name'), 'other case')
})

t.test('the CMS’s own options can only be read', (t) =>
  onEachEngine(t, async (t, engine: Engine) => {
    const host = await build(t, { engine })
    const cms = cmsOptions(await databaseOn(host.connection))
    t.strictSame(Object.keys(cms), ['getMany'])
    t.equal((await cms.getMany(['home'])).size, 0)
    await storeOption(host, 'home', 'https://a.example')
    t.strictSame([...(await cms.getMany(['home', 'siteurl']))], [['home', 'https://a.example']])
  }),
)

t.test('a listener of the host that throws does not undo what is committed', async (t) => {
  const onOptionsChanged = () => {
    throw new Error('The host is broken.')
  }
  const host = await build(t, { onOptionsChanged })
  const rows = host.db.deleteFrom(host.t.options).where('option_name', '=', 'svc_api_token')
  await rows.execute()
  t.equal((await host.call('GET', '/system', undefined, { authorization: undefined })).status, 401)
  const row = await host.db
    .selectFrom(host.t.options)
    .select('option_value')
    .where('option_name', '=', 'svc_api_token')
    .executeTakeFirst()
  t.match(row?.option_value, /^[0-9a-f]{64}$/)
})
