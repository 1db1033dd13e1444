// The settings of our own, each by itself: keys, sentences, defaults and limits.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { settingsCatalog } from '../../../src/settings/catalog.ts'
import { isSettingKey } from '../../../src/settings/keys.ts'
import type { Setting } from '../../../src/settings/setting.ts'

const { all, find, group, groupsWith, search, tabs } = settingsCatalog()

t.test('every setting has a key of its own, a label, and a description that is a sentence', async (t) => {
  t.same(
    all.filter(({ id }) => !isSettingKey(id)),
    [],
  )
  t.equal(new Set(all.map(({ id }) => id)).size, all.length)
  t.same(
    all.filter(({ label, description }) => label === '' || !/^[A-Z].*\.$/s.test(description)),
    [],
  )
  t.ok(all.every((setting) => find(setting.id) === setting))
})

t.test('settingsCatalog: every setting of ours would be accepted from a host, too', async (t) => {
  const ownTypes = ['text-templates', 'color-library']
  const others = all.filter(({ type }) => !ownTypes.includes(type))
  const copies = others.map((setting, at): Setting => ({ ...setting, id: `svc_copy_${at}` }))
  t.equal(settingsCatalog(copies).all.length, all.length + copies.length)
})

t.test('settingsCatalog: a number has a range', async (t) => {
  for (const { id, minimum = Number.NaN, maximum = Number.NaN } of all.filter((one) => one.type === 'number'))
    t.ok(minimum < maximum, id)
})

t.test('settingsCatalog: the reference says for every setting its type, default and limits', async (t) => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/reference/settings.md'), 'utf8')
  const rows = new Map(
    page
      .split('\n')
      .map((line) => line.split(' | '))
      .map(([id, ...cells]) => [id, cells]),
  )
  for (const setting of all) {
    const { id, type, choices, minimum, maximum, format, secret, readOnly, default: value } = setting
    const limits = [
      ...(choices ? [choices.map((choice) => `\`${choice}\``).join(', ')] : []),
      ...(minimum === undefined ? [] : [`at least ${minimum}`]),
      ...(maximum === undefined ? [] : [`at most ${maximum}`]),
      ...(format === undefined ? [] : [format]),
      ...(secret ? ['secret'] : []),
      ...(readOnly ? ['read-only'] : []),
    ]
    const unset = value === '' ? '' : `\`${JSON.stringify(value)}\``
    t.strictSame(rows.get(`| \`${id}\``)?.slice(0, 2), [[type, ...limits].join('; '), unset], id)
  }
})

t.test('a slug means a tab, else a section, else sections that clients know by another name', async (t) => {
  const sectionsOf = (slug: string) => group(slug)?.sections.map(({ section }) => section)
  t.same(tabs.slice(0, 2), ['general', 'element-properties'])
  t.same(sectionsOf('fonts'), ['fonts'])
  t.equal(group('general')?.tab, 'general')
  t.same(sectionsOf('custom-images'), ['custom-images'])
  t.same(sectionsOf('catalog-listing'), ['catalog-listing'])
  t.match(group('uploads'), { tab: 'element-properties', sections: [{ section: 'custom-images' }] })
  t.match(group('products')?.tab, 'woocommerce')
  t.same(sectionsOf('products'), ['product-page', 'catalog-listing', 'global-product-designer'])
  t.equal(group('no-such'), undefined)
})

t.test('settingsCatalog: a setting is in its tab, its section, and under their other names', async (t) => {
  const [setting] = group('custom-images')?.sections[0]?.settings ?? []
  t.ok(setting)
  const sizes = setting ? groupsWith(setting).map(({ sections }) => sections.length) : []
  t.same(sizes.sort(), [1, 1, group('element-properties')?.sections.length])
})

t.test('a search looks into key, label and description, in all tabs or in one', async (t) => {
  const ids = (text: string | undefined, slug?: string) => search(text, slug).map(({ id }) => id)
  t.same(ids('ZOOM_STEP'), ['svc_zoom_step'])
  t.same(ids('social networks'), ['svc_sharing_social_networks'])
  t.same(ids('names of fonts that customers'), ['svc_common_fonts'])
  t.same(ids('zoom_step', 'fonts'), [])
  t.same(ids(undefined, 'fonts').length, 3)
  t.same(ids('', 'no-such'), [])
  t.equal(ids(undefined).length, all.length)
})

t.test('settingsCatalog: a setting of a host that is not sound is refused with one sentence', async (t) => {
  const sound: Setting = {
    id: 'svc_own',
    type: 'text',
    label: 'Own',
    description: 'Own.',
    default: '',
    tab: 'general',
    section: 'shop',
    sectionLabel: 'Shop',
  }
  const broken: [Partial<Setting>, string][] = [
    [{ id: 'own' }, '"own" must be a key that starts with "svc_".'],
    [{ id: 'svc_zoom_step' }, 'the key "svc_zoom_step" exists already.'],
    [{ id: 'svc_guard_own' }, 'the key "svc_guard_own" belongs to this API itself.'],
    [
      { type: 'color-library' },
      '"svc_own" has the type "color-library", which a host\'s setting cannot have.',
    ],
    [
      { type: 'text-templates' },
      '"svc_own" has the type "text-templates", which a host\'s setting cannot have.',
    ],
    [{ type: 'other' as 'text' }, '"svc_own" has the type "other", which a host\'s setting cannot have.'],
    [{ section: '' }, '"svc_own" needs a section.'],
    [{ format: 'other' as 'sizes' }, '"svc_own" has an unknown format.'],
    [{ type: 'number', default: 'x' }, '"svc_own" needs a default that fits the type "number".'],
    [{ default: null }, '"svc_own" needs a default that fits the type "text".'],
    [{ type: 'checkbox', default: 'yes' }, '"svc_own" needs a default that fits the type "checkbox".'],
    [{ type: 'number', default: 3, maximum: 2 }, 'the default of "svc_own" must be at most 2.'],
  ]
  for (const [change, message] of broken)
    t.throws(() => settingsCatalog([{ ...sound, ...change }]), { message: `settings: ${message}` })
  t.doesNotThrow(() => settingsCatalog([{ ...sound, type: 'number', default: null }]))
  t.throws(() => settingsCatalog([sound, sound]), { message: 'settings: the key "svc_own" exists already.' })
})
