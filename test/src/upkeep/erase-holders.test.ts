// eraseCustomer(): the rows that it only names, those of the CMS, the shop and the forms among them.
import t from 'tap'
import { customers, mail } from '../../support/fixtures/customers.ts'
import { createShop, row, shopOrder } from '../../support/fixtures/shop.ts'
import { onEachEngine } from '../../support/hosts/build.ts'

const other = 'x.ada@shop.example'

t.test('rows of the shop, the forms and the CMS are named and stay', (t) =>
  onEachEngine(t, async (t, engine) => {
    const { host, stored, erase, rows } = await customers(t, engine)
    await createShop(host)
    await createShop(host, ['users', 'usermeta'])
    await row(host, 'users', { ID: 1, user_email: other })
    await row(host, 'users', { ID: 2, user_email: 'ADA@shop.example' })
    await row(host, 'usermeta', { umeta_id: 1, user_id: 2, meta_key: 'billing_email', meta_value: mail })
    await row(host, 'usermeta', { umeta_id: 2, user_id: 2, meta_key: 'nickname', meta_value: mail })
    await row(host, 'comments', { comment_ID: 1, comment_author_email: mail })
    await row(host, 'comments', { comment_ID: 2, comment_author_email: other })
    const meta: [string, string][] = [
      ['_svc_data', '{"title":"Mug"}'],
      ['_qty', '1'],
    ]
    const classic = await shopOrder(host, 'posts', { mail: ' Ada@shop.example', items: [{ meta }] })
    const modern = await shopOrder(host, 'tables', { mail, items: [{ meta }] })
    for (const shop of ['posts', 'tables'] as const)
      await shopOrder(host, shop, { mail: other, items: [{ meta }] })
    const address = await row(host, 'wc_order_addresses', {
      order_id: 77,
      address_type: 'billing',
      email: mail,
    })
    const entry = { form_id: 1, entry_id: 5, meta_key: '3' }
    const inForm = await row(host, 'gf_entry_meta', { ...entry, meta_value: `Please write to <${mail}>.` })
    await row(host, 'gf_entry_meta', { ...entry, meta_value: `Not to ${other}` })
    await host.db
      .insertInto(host.t.options)
      .values({ option_name: 'old_form', option_value: `a:1:{s:2:"to";s:16:"${mail}";}`, autoload: 'no' })
      .execute()
    const product = { title: 'Mine', options: null, thumbnail: null, type: 'catalog' }
    await host.db
      .insertInto(host.t.products)
      .values([1, 2].map((user_id) => ({ ...product, user_id })))
      .execute()
    const jobs = [
      await host.newJob({ order_id: classic.id, order_type: 'wc' }),
      await host.newJob({ order_id: 5, order_type: 'gf' }),
    ]
    const php = { guid: 'a', data: null, status: 'completed' }
    await host.db
      .insertInto(host.t.print_jobs)
      .values([
        { ...php, details: `{"order_id":${modern.id}}` },
        { ...php, details: `{"recipient":{"email":"${mail}"}}` },
        { ...php, details: `{"recipient":{"email":"${other}"},"order_id":999}` },
      ])
      .execute()
    const similar = await stored({ customer_mail: 'ada @shop.example' })
    const made = await host.call(
      'POST',
      '/shortcode-orders',
      { customer_mail: mail, views: [{ elements: [] }] },
      { 'idempotency-key': 'k' },
    )
    const id = made.body.data.id
    const before = await rows()
    const found = await erase()
    t.same([found.orders, found.problems, found.moreHolders], [[id], [], 0])
    const itemMeta = await host.db
      .selectFrom('wp_woocommerce_order_itemmeta' as 'options')
      .select(['meta_id' as 'option_id', 'order_item_id' as 'option_name', 'meta_key' as 'option_value'])
      .execute()
    const designs = (itemMeta as unknown as { meta_id: number; order_item_id: number; meta_key: string }[])
      .filter((each) => each.meta_key === '_svc_data')
      .filter((each) => [...classic.items, ...modern.items].includes(Number(each.order_item_id)))
    const of = (table: string) =>
      found.holders.filter((each) => each.table === `wp_${table}`).map((each) => each.id)
    t.equal(of('postmeta').length, 1)
    t.same(of('wc_orders'), [modern.id])
    t.same(of('wc_order_addresses'), [address])
    t.same(of('woocommerce_order_itemmeta').sort(), designs.map((each) => Number(each.meta_id)).sort())
    t.same(of('gf_entry_meta'), [inForm])
    t.same(of('users'), [2])
    t.same(of('usermeta'), [1])
    t.same(of('comments'), [1])
    t.same(of('options'), ['old_form'])
    t.same(of('svc_products'), [2])
    t.same(of('svc_orders'), [similar])
    t.equal(of('svc_idempotency').length, 1)
    const php0 = (jobs[1]?.id ?? 0) + 1
    t.same(of('svc_print_jobs'), [jobs[0]?.id, jobs[1]?.id, php0, php0 + 1])
    t.equal(found.holders.length, 17)
    const after = await rows()
    t.same([after.jobs, after.steps, after.files], [before.jobs, before.steps, before.files])
    // The request is remembered, so that a retry does not create the order again.
    const again = await host.call(
      'POST',
      '/shortcode-orders',
      { customer_mail: mail, views: [{ elements: [] }] },
      { 'idempotency-key': 'k' },
    )
    t.match(again.body.data, { id, customer_mail: '' })
  }),
)

for (const shop of ['posts', 'tables'] as const) {
  t.test(
    `eraseCustomer: an order of the shop in the trash is named as such, with its design (${shop})`,
    (t) =>
      onEachEngine(t, async (t, engine) => {
        const { host, erase } = await customers(t, engine)
        await createShop(host)
        const items = [{ meta: [['_svc_data', '{"title":"Mug"}'] as [string, string]] }]
        const live = await shopOrder(host, shop, { mail, items })
        const trashed = await shopOrder(host, shop, { mail, items, status: 'trash' })
        await shopOrder(host, shop, { mail: other, items, status: 'trash' })
        const { holders } = await erase()
        const inTrash = holders.filter(({ what }) => what.includes('trash'))
        t.same(inTrash, [
          {
            table: shop === 'posts' ? 'wp_posts' : 'wp_wc_orders',
            id: trashed.id,
            what: 'order of the shop in the trash, which the eraser of the shop skips',
          },
        ])
        const designs = holders.filter(({ what }) => what === 'design of an item of the shop')
        t.equal(designs.length, [live, trashed].length)
      }),
  )
}
