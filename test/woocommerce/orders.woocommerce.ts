// Orders, refunds, guests and variations that WooCommerce made, read by the API; and what the API wrote, read by WooCommerce.
import t, { type Test } from 'tap'
import { stateCodeOf } from '../../src/orders/provider-recipient.ts'
import { printHost } from '../support/hosts/print.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { printful, token } from '../support/peers/printful.ts'
import { installWoocommerce, type OrderStorage, orderStorages } from '../support/wordpress/woocommerce.ts'

const design = { product: [{ title: 'Front ✂ 日本 🖌', elements: [{ source: 'O\'Neil "Co" \\ </script>' }] }] }

/** Returns the ids of what it makes as JSON. */
const makeShop = `
  update_option('timezone_string', 'Europe/Berlin');
  $attribute = new WC_Product_Attribute();
  $attribute->set_name('Size');
  $attribute->set_options(['S', 'M']);
  $attribute->set_variation(true);
  $shirt = new WC_Product_Variable();
  $shirt->set_name('Shirt');
  $shirt->set_attributes([$attribute]);
  $shirt->save();
  $variation = new WC_Product_Variation();
  $variation->set_parent_id($shirt->get_id());
  $variation->set_attributes(['size' => 'M']);
  $variation->set_regular_price('19.90');
  $variation->update_meta_data('svc_printful_variant_id', '4012');
  $variation->update_meta_data('svc_printful_templates', [['placement' => 'front', 'template_id' => 1], ['placement' => 'back']]);
  $variation->save();
  $mug = new WC_Product_Simple();
  $mug->set_name('Mug');
  $mug->set_regular_price('7');
  $mug->save();

  $billing = ['first_name' => 'Ada', 'last_name' => 'Lovelace', 'email' => 'ada@shop.example', 'phone' => '+49 1',
    'address_1' => '9 Byron Street', 'city' => 'London', 'postcode' => 'E1', 'country' => 'GB'];
  $shipping = ['first_name' => 'Grace', 'last_name' => 'Hopper', 'address_1' => 'Marienplatz 1', 'address_2' => 'Hof',
    'city' => 'München', 'state' => 'DE-BY', 'postcode' => '80331', 'country' => 'DE'];
  /** Items are lists of product, quantity and design. */
  function order(array $items, array $options = []) {
    global $billing, $shipping;
    $order = wc_create_order(['customer_id' => $options['customer'] ?? 0]);
    foreach (array_merge($billing, $options['billing'] ?? []) as $name => $value) $order->{"set_billing_$name"}($value);
    foreach (array_merge($shipping, $options['shipping'] ?? []) as $name => $value) $order->{"set_shipping_$name"}($value);
    $order->set_date_created($options['created'] ?? '2026-07-01 12:00:00');
    if (isset($options['number'])) $order->update_meta_data('_order_number', $options['number']);
    $ids = [];
    foreach ($items as [$product, $quantity, $design]) {
      $ids[] = $id = $order->add_product($product, $quantity);
      if ($design === null) continue;
      $item = $order->get_item($id);
      $item->update_meta_data('_svc_data', $design);
      $item->save();
    }
    $order->calculate_totals();
    $order->set_status($options['status'] ?? 'processing');
    $order->save();
    return ['id' => $order->get_id(), 'items' => $ids];
  }
  function refund(array $order, array $pieces) {
    $lines = [];
    foreach ($pieces as $at => $quantity)
      $lines[$order['items'][$at]] = ['qty' => $quantity, 'refund_total' => 1 * $quantity];
    $refund = wc_create_refund(['order_id' => $order['id'], 'amount' => array_sum($pieces), 'line_items' => $lines]);
    if (is_wp_error($refund)) throw new Exception($refund->get_error_message());
    return $refund->get_id();
  }
  $design = stream_get_contents(STDIN);
  $customer = wc_create_new_customer('ada@shop.example', 'ada', 'a password');
  if (is_wp_error($customer)) throw new Exception($customer->get_error_message());
  $refunded = order([[$variation, 4, $design], [$mug, 1, $design], [$variation, 2, $design]], ['customer' => $customer]);
  $refund = refund($refunded, [1, 1]);
  $gone = order([[$variation, 2, $design]]);
  refund($gone, [1]);
  refund($gone, [1]);
  $guest = order([[$mug, 1, $design], [$mug, 2, null]], ['status' => 'completed', 'number' => 'R-77',
    'created' => '2026-12-24 23:30:00', 'billing' => ['first_name' => 'Bob', 'last_name' => 'Ж', 'email' => 'bob@guest.example']]);
  $japan = order([[$variation, 1, $design]], ['shipping' => ['country' => 'JP', 'state' => 'JP13', 'city' => 'Tokyo']]);
  $trashed = order([[$mug, 1, $design]]);
  wc_get_order($trashed['id'])->delete();
  $draft = order([[$mug, 1, $design]], ['status' => 'checkout-draft']);
  $plain = order([[$mug, 1, null]]);
  echo json_encode(compact('refunded', 'refund', 'gone', 'guest', 'japan', 'trashed', 'draft', 'plain', 'customer')
    + ['variation' => $variation->get_id()]);`

interface Made {
  id: number
  items: [number, ...number[]]
}

interface Shop extends Record<'refunded' | 'gone' | 'guest' | 'japan' | 'trashed' | 'draft' | 'plain', Made> {
  refund: number
  customer: number
  variation: number
}

/** The orders as WooCommerce lists them to itself, in the form of the API. */
const listed = String.raw`
  echo json_encode(array_map(fn($order) => [
    'id' => $order->get_id(),
    'order_id' => $order->get_id(),
    'order_number' => $order->get_meta('_order_number') ?: (string) $order->get_id(),
    'created_date' => gmdate('Y-m-d\TH:i:s\Z', $order->get_date_created()->getTimestamp()),
    'status' => $order->get_status(),
    'customer_name' => trim($order->get_billing_first_name() . ' ' . $order->get_billing_last_name()),
    'customer_mail' => $order->get_billing_email(),
    'order_items' => array_values(array_map(
      fn($item) => [
        'id' => $item->get_id(),
        'item_id' => $item->get_id(),
        'name' => $item->get_name(),
        'sku' => $item->get_product()->get_sku(),
        'product_id' => $item->get_product_id(),
        'variation_id' => $item->get_variation_id() ?: null,
        'quantity' => $item->get_quantity(),
        'refunded' => -$order->get_qty_refunded_for_item($item->get_id()),
        'attributes' => array_values(array_map(
          fn($meta) => ['name' => $meta->display_key, 'value' => trim(wp_strip_all_tags($meta->display_value))],
          $item->get_formatted_meta_data('_', true),
        )),
        'print_file_url' => null,
      ],
      array_filter($order->get_items(), fn($item) => $item->get_meta('_svc_data') !== ''),
    )),
  ], wc_get_orders(['type' => 'shop_order', 'limit' => -1, 'orderby' => ['date' => 'DESC', 'ID' => 'DESC'],
    'status' => array_diff(array_keys(wc_get_order_statuses()), ['wc-checkout-draft'])])));`

/** The items of an order without what was bought. */
const designsIn = ({ items }: { items: { order_item: object }[] }) =>
  items.map(({ order_item: _, ...design }) => design)

async function makeWorld(t: Test, storage: OrderStorage) {
  const address = await freshDatabase(t)
  const { wp } = await installWoocommerce(t, address, storage)
  const shop: Shop = JSON.parse(await wp(makeShop, JSON.stringify(design)))
  const remote = await printful(t)
  const changes: object[] = []
  const host = await printHost(t, {
    address,
    printful: { url: remote.url },
    onMetaChanged: (change) => changes.push(change),
  })
  const values = { option_name: 'svc_printful_api_key', option_value: token, autoload: 'yes' }
  await host.db.insertInto(host.t.options).values(values).execute()
  /** Announces the print file of an item; the job. */
  const print = async ({ id, items }: Made, at = 0) => {
    const details = { order_id: id, item_id: items[at], order_type: 'wc', variation_printful: shop.variation }
    const { guid } = await host.newJob(details)
    t.equal((await host.notify(guid)).status, 200)
    return host.job(guid)
  }
  return { ...host, wp, shop, remote, changes, print }
}

t.setTimeout(600_000)

for (const storage of orderStorages) {
  t.test(storage, async (t) => {
    const { call, wp, shop, remote, changes, print } = await makeWorld(t, storage)

    await t.test('lists the orders with a design that WooCommerce lists', async (t) => {
      const all: { order_items: [] }[] = JSON.parse(await wp(listed))
      const { body } = await call('GET', '/orders?type=wc')
      t.strictSame(
        body.data,
        all.filter(({ order_items }) => order_items.length > 0),
      )
      t.equal(body.data.length, 4)
      t.strictSame(
        (await call('GET', '/orders?type=wc&search=r-77')).body.data.map(({ id }: Made) => id),
        [shop.guest.id],
      )
    })

    await t.test('reads the designs of customers, guests and orders in the trash', async (t) => {
      for (const { id, items } of [shop.refunded, shop.gone, shop.japan, shop.trashed, shop.draft]) {
        const { body } = await call('GET', `/orders/${id}?type=wc`)
        t.strictSame(
          designsIn(body.data),
          items.map((item_id) => ({ item_id, item_key: '_svc_data', ...design })),
        )
      }
      t.equal((await call('GET', `/orders/${shop.guest.id}?type=wc`)).body.data.items.length, 1)
      t.equal((await call('GET', `/orders/${shop.plain.id}?type=wc`)).status, 404)
      t.equal((await call('GET', `/orders/${shop.refund}?type=wc`)).status, 404)
    })

    await t.test('WooCommerce reads the designs that the API changed and added', async (t) => {
      const changed = { product: [{ title: 'Ж € 日本 🖌 "\' \\n \n', price: 1.5 }] }
      for (const item_id of shop.guest.items) {
        const sent = { type: 'wc', item_id, order: changed }
        t.equal((await call('PATCH', `/orders/${shop.guest.id}`, sent)).status, 200)
        const stored = JSON.parse(
          await wp(`
            $item = wc_get_order(${shop.guest.id})->get_item(${item_id});
            echo json_encode([$item->get_meta('_svc_data'), wc_get_order_item_meta(${item_id}, '_svc_data'),
              count(array_filter($item->get_meta_data(), fn($meta) => $meta->key === '_svc_data'))]);`),
        )
        t.strictSame([JSON.parse(stored[0]), JSON.parse(stored[1]), stored[2]], [changed, changed, 1])
      }
      // And WooCommerce's own save keeps it.
      await wp(`
        $order = wc_get_order(${shop.guest.id});
        $order->set_customer_note('changed by PHP');
        foreach ($order->get_items() as $item) $item->save();
        $order->save();`)
      const { body } = await call('GET', `/orders/${shop.guest.id}?type=wc`)
      t.strictSame(
        designsIn(body.data),
        shop.guest.items.map((item_id) => ({ item_id, item_key: '_svc_data', ...changed })),
      )
    })

    await t.test('orders the pieces that were not refunded, under the codes of the provider', async (t) => {
      const job = await print(shop.refunded)
      t.match(job, { status: 'completed', warnings: [/1 of 4/] })
      const draft = remote.orders.get(String(shop.refunded.id))
      t.match(draft?.items, [{ quantity: 3, variant_id: 4012, retail_price: '19.90', name: 'Shirt - M' }])
      t.match(draft?.recipient, {
        name: 'Grace Hopper',
        address1: 'Marienplatz 1',
        city: 'München',
        state_code: 'BY',
        country_code: 'DE',
        email: 'ada@shop.example',
        phone: '+49 1',
      })
      const other = await print(shop.refunded, 2)
      t.match([other.status, other.warnings], ['completed', undefined])
      t.equal(remote.orders.get(String(shop.refunded.id))?.items[1]?.quantity, 2)
      t.equal((await print(shop.japan)).status, 'completed')
      t.match(remote.orders.get(String(shop.japan.id))?.recipient, { country_code: 'JP', state_code: '13' })
      t.match(await print(shop.gone), { status: 'failed', error: { message: /refunded/ } })
      t.notOk(remote.orders.has(String(shop.gone.id)))
    })

    await t.test('every state of WooCommerce has a code without its country', async (t) => {
      const countries: Record<string, Record<string, string>> = JSON.parse(
        await wp('echo json_encode(array_filter(WC()->countries->get_states()));'),
      )
      const codes = (country: string) =>
        Object.keys(countries[country] ?? {}).map((state) => stateCodeOf(state, country))
      t.ok(Object.keys(countries).length > 40)
      for (const country of Object.keys(countries)) {
        const own = codes(country)
        t.equal(new Set(own).size, own.length, country)
        const prefixed = new RegExp(`^${country}(?:-|\\d)`)
        t.strictSame(
          own.filter((code) => prefixed.test(code)),
          [],
          country,
        )
      }
      // Those whose states the provider requires.
      t.strictSame(
        codes('JP').sort(),
        Array.from({ length: 47 }, (_, n) => String(n + 1).padStart(2, '0')),
      )
      t.strictSame(codes('AU').sort(), ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'])
      for (const country of ['US', 'CA', 'CN'])
        t.ok(
          codes(country).every((code) => /^[A-Z]{2}$/.test(code)),
          country,
        )
    })

    await t.test('WooCommerce reads what the provider said, again and again', async (t) => {
      const { id } = shop.refunded
      const draft = remote.orders.get(String(id))
      const read = async () =>
        JSON.parse(
          await wp(`
            $order = wc_get_order(${id});
            $data = $order->get_meta('_svc_printful_order_data');
            echo json_encode([$data['id'] ?? null, count($data['items'] ?? []), $order->get_meta('_svc_printful_order_dashboard_url'),
              count(array_filter($order->get_meta_data(), fn($meta) => str_starts_with($meta->key, '_svc_')))]);`),
        )
      const expected = [draft?.id, 2, draft?.dashboard_url, 2]
      for (let time = 0; time < 3; time++) t.strictSame(await read(), expected)
      await wp(`$order = wc_get_order(${id}); $order->set_customer_note('changed by PHP'); $order->save();`)
      t.strictSame(await read(), expected)
      t.ok(changes.length > 0)

      // Where both are kept, the shop may read the other one tomorrow.
      if (/synchronized/.test(storage)) {
        const other = /^orders in tables/.test(storage) ? 'no' : 'yes'
        await wp(`update_option('woocommerce_custom_orders_table_enabled', '${other}');`)
        t.strictSame(await read(), expected)
      }
    })
  })
}
