// Legacy installations keep pricing rules and layouts in options: imported once, and mirrored as long as the rows exist.
import { migrate } from '../../plugins/index.ts'
import { build, freshAddress } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'
import { everything, layouts, legacy, rule, rules } from '../support/hosts/legacy.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

rule('migrate takes rules and layouts over and leaves the legacy rows as they were', async (t, engine) => {
  const { call, option } = await legacy(t, engine, everything)
  const list = await call('GET', '/pricing-rules')
  t.strictSame(
    list.body.data,
    rules.map(({ name, data }, i) => ({ id: i + 1, name, data })),
  )
  const { body } = await call('GET', '/user-interfaces?include_data=1')
  t.match(body.data, [
    { name: 'Dark', is_default: true, data: layouts['dark-mode'] },
    { name: 'Standard', is_default: false, data: layouts.default },
  ])
  for (const [name, value] of Object.entries(everything)) t.equal(await option(name), value)
})

rule('the data of a rule that PHP wrote as an empty list are an empty object', async (t, engine) => {
  const { call } = await legacy(t, engine, { svc_pr_groups: '[{"name":"a","data":[]},{"name":"b"}]' })
  const { body } = await call('GET', '/pricing-rules')
  t.strictSame(body.data, [
    { id: 1, name: 'a', data: {} },
    { id: 2, name: 'b', data: {} },
  ])
})

rule('it does so once: a second run, or one at the same time, adds nothing', async (t, engine) => {
  const { call, address, option } = await legacy(t, engine, everything)
  t.ok(await option('svc_imported'))
  await call('DELETE', '/pricing-rules/1')
  const marker = await option('svc_imported')
  const runs = await Promise.all([1, 2, 3].map(() => migrate({ database: address })))
  t.strictSame(runs, [[], [], []])
  t.equal((await call('GET', '/pricing-rules?fields=id')).body.data.length, 1)
  t.equal(await option('svc_imported'), marker)
})

rule('several first runs at once take each rule and layout over one time', async (t, engine) => {
  const { setOption, address, call } = await legacy(t, engine, {})
  for (const [name, value] of Object.entries(everything)) await setOption(name, value)
  t.equal((await migrate({ database: address, dryRun: true })).length, 2)
  await Promise.all([1, 2, 3, 4].map(() => migrate({ database: address })))
  t.equal((await call('GET', '/pricing-rules')).body.data.length, 2)
  t.equal((await call('GET', '/user-interfaces')).body.data.length, 2)
})

rule(
  'legacy encodings are read; a name that its table holds already is not added again',
  async (t, engine) => {
    const { setOption, address, call } = await legacy(t, engine, {})
    await call('POST', '/pricing-rules', { name: 'Known', data: { mine: true } })
    await setOption(
      'svc_pr_groups',
      JSON.stringify([{ name: 'Known', data: {} }, { name: 'It"s', data: [] }, { data: {} }]).replace(
        /["\\]/g,
        '\\$&',
      ),
    )
    await setOption('svc_ui_layout_x', 'a:1:{s:10:"custom_css";s:1:"c";}')
    await setOption('svc_ui_layout_broken', '{oops')
    await migrate({ database: address })
    const found = (await call('GET', '/pricing-rules')).body.data
    t.strictSame(
      found.map(({ name }: { name: string }) => name),
      ['Known', 'It"s', 'Rule 3'],
    )
    t.strictSame(found[0].data, { mine: true })
    const { body } = await call('GET', '/user-interfaces?include_data=1')
    t.match(body.data, [
      { name: 'Default', is_default: true },
      { name: 'x', data: { custom_css: 'c' } },
    ])
  },
)

rule('rules that cannot be read stay open until they can', async (t, engine) => {
  const { setOption, address, call, option } = await legacy(t, engine, { svc_pr_groups: '[{oops' })
  await call('POST', '/pricing-rules', { name: 'New', data: {} })
  t.equal(await option('svc_pr_groups'), '[{oops')
  await setOption('svc_pr_groups', JSON.stringify(rules))
  await migrate({ database: address })
  t.equal((await call('GET', '/pricing-rules')).body.data.length, 3)
})

rule(
  'a layout that cannot be read is taken over once it is repaired, and no other again',
  async (t, engine) => {
    const { setOption, address, call } = await legacy(t, engine, {
      ...everything,
      svc_ui_layout_torn: '{oops',
    })
    const names = async () =>
      (await call('GET', '/user-interfaces')).body.data.map(({ name }: { name: string }) => name)
    const standard = (await call('GET', '/user-interfaces')).body.data[1].id
    await call('DELETE', `/user-interfaces/${standard}`)
    t.strictSame(await migrate({ database: address }), [])
    await setOption('svc_ui_layout_torn', '{"name":"Torn"}')
    t.equal((await migrate({ database: address })).length, 1)
    t.strictSame(await migrate({ database: address }), [])
    t.strictSame(await names(), ['Dark', 'Torn'])
  },
)

rule('a legacy row that was broken meanwhile is left as it is', async (t, engine) => {
  const { setOption, option, call } = await legacy(t, engine, everything)
  for (const key of ['svc_pr_groups', 'svc_ui_layout_dark-mode']) await setOption(key, '[{oops')
  t.equal((await call('PATCH', '/pricing-rules/1', { name: 'Mine' })).status, 200)
  t.equal((await call('PATCH', '/user-interfaces/default', { name: 'Mine' })).status, 200)
  for (const key of ['svc_pr_groups', 'svc_ui_layout_dark-mode']) t.equal(await option(key), '[{oops')
})

rule(
  'every write of a rule is mirrored to the legacy list, where unknown properties stay',
  async (t, engine) => {
    const { call, option, changed } = await legacy(t, engine, everything)
    const list = async () => JSON.parse((await option('svc_pr_groups')) ?? '')
    await call('PATCH', '/pricing-rules/1', { data: { type: 'all' } })
    t.strictSame(await list(), [{ ...rules[0], data: { type: 'all' } }, rules[1]])
    await call('POST', '/pricing-rules', { name: 'New', data: { rules: [] } })
    await call('DELETE', '/pricing-rules/2')
    t.strictSame(await list(), [
      { ...rules[0], data: { type: 'all' } },
      { name: 'New', data: { rules: [] } },
    ])
    t.strictSame(changed, [['svc_pr_groups'], ['svc_pr_groups'], ['svc_pr_groups']])
  },
)

rule("a rule that gets another name keeps its own of others' properties", async (t, engine) => {
  const twins = [
    { name: 'Gold', data: {}, old: 1 },
    { name: 'Gold', data: {}, old: 2 },
  ]
  const { call, option, setOption } = await legacy(t, engine, {
    svc_pr_groups: JSON.stringify(twins.slice(0, 1)),
  })
  await call('POST', '/pricing-rules', { name: 'Gold', data: {} })
  await setOption('svc_pr_groups', JSON.stringify(twins))
  await call('PATCH', '/pricing-rules/1', { name: 'Renamed' })
  t.strictSame(JSON.parse((await option('svc_pr_groups')) ?? ''), [
    { ...twins[0], name: 'Renamed' },
    twins[1],
  ])
})

rule('a refused write leaves table and legacy rows alike', async (t, engine) => {
  const { call, option, changed } = await legacy(t, engine, everything)
  t.equal((await call('PATCH', '/pricing-rules/1', { name: 'x' }, { 'if-match': '"stale"' })).status, 412)
  t.equal((await call('PATCH', '/user-interfaces/default', { name: 'x', is_default: false })).status, 409)
  for (const [name, value] of Object.entries(everything)) t.equal(await option(name), value)
  t.strictSame(changed, [])
})

rule(
  'a changed layout stands in its legacy row under its slug; a new one gets a slug of its name',
  async (t, engine) => {
    const { call, option } = await legacy(t, engine, everything)
    await call('PATCH', '/user-interfaces/default', { name: 'Night' })
    t.strictSame(JSON.parse((await option('svc_ui_layout_dark-mode')) ?? ''), {
      ...layouts['dark-mode'],
      name: 'Night',
    })
    const data = { custom_css: 'b' }
    for (const name of ['Dárk  Mode!', 'Dark mode', '夜'])
      await call('POST', '/user-interfaces', { name, data })
    t.strictSame(JSON.parse((await option('svc_ui_layout_dark-mode-2')) ?? ''), {
      custom_css: 'b',
      name: 'Dárk  Mode!',
    })
    t.ok(await option('svc_ui_layout_dark-mode-3'))
    t.strictSame(JSON.parse((await option('svc_ui_layout_layout')) ?? ''), { custom_css: 'b', name: '夜' })
  },
)

rule(
  'the default is named by the setting, and a deleted layout goes from the legacy rows',
  async (t, engine) => {
    const { call, option, changed } = await legacy(t, engine, everything)
    const standard = (await call('GET', '/user-interfaces')).body.data[1].id
    await call('PATCH', `/user-interfaces/${standard}`, { is_default: true })
    t.equal(await option('svc_product_designer_ui_layout'), 'default')
    t.ok(changed.at(-1)?.includes('svc_product_designer_ui_layout'))
    const dark = (await call('GET', '/user-interfaces')).body.data[0].id
    await call('DELETE', `/user-interfaces/${dark}`)
    t.equal(await option('svc_ui_layout_dark-mode'), undefined)
    await call('POST', '/user-interfaces', { name: 'Mine', is_default: true })
    t.equal(await option('svc_product_designer_ui_layout'), 'mine')
  },
)

rule('who writes the setting makes the layout that it names the default', async (t, engine) => {
  const { call } = await legacy(t, engine, everything)
  const key = 'svc_product_designer_ui_layout'
  const shown = async () => (await call('GET', '/user-interfaces/default')).body.data.name
  t.equal(await shown(), 'Dark')
  t.equal((await call('PATCH', '/settings', { [key]: 'default' })).status, 200)
  t.equal(await shown(), 'Standard')
  t.equal((await call('PATCH', '/settings', { [key]: 'dark-mode', svc_responsive: 7 })).status, 400)
  await call('PATCH', '/settings', { [key]: 'nobody-has-it' })
  t.equal(await shown(), 'Standard')
  const { body } = await call('GET', '/user-interfaces')
  t.equal(body.data.filter(({ is_default }: { is_default: boolean }) => is_default).length, 1)
})

rule('where the legacy rows are gone, or never were, nothing is written into them', async (t, engine) => {
  const { call, option, setOption, changed } = await legacy(t, engine, everything)
  for (const name of Object.keys(everything)) await setOption(name, undefined)
  await call('PATCH', '/pricing-rules/1', { name: 'x' })
  await call('POST', '/user-interfaces', { name: 'Mine', is_default: true })
  for (const name of [...Object.keys(everything), 'svc_ui_layout_mine'])
    t.equal(await option(name), undefined)
  t.strictSame(changed, [])
})

rule('30 writes at once leave the legacy list as the table is', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const second = await build(t, { engine, address: host.address })
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const { call } = i % 2 ? host : second
      return i % 3
        ? call('POST', '/pricing-rules', { name: `Rule ${i}`, data: { i } })
        : call('PATCH', '/pricing-rules/1', { data: { i } })
    }),
  )
  t.ok(responses.every(({ status }) => status < 300))
  const { body } = await host.call('GET', '/pricing-rules?limit=100')
  const mirrored = JSON.parse((await host.option('svc_pr_groups')) ?? '')
  t.strictSame(
    mirrored.map(({ name, data }: { name: string; data: object }) => ({ name, data })),
    body.data.map(({ name, data }: { name: string; data: object }) => ({ name, data })),
  )
})

onServers(
  'real PHP reads in the legacy rows what the API wrote, and the API what PHP stored there',
  async (t, engine) => {
    const address = await freshAddress(t, engine)
    const { wp } = await installWordpress(t, address)
    await wp(
      `
    update_option('svc_pr_groups', wp_slash(json_encode(json_decode(stream_get_contents(STDIN), true)['rules'])));
    update_option('svc_ui_layout_default', array('name' => 'Größe "1"', 'plugin_options' => array('stageWidth' => 900)));
    update_option('svc_product_designer_ui_layout', 'default');`,
      JSON.stringify({ rules }),
    )
    const { call } = await build(t, { address })
    t.strictSame(
      (await call('GET', '/pricing-rules')).body.data.map(({ data }: { data: object }) => data),
      rules.map(({ data }) => data),
    )
    t.match((await call('GET', '/user-interfaces/default?include_data=1')).body.data, {
      name: 'Größe "1"',
      data: { plugin_options: { stageWidth: 900 } },
    })
    const data = {
      type: 'all',
      note: 'it\'s "quoted" \\ 😀',
      rules: [{ operator: '<=', value: 1, price: 0.1 }],
    }
    await call('PATCH', '/pricing-rules/2', { data })
    await call('POST', '/user-interfaces', {
      name: 'Zwei',
      data: { custom_css: 'a > "b"' },
      is_default: true,
    })
    const read = JSON.parse(
      await wp(`
      $slug = get_option('svc_product_designer_ui_layout');
      echo json_encode([
        'rules' => json_decode(get_option('svc_pr_groups'), true),
        'slug' => $slug,
        'layout' => json_decode(get_option('svc_ui_layout_' . $slug), true),
      ]);`),
    )
    t.strictSame(read.rules[1], { name: rules[1]?.name, data })
    t.equal(read.rules[0].name, rules[0]?.name)
    t.strictSame([read.slug, read.layout], ['zwei', { custom_css: 'a > "b"', name: 'Zwei' }])
  },
)
