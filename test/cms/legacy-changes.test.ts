// What PHP changes in the options of a legacy installation after their import is merged into the tables, in either order.
import type { Test } from 'tap'
import { passSecond } from '../support/fixtures/clock.ts'
import { build, freshAddress, type TestHost } from '../support/hosts/build.ts'
import { onServers } from '../support/hosts/fresh-host.ts'
import { everything, type Legacy, layouts, legacy, rule, rules } from '../support/hosts/legacy.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

interface Rule {
  id?: number
  name: string
  data: object
}

const listed = async ({ call }: Pick<TestHost, 'call'>): Promise<Rule[]> =>
  (await call('GET', '/pricing-rules?limit=100')).body.data
const named = async (host: Pick<TestHost, 'call'>) =>
  Object.fromEntries((await listed(host)).map(({ name, data }) => [name, data]))
const stored = async ({ option }: Legacy): Promise<Rule[]> =>
  JSON.parse((await option('svc_pr_groups')) ?? '')
const php = ({ setOption }: Legacy, list: object[]) => {
  passSecond()
  return setOption('svc_pr_groups', JSON.stringify(list))
}

rule(
  'a group that PHP adds, changes, renames or removes is in the table at the next read',
  async (t, engine) => {
    const host = await legacy(t, engine, everything)
    const [first, second] = await listed(host)
    const [long, size] = rules as [(typeof rules)[0], (typeof rules)[0]]
    await php(host, [{ name: 'New', data: { type: 'all' } }, { ...long, data: { type: 'all' } }, size])
    t.strictSame(await listed(host), [
      { ...first, data: { type: 'all' } },
      second,
      { id: 3, name: 'New', data: { type: 'all' } },
    ])
    await php(host, [
      { ...long, name: 'Short', data: { type: 'all' } },
      { name: 'New', data: { type: 'all' } },
    ])
    t.equal((await host.call('GET', '/pricing-rules/1')).body.data.name, 'Short')
    const after = await listed(host)
    t.strictSame(after.map(({ id, name }) => [id, name]).sort(), [
      [1, 'Short'],
      [3, 'New'],
    ])
    t.equal((await host.call('GET', '/pricing-rules')).body.meta.total, 2)
  },
)

rule('what PHP did is kept by our next write, without a read in between', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const added = { name: 'New', data: { type: 'all' }, vendor: 3 }
  await php(host, [rules[1] as object, added, { ...rules[0], data: { type: 'any' } }])
  await host.call('PATCH', '/pricing-rules/2', { data: { property: 'coverage' } })
  await host.call('POST', '/pricing-rules', { name: 'Ours', data: {} })
  t.strictSame(
    await stored(host),
    [
      { name: rules[1]?.name, data: { property: 'coverage' } },
      added,
      { ...rules[0], data: { type: 'any' } },
      { name: 'Ours', data: {} },
    ],
    'in the order of PHP, with what only PHP knows',
  )
  t.strictSame(Object.keys(await named(host)).sort(), ['Größe 😀', 'Long "texts"', 'New', 'Ours'])
})

rule('what PHP writes from a copy read before forty of our writes does not undo them', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const copy = await stored(host)
  for (let i = 0; i < 20; i++) {
    const { body } = await host.call('POST', '/pricing-rules', { name: `Ours ${i}`, data: { i } })
    if (i % 2) await host.call('DELETE', `/pricing-rules/${body.data.id}`)
    else await host.call('PATCH', '/pricing-rules/1', { data: { i } })
  }
  await php(host, [...copy.slice(0, 1), { name: 'New', data: {} }])
  const names = ['Long "texts"', 'New', ...Array.from({ length: 10 }, (_, i) => `Ours ${2 * i}`)].sort()
  t.strictSame(Object.keys(await named(host)).sort(), names)
  t.strictSame((await stored(host)).map(({ name }) => name).sort(), names)
})

rule('what PHP writes from a copy read before our write does not undo it', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const copy = await stored(host)
  await host.call('POST', '/pricing-rules', { name: 'Ours', data: { a: 1 } })
  await host.call('PATCH', '/pricing-rules/1', { data: { b: 2 } })
  await php(host, [...copy, { name: 'New', data: {} }])
  t.strictSame(await named(host), {
    'Long "texts"': { b: 2 },
    'Größe 😀': rules[1]?.data,
    Ours: { a: 1 },
    New: {},
  })
  await host.call('POST', '/pricing-rules', { name: 'Last', data: {} })
  t.strictSame((await stored(host)).map(({ name }) => name).sort(), Object.keys(await named(host)).sort())
  const second = await stored(host)
  await host.call('DELETE', '/pricing-rules/2')
  await php(host, [...second, { name: 'Newest', data: {} }])
  const names = ['Long "texts"', 'Ours', 'New', 'Last', 'Newest'].sort()
  t.strictSame(Object.keys(await named(host)).sort(), names, 'nor our delete')
  t.strictSame((await stored(host)).map(({ name }) => name).sort(), names, 'and PHP sees both at once')
})

rule('groups that PHP adds under names of rows that it has not listed are these rows', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  await listed(host)
  const added = ['First', 'Second', 'Third'].map((name) => ({ name, data: { type: 'all' } }))
  const rows = added.map(({ name, data }) => ({ name, data: JSON.stringify(data) }))
  await host.db.insertInto(host.t.pricing_rules).values(rows).execute()
  await php(host, [...rules, ...added])
  const names = (await listed(host)).map(({ name }) => name)
  t.same(names.sort(), [...rules, ...added].map(({ name }) => name).sort())
})

rule('PHP that removes just what we added removes it', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const copy = await stored(host)
  await host.call('POST', '/pricing-rules', { name: 'Ours', data: {} })
  await php(host, copy)
  t.strictSame(Object.keys(await named(host)), ['Long "texts"', 'Größe 😀'])
})

rule('where both changed one group, PHP wins, and the log says so', async (t, engine) => {
  const lines: string[] = []
  const server = { logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } }
  const host = await legacy(t, engine, everything, { server: server as never })
  const [long, size] = rules as [object, object]
  await php(host, [long, { ...size, data: { type: 'all' } }])
  await listed(host)
  t.strictSame(lines, [], 'a change of PHP alone is no reason for a warning')
  for (const [table, data] of [
    ['{"table":1}', { type: 'any' }],
    ['{unreadable', {}],
  ] as const) {
    lines.length = 0
    await host.db.updateTable(host.t.pricing_rules).set({ data: table }).where('ID', '=', 1).execute()
    await php(host, [
      { ...long, data },
      { ...size, data: { type: 'all' } },
    ])
    t.strictSame((await named(host))['Long "texts"'], data)
    t.equal(lines.filter((line) => line.includes('the version of PHP is kept')).length, 1)
  }
})

rule('a layout that PHP changes after we have changed another one warns nobody', async (t, engine) => {
  const lines: string[] = []
  const server = { logger: { level: 'warn', stream: { write: (line: string) => lines.push(line) } } }
  const host = await legacy(t, engine, everything, { server: server as never })
  const { data } = (await host.call('GET', '/user-interfaces')).body
  const ids = Object.fromEntries(data.map(({ id, name }: Rule) => [name, id]))
  await host.call('PATCH', `/user-interfaces/${ids.Dark}`, { data: { custom_css: '' } })
  passSecond()
  const changed = { ...layouts.default, plugin_options: { stageWidth: 901 } }
  await host.setOption('svc_ui_layout_default', JSON.stringify(changed))
  const { body } = await host.call('GET', `/user-interfaces/${ids.Standard}?include_data=true`)
  t.equal(body.data.data.plugin_options.stageWidth, 901)
  t.strictSame(lines, [])
})

rule('a list that PHP wrote again without a change of its own changes nothing', async (t, engine) => {
  const list =
    '[{"name":"A","data":{"empty":{},"list":{"0":"a","1":"b"},"n":1.0,"big":12345678901234567890}}]'
  const host = await legacy(t, engine, { svc_pr_groups: list })
  const before = await host.db.selectFrom(host.t.pricing_rules).selectAll().execute()
  await php(host, [{ name: 'A', data: { empty: [], list: ['a', 'b'], n: 1, big: 1.2345678901234567e19 } }])
  await listed(host)
  t.strictSame(await host.db.selectFrom(host.t.pricing_rules).selectAll().execute(), before)
})

rule('an emptied or broken list, or one that is gone, removes nothing', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  for (const value of ['', '[{oops', undefined]) {
    passSecond()
    await host.setOption('svc_pr_groups', value)
    t.equal((await listed(host)).length, 2, String(value))
    await host.call('PATCH', '/pricing-rules/1', { data: {} })
  }
  await php(host, [])
  t.equal((await listed(host)).length, 0, 'an empty list is none of these')
})

rule(
  'a layout that PHP adds, changes or removes is in the table at the next read or write',
  async (t, engine) => {
    const host = await legacy(t, engine, everything)
    const { call, setOption } = host
    const all = async () => (await call('GET', '/user-interfaces?include_data=1')).body.data
    const [dark, standard] = await all()
    passSecond()
    await setOption(
      'svc_ui_layout_default',
      JSON.stringify({ ...layouts.default, name: 'Plain', custom_css: '' }),
    )
    await setOption('svc_ui_layout_neu', JSON.stringify({ name: 'Neu' }))
    t.strictSame(await all(), [
      dark,
      { id: 3, name: 'Neu', is_default: false, data: { name: 'Neu' } },
      { ...standard, name: 'Plain', data: { ...layouts.default, name: 'Plain', custom_css: '' } },
    ])
    const marks = await host.db.selectFrom(host.t.user_interfaces).select(['ID', 'is_default']).execute()
    t.strictSame(
      marks.filter(({ is_default }) => Number(is_default) === 1).map(({ ID }) => ID),
      [dark.id],
      'one row alone is marked as the default',
    )
    await setOption('svc_ui_layout_neu', undefined)
    await setOption('svc_ui_layout_last', JSON.stringify({ name: 'Last' }))
    await call('PATCH', `/user-interfaces/${standard.id}`, { name: 'Ours' })
    t.strictSame(
      (await all()).map(({ name }: Rule) => name),
      ['Dark', 'Last', 'Ours'],
    )
    t.equal(JSON.parse((await host.option('svc_ui_layout_default')) ?? '').name, 'Ours')
  },
)

rule('the setting that PHP writes moves the default, before a read and before a write', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const { call, setOption, option } = host
  const shown = async () => (await call('GET', '/user-interfaces/default')).body.data.name
  t.equal(await shown(), 'Dark')
  passSecond()
  await setOption('svc_product_designer_ui_layout', 'default')
  t.equal(await shown(), 'Standard')
  await setOption('svc_product_designer_ui_layout', 'dark-mode')
  await call('POST', '/user-interfaces', { name: 'Other' })
  t.equal(await shown(), 'Dark')
  t.equal(await option('svc_product_designer_ui_layout'), 'dark-mode')
  // No layout, but a property that every object has.
  const named = await call('PATCH', '/settings', { svc_product_designer_ui_layout: 'constructor' })
  t.equal(named.status, 400)
  t.equal(await shown(), 'Dark')
  const marks = await host.db.selectFrom(host.t.user_interfaces).select('is_default').execute()
  t.equal(marks.filter(({ is_default }) => Number(is_default) === 1).length, 1)
})

rule('two processes that see the same change of PHP take it over once', async (t, engine) => {
  const host = await legacy(t, engine, everything)
  const second = await build(t, { engine, address: host.address })
  await php(host, [...rules, { name: 'New', data: {} }])
  await setLayout(host)
  await Promise.all(
    [host, second, host, second].flatMap((one) => [
      listed(one),
      one.call('GET', '/user-interfaces'),
      one.call('PATCH', '/pricing-rules/2', { data: {} }),
    ]),
  )
  t.strictSame(
    (await listed(host)).map(({ name }) => name),
    ['Long "texts"', 'Größe 😀', 'New'],
  )
  t.equal((await host.call('GET', '/user-interfaces')).body.data.length, 3)
})

const setLayout = ({ setOption }: Legacy) => setOption('svc_ui_layout_neu', JSON.stringify({ name: 'Neu' }))

onServers(
  'real PHP and the API write rules and layouts in turns, in either order, and nothing gets lost',
  async (t: Test, engine) => {
    const address = await freshAddress(t, engine)
    const { wp } = await installWordpress(t, address)
    await wp(
      `update_option('svc_pr_groups', wp_slash(json_encode(json_decode(stream_get_contents(STDIN), true))));
    update_option('svc_ui_layout_default', array('name' => 'Standard'));
    update_option('svc_product_designer_ui_layout', 'default');`,
      JSON.stringify(rules),
    )
    const host = await build(t, { address })
    const change = (code: string) => {
      passSecond()
      return wp(`
      $list = json_decode(wp_unslash(get_option('svc_pr_groups')), true) ?? json_decode(get_option('svc_pr_groups'), true);
      ${code}
      update_option('svc_pr_groups', json_encode($list));`)
    }
    // PHP between two writes of ours, and ours between two of PHP.
    await change(`$list[] = ['name' => 'PHP 1', 'data' => ['type' => 'any', 'note' => 'Größe "1" \\\\']];`)
    await host.call('POST', '/pricing-rules', { name: 'API 1', data: { rules: [] } })
    await change(`$list[0]['data']['type'] = 'all'; $list[] = ['name' => 'PHP 2', 'data' => []];`)
    t.strictSame(Object.keys(await named(host)), [
      ...rules.map(({ name }) => name),
      'PHP 1',
      'API 1',
      'PHP 2',
    ])
    t.match((await named(host))['Long "texts"'], { type: 'all' })
    await change(`array_splice($list, 1, 1);`)
    await host.call('PATCH', '/pricing-rules/1', { data: { ours: true } })
    await wp(`update_option('svc_ui_layout_php', json_encode(['name' => 'By PHP']));
    update_option('svc_product_designer_ui_layout', 'php');`)
    await host.call('POST', '/user-interfaces', { name: 'By the API', data: {} })
    t.strictSame((await host.call('GET', '/user-interfaces/default')).body.data.name, 'By PHP')
    const read = JSON.parse(
      await wp(`echo json_encode([
      array_column(json_decode(get_option('svc_pr_groups'), true), 'data', 'name'),
      get_option('svc_product_designer_ui_layout'),
      json_decode(get_option('svc_ui_layout_by-the-api'), true),
    ]);`),
    )
    t.same(read, [
      {
        'Long "texts"': { ours: true },
        'PHP 1': { type: 'any', note: 'Größe "1" \\' },
        'API 1': { rules: [] },
        'PHP 2': [],
      },
      'php',
      { name: 'By the API' },
    ])
    t.strictSame(Object.keys(await named(host)).sort(), Object.keys(read[0]).sort())
  },
)
