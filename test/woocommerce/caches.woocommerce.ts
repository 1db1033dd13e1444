// WooCommerce behind a persistent object cache: PHP reads what the API wrote about an order, because a listener dropped it.
import t, { type Test } from 'tap'
import { entriesOfMeta, redisKey } from '../../examples/object-cache/wordpress-cache.ts'
import type { MetaChange } from '../../plugins/index.ts'
import { printHost } from '../support/hosts/print.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { printful, token } from '../support/peers/printful.ts'
import { addDroppingPlugin, cacheObjects } from '../support/wordpress/caching.ts'
import { installWoocommerce, type OrderStorage } from '../support/wordpress/woocommerce.ts'

t.setTimeout(600_000)

/** An order of a printed product, and what PHP reads of it in a process of its own. */
async function makeShop(t: Test, storage: OrderStorage, caching: 'yes' | 'no') {
  const address = await freshDatabase(t)
  const { dir, wp } = await installWoocommerce(t, address, storage)
  await wp(`update_option('woocommerce_hpos_datastore_caching_enabled', '${caching}');`)
  const { redis } = await cacheObjects(t, dir)
  await addDroppingPlugin(dir)
  const shop: { order: number; item: number; product: number } = JSON.parse(
    await wp(`
      $mug = new WC_Product_Simple();
      $mug->set_name('Mug');
      $mug->set_regular_price('7');
      $mug->update_meta_data('svc_printful_variant_id', '4012');
      $mug->update_meta_data('svc_printful_templates', [['placement' => 'front']]);
      $mug->save();
      $order = wc_create_order();
      $order->set_billing_first_name('Ada');
      $order->set_billing_address_1('1 Road');
      $order->set_billing_city('London');
      $order->set_billing_country('GB');
      $item = $order->add_product($mug, 1);
      $line = $order->get_item($item);
      $line->update_meta_data('_svc_data', '{"title":"old"}');
      $line->save();
      $order->set_status('processing');
      $order->save();
      echo json_encode(['order' => $order->get_id(), 'item' => $item, 'product' => $mug->get_id()]);`),
  )
  /** What the provider said, and the title of the design. */
  const seen = async () =>
    JSON.parse(
      await wp(`
        $order = wc_get_order(${shop.order});
        $data = $order->get_meta('_svc_printful_order_data');
        foreach ($order->get_items() as $item) $design = json_decode($item->get_meta('_svc_data'));
        echo json_encode([$data['notes'] ?? null, $design->title]);`),
    )
  return { ...shop, address, wp, redis, seen }
}

const settings: [OrderStorage, caching: 'yes' | 'no'][] = [
  ['orders in tables', 'yes'],
  ['orders in tables', 'no'],
  ['orders in posts', 'no'],
  ['orders in tables, synchronized with posts', 'yes'],
]

for (const [storage, caching] of settings) {
  t.test(`${storage}, HPOS data caching: ${caching}`, async (t) => {
    const shop = await makeShop(t, storage, caching)
    const remote = await printful(t)
    let drop = async (_change: MetaChange): Promise<void> => {}
    const host = await printHost(t, {
      address: shop.address,
      printful: { url: remote.url },
      onMetaChanged: (change) => drop(change),
    })
    const values = { option_name: 'svc_printful_api_key', option_value: token, autoload: 'yes' }
    await host.db.insertInto(host.t.options).values(values).execute()
    /** Prints the item and changes its design. */
    const write = async (title: string) => {
      remote.watch = () => {
        const draft = remote.orders.get(String(shop.order))
        if (draft) draft.notes = title
      }
      for (let time = 0; time < 2; time++) {
        const details = { order_id: shop.order, item_id: shop.item, variation_printful: shop.product }
        const { guid } = await host.newJob({ ...details, order_type: 'wc' })
        t.match(await host.notify(guid), { body: { data: { status: 'completed' } } })
      }
      const change = { type: 'wc', item_id: shop.item, order: { title } }
      t.equal((await host.call('PATCH', `/orders/${shop.order}`, change)).status, 200)
    }

    for (let time = 0; time < 2; time++) t.strictSame(await shop.seen(), [null, 'old'])
    const changes: MetaChange[] = []
    drop = async (change) => void changes.push(change)
    await write('new')
    t.equal((await shop.seen())[1], 'old', 'this cache notices nothing by itself')
    for (const change of changes)
      await shop.redis.del(entriesOfMeta(change, 'wp_').map((entry) => redisKey('wp', entry)))
    for (let time = 0; time < 2; time++) t.strictSame(await shop.seen(), ['new', 'new'])

    drop = async ({ table, objectId }) =>
      void (await shop.wp(`SvcObjectCache\\drop_meta('${table}', ${objectId});`))
    await write('newer')
    t.strictSame(await shop.seen(), ['newer', 'newer'])
  })
}
