// Settings that a host adds: they behave like built-in ones, and mistakes in them abort startup.
import t from 'tap'
import { type Setting, svcApi } from '../../../plugins/index.ts'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { Fastify } from '../../support/hosts/fastify.ts'
import { storedOption } from '../../support/hosts/options.ts'

const place = { tab: 'shop', section: 'print', sectionLabel: 'Print' }
const added: Setting[] = [
  {
    ...place,
    id: 'svc_shop_mode',
    type: 'select',
    label: 'Mode',
    description: 'How.',
    default: 'a',
    choices: ['a', 'b'],
  },
  {
    ...place,
    id: 'svc_shop_key',
    type: 'text',
    label: 'Key',
    description: 'A key.',
    default: '',
    secret: true,
  },
  {
    ...place,
    tab: 'general',
    id: 'svc_shop_on',
    type: 'checkbox',
    label: 'On',
    description: 'Is on.',
    default: true,
  },
]

t.test('settings of the host are in index, groups and values, and are validated, stored and masked', (t) =>
  onEachEngine(t, async (t, engine) => {
    const host = await build(t, { engine, settings: added })
    const index: { id: string }[] = (await host.call('GET', '/settings')).body.data
    for (const { id } of added)
      t.ok(
        index.some((setting) => setting.id === id),
        id,
      )
    t.match((await host.call('GET', '/settings?search=shop_mode')).body.data, [
      { ...place, id: 'svc_shop_mode' },
    ])
    const group = (await host.call('GET', '/settings/groups/shop')).body
    t.strictSame(
      group.data.sections[0].options.map(({ value }: { value: unknown }) => value),
      ['a', null],
    )
    t.strictSame(group.meta.masked, ['svc_shop_key'])
    t.equal((await host.call('GET', '/settings/groups/general')).body.data.sections.at(-1).section, 'print')
    const bad = await host.call('PATCH', '/settings', { svc_shop_mode: 'c', svc_shop_on: false })
    t.match(bad.body.data.params, { svc_shop_mode: 'must be one of a, b' })
    await host.call('PATCH', '/settings', { svc_shop_mode: 'b', svc_shop_on: false })
    t.equal(await storedOption(host, 'svc_shop_on'), 'no')
  }),
)

const sound = added[0] as Setting
const mistakes: [Partial<Record<keyof Setting, unknown>>, RegExp][] = [
  [{ id: 'svc_responsive' }, /"svc_responsive" exists already/],
  [{ id: 'shop_mode' }, /"shop_mode" must be a key that starts with "svc_"/],
  [{ id: 'svc_guard_mine' }, /belongs to this API itself/],
  [{ type: 'color-library' }, /which a host's setting cannot have/],
  [{ label: '' }, /needs a label/],
  [{ tab: undefined }, /^settings\[0\]\.tab: must be /],
  [{ default: undefined }, /^settings\[0\]\.default: must be /],
  [{ default: true }, /needs a default that fits the type "select"/],
  [{ type: 'number', choices: [], default: 5, minimum: 6 }, /the default of ".*" must be at least 6/],
  [
    { type: 'text', choices: [], default: 'x', format: 'swatches' },
    /the default of ".*" must be colors such as/,
  ],
  [{ format: 'x' }, /has an unknown format/],
]

for (const [mistake, sentence] of mistakes) {
  t.test(`a host's setting with ${JSON.stringify(mistake)} aborts startup with a message`, async (t) => {
    const app = Fastify()
    t.teardown(() => app.close())
    const settings = [{ ...sound, ...mistake } as Setting]
    await t.rejects(
      async () =>
        app.register(svcApi, { database: 'sqlite::memory:', siteUrl: 'https://shop.example', settings }),
      { message: sentence },
    )
  })
}

t.test('a duplicate key aborts startup', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  await t.rejects(
    async () => app.register(svcApi, { database: 'sqlite::memory:', settings: [sound, sound] }),
    { message: /"svc_shop_mode" exists already/ },
  )
})
