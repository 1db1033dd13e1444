// Markup in whatever is stored or asked for is text on every page that the desk and the settings screen link to.
import t, { type Test } from 'tap'
import { svcSettingsScreen } from '../../../plugins/index.ts'
import { row } from '../../support/fixtures/shop.ts'
import type { TestHost } from '../../support/hosts/build.ts'
import { addForm, deskShop, formEntry, jobRow, shortcodeOrder, wcOrder } from '../../support/hosts/desk.ts'
import { type ScreenClient, screenClient, store } from '../../support/hosts/screen.ts'
import { pictureElement, textElement, viewWith } from '../../support/render/render-shop.ts'

const hostile = `"'></textarea></title></svg><script>alert(1)</script><img src=x onerror=alert(1)><a href=javascript:alert(1)>`

const element = (make: typeof textElement | typeof pictureElement) =>
  make(hostile, { fontFamily: hostile, fill: hostile, stroke: hostile, text: hostile })
const design = {
  variation_printful: hostile,
  product: [
    {
      ...viewWith(element(textElement), element(pictureElement)),
      title: hostile,
      names_numbers: [{ name: hostile, number: hostile, select: hostile }],
    },
  ],
}

/** An order of each source with a failed, a waiting and a finished job, and what else the pages show. */
async function fill(host: TestHost): Promise<void> {
  const { db, t: names } = host
  const number = hostile.slice(0, 40)
  const made = await wcOrder(host, '2026-06-01 08:00:00', [design], {
    number,
    first: hostile,
    last: hostile,
    mail: hostile,
    status: 'wc-completed',
  })
  const meta = { _order_currency: hostile, _order_total: hostile, _billing_phone: hostile }
  const address = { _shipping_address_1: hostile, _shipping_city: hostile, _shipping_company: hostile }
  for (const [meta_key, meta_value] of Object.entries({ ...meta, ...address }))
    await row(host, 'postmeta', { post_id: made.id, meta_key, meta_value })
  const form = await addForm(host)
  const entry = await formEntry(host, form, {
    created: '2026-05-01 08:00:00',
    name: hostile,
    mail: hostile,
    design,
  })
  const code = await shortcodeOrder(host, {
    customer_name: hostile,
    customer_mail: hostile,
    views: design.product,
  })
  const error = { code: hostile, message: hostile }
  await jobRow(host, { type: 'wc', id: made.id, item: made.items[0] ?? 0, status: 'failed', error })
  await jobRow(host, { type: 'gf', id: entry, item: 0, status: 'pending', error, isHeld: true })
  await jobRow(host, { type: hostile, id: code, item: 0, status: 'failed', error })
  await db
    .insertInto(names.print_jobs)
    .values({
      guid: hostile,
      status: 'completed',
      details: JSON.stringify({
        order_id: code,
        order_type: 'shortcode',
        output_format: hostile,
        color: hostile,
      }),
      data: JSON.stringify({ local_file: 'javascript:alert(1)', warnings: [hostile] }),
    })
    .execute()
  const view = { title: hostile, thumbnail: hostile, options: {}, elements: design.product[0]?.elements }
  const product = await host.call('POST', '/products', { title: hostile.slice(0, 100) })
  await host.call('POST', `/products/${product.body.data.id}/views`, view)
  await db
    .updateTable(names.api_outbox)
    .set({ state: 'dead', error: hostile, type: hostile.slice(0, 60) })
    .execute()
}

/** Every page that links lead to, and pictures' addresses; each page is checked. */
async function crawl(t: Test, client: ScreenClient, starts: readonly string[]): Promise<string[]> {
  const todo = [...starts]
  const seen = new Set<string>()
  for (let path = todo.shift(); path !== undefined; path = todo.shift()) {
    if (seen.has(path) || seen.size > 200) continue
    seen.add(path)
    const page = await client.get(path)
    if (!page.headers['content-type']?.startsWith('text/html')) continue
    const [name = ''] = decodeURIComponent(path).split(/[?<"]/, 1)
    const policy = page.headers['content-security-policy'] ?? ''
    t.match(policy, "default-src 'none'; script-src 'self';")
    t.not(page.status, 500, name)
    const { document } = page
    const scripts = [...document.scripts].map((script) => script.getAttribute('src'))
    t.same(scripts, name.startsWith('tickets') ? [] : ['screen.js'], name)
    const links = [...document.querySelectorAll('[href], [src], [action]')].flatMap((one) =>
      ['href', 'src', 'action'].map((name) => one.getAttribute(name) ?? ''),
    )
    const own = [...document.querySelectorAll('*')].flatMap(({ attributes }) =>
      [...attributes].map(({ name }) => name).filter((name) => /^on|[^\w-]/.test(name)),
    )
    t.same([own, links.filter((link) => /^\s*javascript:/i.test(link))], [[], []], name)
    const gets = [...document.querySelectorAll('a[href], img[src]')].map(
      (one) => one.getAttribute('href') ?? one.getAttribute('src') ?? '',
    )
    todo.push(...gets.filter((link) => !/^(?:\w+:|#|\/)/.test(link)).map((link) => link.replace(/#.*/s, '')))
  }
  return [...seen]
}

t.test('markup in orders, designs, products, jobs and deliveries is text on every page', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design, {
    audit: true,
    webhooks: [{ url: 'https://erp.example/svc', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }],
    desk: { authorize: () => ({ name: hostile, scopes: 'all' }) },
    after: (app) => void app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
  })
  await fill(host)
  await client.submit(await client.get('queue'), 'cancel')
  await store(host, {
    svc_text_templates: JSON.stringify([{ text: hostile, fontFamily: hostile, fontSize: 12 }]),
    svc_color_library: JSON.stringify({ colors: [{ id: hostile, name: hostile, hex: '#fff' }] }),
    svc_pro_export_webhook_url: hostile,
  })
  const asked = encodeURIComponent(hostile)
  const query = ['q', 'state', 'source', 'since', 'said', 'at'].map((name) => `${name}=${asked}`).join('&')
  const pages = await crawl(t, client, [
    'orders',
    `orders?${query}`,
    `queue?${query}`,
    `audit?id=${asked}`,
    `check?type=${asked}`,
    asked,
  ])
  t.ok(pages.length > 15)
  t.ok(pages.some((page) => page.startsWith('check?type=wc')))
  t.ok(pages.some((page) => page.startsWith('tickets?orders=wc')))
  t.match((await client.get('orders')).texts('.orders').join(), '<script>alert(1)</script>')
  const settings = screenClient(host.app, { prefix: '/settings' })
  const made = [
    'edit-text-templates',
    'edit-color-library',
    'import-color-library',
    'edit-print-output',
    `revoke-token?name=${asked}`,
    `rotate-token?name=${asked}`,
    `search?q=${asked}`,
  ]
  const shown = await crawl(t, settings, ['status', 'named-tokens', ...made])
  t.ok(shown.length > 15)
})

t.test('a job whose stored reason is none keeps no page from being shown', async (t) => {
  const { host, client } = await deskShop(t, 'SQLite', design, {
    after: (app) => void app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true }),
  })
  for (const error of [{ code: 1, message: { a: 1 } }, { message: [1] }, 'lost', {}])
    await jobRow(host, { type: 'wc', id: 1, item: 1, status: 'failed', error: error as never })
  t.match((await client.get('queue')).texts('#queue .why').join(), 'No reason was stored.')
  const settings = screenClient(host.app, { prefix: '/settings' })
  t.equal((await settings.get('status')).texts('[aria-labelledby=section-jobs] tbody tr').length, 4)
  t.equal((await host.call('GET', '/print-jobs')).status, 200)
})
