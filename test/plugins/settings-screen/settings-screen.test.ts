// The pages of the settings screen: what they show, and what they never show.
import t from 'tap'
import { token } from '../../support/hosts/build.ts'
import { buildScreen, store } from '../../support/hosts/screen.ts'

const tabs = [
  'general',
  'element-properties',
  'fonts',
  'colors',
  'woocommerce',
  'export',
  'text-templates',
  'addons',
  'advanced',
  'api',
]

interface Listed {
  id: string
  label: string
  description: string
  default: unknown
  tab: string
}

t.test('each tab shows every setting of the catalog with name, description, default and key', async (t) => {
  const { host, client } = await buildScreen(t)
  const index: Listed[] = (await host.call('GET', '/settings')).body.data
  let count = 0
  for (const tab of tabs) {
    const page = await client.get(tab)
    t.equal(page.status, 200)
    t.match(page.headers['content-type'], 'text/html; charset=utf-8')
    for (const { id, label, description, default: value } of index.filter((one) => one.tab === tab)) {
      const field = page.document.getElementById(`field-${id}`)
      const text = field?.textContent?.replace(/\s+/g, ' ') ?? ''
      t.ok(text.includes(label) && text.includes(description), id)
      if (typeof value === 'boolean') t.match(text, `Default: ${value ? 'on' : 'off'}.`, id)
      count++
    }
    t.strictSame(page.texts('nav [aria-current]').length, 1)
  }
  t.equal(count, index.length)
})

t.test('the start of the screen leads to the first tab, with and without a slash at the end', async (t) => {
  const { host, client } = await buildScreen(t)
  const plain = await host.app.inject('/settings')
  t.strictSame([plain.statusCode, plain.headers.location], [303, 'settings/general'])
  t.equal((await client.get('')).headers.location, 'general')
})

t.test('the search finds settings of all tabs by key, name and description, whatever the case', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('search?q=WEBHOOK+url')
  t.strictSame(page.texts('.found a'), ['Webhook URL'])
  t.equal(
    page.document.querySelector('.found a')?.getAttribute('href'),
    'export#field-svc_pro_export_webhook_url',
  )
  t.match(page.texts('[role=status]')[0], '1 setting matches')
  t.ok((await client.get('search?q=svc_api_')).texts('.found li').length >= 14)
  t.match((await client.get('search?q=no+such+thing')).texts('[role=status]')[0], 'No setting matches')
  t.equal((await client.get('search?q=%3Cscript%3E')).document.querySelectorAll('main script').length, 0)
  t.equal((await client.get('search')).status, 200)
  t.equal((await client.get(`search?q=${'x'.repeat(5000)}&q=webhook`)).texts('.found a').length, 1)
})

t.test('the API tab shows the token, the 13 toggles and where the API stands', async (t) => {
  const { client } = await buildScreen(t, {}, { documentUrl: '/openapi.json' })
  const page = await client.get('api')
  const field = page.document.getElementById('svc_api_token')
  t.strictSame(
    [field?.getAttribute('value'), field?.hasAttribute('readonly'), field?.hasAttribute('name')],
    [token, true, false],
  )
  t.equal(page.document.querySelectorAll('form.settings input[type=checkbox]').length, 13)
  t.equal(page.texts('form.settings .on').length, 13)
  const [version, base, document] = page.texts('dd')
  t.match(version, /^\d+\.\d+\.\d+/)
  t.strictSame([base, document], ['https://shop.example/wp-json/svc/v1', '/openapi.json'])
  const plain = await buildScreen(t)
  t.equal((await plain.client.get('api')).texts('dd')[2], 'https://shop.example/wp-json/svc/v1/openapi.json')
})

t.test('the export tab shows the webhook URL and the URL for the router', async (t) => {
  const { client } = await buildScreen(t)
  const page = await client.get('export')
  t.equal(
    page.document.getElementById('print-ready-url')?.getAttribute('value'),
    'https://shop.example/wp-json/svc-export/v1.0/print_job/{print_job_id}',
  )
  t.ok(page.document.querySelector('input[name=svc_pro_export_webhook_url]'))
  t.equal(page.texts('title')[0], 'Export – Settings')
  t.notMatch(page.text, 'This app does not serve it.')
  t.strictSame(page.texts('label:has(input[name=svc_ae_cloud])').slice(-2), ['Dropbox', 'S3'])
})

t.test('lists with a route of their own have no field but a link to the page that edits them', async (t) => {
  const { client } = await buildScreen(t)
  for (const [tab, key, route] of [
    ['text-templates', 'svc_text_templates', 'edit-text-templates'],
    ['colors', 'svc_color_library', 'edit-color-library'],
  ] as const) {
    const page = await client.get(tab)
    t.equal(page.document.querySelectorAll(`[name=${key}]`).length, 0)
    const link = page.document.querySelector(`#field-${key} .remark a`)
    t.equal(link?.getAttribute('href'), route)
  }
  t.equal((await client.get('text-templates')).texts('.save').length, 0)
})

t.test('a secret is shown as set or not set, and never itself', async (t) => {
  const { host, client } = await buildScreen(t, {
    settings: [
      {
        id: 'svc_own_secret',
        type: 'text',
        label: 'Own',
        description: 'A secret of the host.',
        default: '',
        secret: true,
        tab: 'export',
        section: 'own',
        sectionLabel: 'Own',
      },
    ],
  })
  const states = async () => {
    const page = await client.get('export')
    t.notMatch(page.text, 'hush-hush')
    return ['svc_printful_api_key', 'svc_own_secret'].map((key) => page.texts(`#field-${key} strong`)[0])
  }
  t.strictSame(await states(), ['Not set.', 'Not set.'])
  await store(host, { svc_printful_api_key: 'hush-hush', svc_own_secret: 'hush-hush' })
  t.strictSame(await states(), ['Set.', 'Set.'])
})

const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;`

t.test('markup in stored values, settings of the host, jobs and paths is shown as text', async (t) => {
  const { host, client } = await buildScreen(t, {
    settings: [
      {
        id: 'svc_own',
        type: 'select',
        label: hostile,
        description: hostile,
        default: hostile,
        choices: [hostile, 'b'],
        tab: hostile,
        section: hostile,
        sectionLabel: hostile,
      },
    ],
  })
  const { db, t: names } = host
  await store(host, {
    svc_pro_export_webhook_url: hostile,
    svc_hex_names: `${hostile}\n</textarea>${hostile}`,
    svc_languages: JSON.stringify([hostile]),
    svc_api_token: hostile,
    svc_printful_region: hostile,
  })
  await db
    .insertInto(names.print_jobs)
    .values({
      guid: hostile,
      status: hostile.slice(0, 20),
      details: '{}',
      data: `{"local_file":"javascript:alert(1)"}`,
    })
    .execute()
  const paths = [
    ...tabs,
    encodeURIComponent(hostile),
    'status',
    `search?q=${encodeURIComponent(hostile)}`,
    `no${encodeURIComponent(hostile)}`,
  ]
  for (const path of paths) {
    const { document } = await client.get(path)
    t.strictSame(
      [document.scripts.length, document.querySelectorAll('img, [onerror], a[href^=javascript]').length],
      [1, 0],
      path,
    )
  }
  const value = (page: Awaited<ReturnType<typeof client.get>>, name: string) =>
    Reflect.get(Object(page.document.querySelector(`[name=${name}]`)), 'value')
  t.equal(value(await client.get('export'), 'svc_pro_export_webhook_url'), hostile)
  t.equal(value(await client.get('colors'), 'svc_hex_names'), `${hostile}\n</textarea>${hostile}`)
})

t.test('the status page shows installation, the last 20 print jobs, database and storage', async (t) => {
  const { host, client } = await buildScreen(t, {
    uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' },
  })
  const { db, t: names } = host
  for (let number = 1; number <= 22; number++) {
    const data = number === 22 ? '{"local_file":"/srv/wp/svc/print_files/aa/a b.pdf"}' : null
    const status = number === 21 ? 'failed' : 'completed'
    await db
      .insertInto(names.print_jobs)
      .values({ guid: `job-${number}`, status, details: '{}', data })
      .execute()
  }
  const failed = await db
    .selectFrom(names.print_jobs)
    .select('ID')
    .where('guid', '=', 'job-21')
    .executeTakeFirstOrThrow()
  await db
    .insertInto(names.print_job_steps)
    .values({ job_id: failed.ID, order_ref: '', item_id: 0, error: '{"code":"svc_x","message":"It broke."}' })
    .execute()
  const page = await client.get('status')
  const rows = page.texts('tbody tr')
  t.equal(rows.length, 20)
  t.match(rows[0], /job-22 .*completed .*Open/)
  t.equal(
    page.document.querySelector('tbody a')?.getAttribute('href'),
    'https://shop.example/uploads/svc/print_files/aa/a%20b.pdf',
  )
  t.match(rows[1], /job-21 .*failed It broke\. svc_x/)
  const facts = page.texts('dl').join(' ')
  t.match(facts, /Database\s*Responds in \d+ ms/)
  t.match(facts, /File storage\s*Writable in \d+ ms/)
  for (const fact of ['svc-api', 'https://shop.example/wp-json', 'Woocommerce', 'Print Jobs 22'])
    t.ok(
      facts
        .replace(/Print Jobs\s*22/, 'Print Jobs 22')
        .toLowerCase()
        .includes(fact.toLowerCase()),
      fact,
    )
})

t.test('what is no page is 404, also the slug of a section', async (t) => {
  const { client } = await buildScreen(t)
  for (const path of ['nope', 'enabled-controllers', 'api/x', 'toString']) {
    const page = await client.get(path)
    t.strictSame([page.status, page.texts('[role=alert]')], [404, ['There is no such page.']], path)
  }
})
