// A customer is erased by us and by the erasers of WordPress and WooCommerce: nobody's data is left that nobody names.
import { sql } from 'kysely'
import t from 'tap'
import { eraseCustomer } from '../../plugins/index.ts'
import { printHost } from '../support/hosts/print.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { printful, token } from '../support/peers/printful.ts'
import { installWoocommerce, type OrderStorage } from '../support/wordpress/woocommerce.ts'

t.setTimeout(600_000)

const mail = 'ada@shop.example'
/** What says who the customer is. */
const traces = [mail, 'Lovelace', 'Byron Street']

const makeShop = `
  update_option('woocommerce_erasure_request_removes_order_data', 'yes');
  update_option('woocommerce_erasure_request_removes_download_data', 'yes');
  $mug = new WC_Product_Simple();
  $mug->set_name('Mug');
  $mug->set_regular_price('7');
  $mug->update_meta_data('svc_printful_variant_id', '4012');
  $mug->update_meta_data('svc_printful_templates', [['placement' => 'front']]);
  $mug->save();
  $customer = wc_create_new_customer('${mail}', 'customer', 'a password');
  update_user_meta($customer, 'first_name', 'Ada');
  update_user_meta($customer, 'last_name', 'Lovelace');
  update_user_meta($customer, 'billing_email', '${mail}');
  update_user_meta($customer, 'billing_address_1', '9 Byron Street');
  $person = fn($mail) => ['first_name' => 'Ada', 'last_name' => 'Lovelace', 'address_1' => '9 Byron Street', 'city' => 'London',
    'country' => 'GB', 'email' => $mail];
  $orders = [];
  foreach ([[$customer, '${mail}'], [0, '${mail}'], [$customer, 'other@work.example']] as [$account, $address]) {
    $order = wc_create_order(['customer_id' => $account]);
    // Its method set_address also writes meta of posts, which the checkout does not.
    foreach ($person($address) as $name => $value) $order->{"set_billing_$name"}($value);
    foreach ($person('') as $name => $value) if ($name !== 'email') $order->{"set_shipping_$name"}($value);
    $item = $order->add_product($mug, 1);
    $line = $order->get_item($item);
    $line->update_meta_data('_svc_data', json_encode(['product' => [['elements' => [['type' => 'text', 'text' => 'Ada Lovelace']]]]]));
    $line->save();
    $order->calculate_totals();
    $order->set_status('processing');
    $order->save();
    $orders[] = ['id' => $order->get_id(), 'item' => $item];
  }
  echo json_encode(['orders' => $orders, 'product' => $mug->get_id()]);`

const runErasers = `
  $removed = 0;
  foreach (apply_filters('wp_privacy_personal_data_erasers', []) as $eraser)
    for ($page = 1, $done = false; !$done && $page < 50; $page++) {
      $result = call_user_func($eraser['callback'], '${mail}', $page);
      $removed += (int) $result['items_removed'];
      $done = $result['done'];
    }
  // The account itself is the shop's to delete.
  require_once ABSPATH . 'wp-admin/includes/user.php';
  wp_delete_user(get_user_by('email', '${mail}')->ID);
  echo $removed;`

for (const storage of [
  'orders in tables',
  'orders in posts',
  'orders in tables, synchronized with posts',
] as OrderStorage[]) {
  t.test(storage, async (t) => {
    const address = await freshDatabase(t)
    const { wp } = await installWoocommerce(t, address, storage)
    const shop: { orders: { id: number; item: number }[]; product: number } = JSON.parse(await wp(makeShop))
    const remote = await printful(t)
    const host = await printHost(t, { address, printful: { url: remote.url } })
    const values = { option_name: 'svc_printful_api_key', option_value: token, autoload: 'yes' }
    await host.db.insertInto(host.t.options).values(values).execute()
    for (const { id, item } of shop.orders) {
      const details = { order_id: id, item_id: item, order_type: 'wc', variation_printful: shop.product }
      const { guid } = await host.newJob(details)
      t.match(await host.notify(guid), { body: { data: { status: 'completed' } } })
    }

    /** Rows of any table in which a trace of the customer stands, as `table:id`. */
    async function traced(): Promise<string[]> {
      const { rows: columns } = await sql<{ t: string; c: string; k: string }>`
        select c.table_name as t, c.column_name as c, k.column_name as k
        from information_schema.columns as c join information_schema.key_column_usage as k
          on k.table_schema = c.table_schema and k.table_name = c.table_name and k.constraint_name = 'PRIMARY'
            and k.ordinal_position = 1
        where c.table_schema = database() and c.character_maximum_length is not null`.execute(host.db)
      const found = new Set<string>()
      for (const { t: table, c, k } of columns)
        for (const trace of traces) {
          const { rows } = await sql<{ id: string }>`select ${sql.ref(k)} as id from ${sql.table(table)}
            where ${sql.ref(c)} like ${`%${trace}%`}`.execute(host.db)
          for (const { id } of rows) found.add(`${table}:${id}`)
        }
      return [...found].sort()
    }

    t.ok((await traced()).length > 10)
    const erasure = await eraseCustomer({ database: address, mail })
    t.ok(Number(await wp(runErasers)) > 0)
    const named = new Set(erasure.holders.map(({ table, id }) => `${table}:${id}`))
    const left = await traced()
    t.strictSame(
      left.filter((row) => !named.has(row)),
      [],
      'what is left was named',
    )

    // The shop itself still works with its orders.
    const seen = await wp(`
      foreach ([${shop.orders.map(({ id }) => id)}] as $id) {
        $data = wc_get_order($id)->get_meta('_svc_printful_order_data');
        echo is_array($data) ? $data['id'] : 'none', ' ';
      }`)
    t.equal(seen.trim(), shop.orders.map(({ id }) => remote.orders.get(String(id))?.id).join(' '))
  })
}
