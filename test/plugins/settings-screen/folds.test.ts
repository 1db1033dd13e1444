// Long tabs of the settings screen: folded, with the changed values first; and the search by what people call a setting.
import { execFileSync } from 'node:child_process'
import t from 'tap'
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import { isObeyed } from '../../../src/settings/obeyed.ts'
import { findSettings } from '../../../src/settings/synonyms.ts'
import { buildScreen } from '../../support/hosts/screen.ts'

t.test('a long tab begins with the changed values; its sections are folded', async (t) => {
  const { client } = await buildScreen(t)
  t.equal((await client.get('general')).document.querySelector('#section-changed'), null)
  const saved = await client.save('general', { svc_max_zoom: '5', svc_unitOfMeasurement: 'cm' })
  t.same(saved.texts('details[open] h2'), ['Changed values'])
  t.same(saved.texts('#section-changed .key code'), ['svc_unitOfMeasurement', 'svc_max_zoom'])
  t.ok(saved.texts('details:not([open]) h2').length > 3)
  t.equal(saved.document.querySelectorAll('#field-svc_max_zoom').length, 1)
  const all = settingsCatalog().all.filter(({ tab }) => tab === 'general')
  t.equal(saved.document.querySelectorAll('details .field').length, all.length)
  const back = await client.save('general', { svc_max_zoom: '3', svc_unitOfMeasurement: 'mm' })
  t.equal(back.document.querySelector('#section-changed'), null)
  t.equal((await client.get('export')).document.querySelector('details'), null, 'short tabs are not folded')
})

t.test('a section with a wrong value is open', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.submit(await client.get('element-properties'), 'element-properties', {
    svc_custom_texts_parameter_maxLines: 'many',
  })
  t.equal(page.status, 400)
  t.equal(page.texts('details[open]').length, 1)
  t.ok(page.document.querySelector('details[open] #svc_custom_texts_parameter_maxLines'))
})

t.test('findSettings: synonyms, after what contains the words themselves', (t) => {
  const { all } = settingsCatalog()
  const found = (text: string) => findSettings(all, text).map(({ id }) => id)
  t.equal(found('maximum file size')[0], 'svc_uploaded_designs_parameter_maxSize')
  t.ok(found('currency').some((id) => id === 'svc_color_prices'))
  t.equal(found('webhook url')[0], 'svc_pro_export_webhook_url')
  t.equal(found('url webhook')[0], 'svc_pro_export_webhook_url')
  t.same(found('nothing like it'), [])
  t.same(found('  '), [])
  t.end()
})

t.test('isObeyed: the settings that code of this product reads, and no others', async (t) => {
  const paths = [
    'src',
    'plugins',
    ':!src/settings/tabs',
    ':!src/settings/obeyed.ts',
    ':!src/legacy',
    ':!src/db',
  ]
  const text = execFileSync('git', ['grep', '-hoE', "'svc_[A-Za-z0-9_]+'", '--', ...paths], {
    encoding: 'utf8',
  })
  const named = new Set(text.split('\n').map((key) => key.slice(1, -1)))
  // Only its usage is reported.
  named.delete('svc_font')
  const isToggle = (id: string) => /^svc_api_\w+_enabled$/.test(id)
  for (const { id } of settingsCatalog().all) t.equal(isObeyed(id), named.has(id) || isToggle(id), id)
})
