// WordPress with a persistent object cache next to the example that invalidates what the API has changed.
import { copyFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createClient } from 'redis'
import t from 'tap'
import { entriesOfMeta, redisKey } from '../../examples/object-cache/wordpress-cache.ts'
import { connect } from '../../src/db/connect.ts'
import { createShop } from '../support/fixtures/shop.ts'
import { startExample } from '../support/hosts/example.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { startRedis } from '../support/peers/redis.ts'
import { cachedOrderMeta, cacheOrderMeta } from '../support/wordpress/order-cache.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

t.test('PHP reads what the API has just written, despite its cache', async (t) => {
  const DATABASE_URL = await freshDatabase(t)
  const port = await startRedis(t)
  const REDIS_URL = `redis://127.0.0.1:${port}`
  const { dir, wp } = await installWordpress(t, DATABASE_URL)
  const connection = await connect({ database: DATABASE_URL })
  t.teardown(() => connection.close())
  await createShop({ connection, engine: 'MariaDB' } as never, [
    'woocommerce_order_items',
    'woocommerce_order_itemmeta',
  ])
  await copyFile(
    resolve(import.meta.dirname, '../support/wordpress/object-cache.php'),
    join(dir, 'wp-content/object-cache.php'),
  )
  process.env.SVC_TEST_REDIS = `tcp://127.0.0.1:${port}`
  const redis = createClient({ url: REDIS_URL })
  await redis.connect()
  t.teardown(() => redis.destroy())

  const names = [
    'svc_bounding_box_stroke_width',
    'svc_fabricjs_texture_size',
    'svc_shortcode_order_mail_addresses',
  ]
  const order = `
    global $wpdb;
    $wpdb->order_itemmeta = $wpdb->prefix . 'woocommerce_order_itemmeta';
    $item = (int) $wpdb->get_var("select order_item_id from {$wpdb->prefix}woocommerce_order_items");`
  /** What a new PHP process reads of the options (autoloaded, separate, missing), and of the item's design. */
  const seen = async () =>
    JSON.parse(
      await wp(`${order}
        $prefix = "wc_object_{$item}_cache_prefix";
        if (wp_cache_get($prefix, "object_$item") === false) wp_cache_set($prefix, microtime(), "object_$item");
        echo json_encode([
          ...array_map('get_option', ${JSON.stringify(names)}),
          json_decode(get_metadata('order_item', $item, '_svc_data', true))->title,
        ]);`),
    )
  const id = await wp(`${order}
    add_option('${names[0]}', '1', '', true);
    add_option('${names[1]}', '2048', '', false);
    $order = wp_insert_post(['post_type' => 'shop_order', 'post_status' => 'wc-processing', 'post_title' => 'Order']);
    $wpdb->insert("{$wpdb->prefix}woocommerce_order_items", ['order_item_name' => 'Mug', 'order_item_type' => 'line_item', 'order_id' => $order]);
    add_metadata('order_item', $wpdb->insert_id, '_svc_data', wp_slash('{"title":"old"}'));
    echo "$order";`)
  t.same(await seen(), ['1', '2048', false, 'old'])

  const { call, stop } = await startExample(t, 'object-cache', { DATABASE_URL, REDIS_URL })
  const item = (await call('GET', `/orders/${id}?type=wc`)).body.data.items[0].item_id
  t.same(await seen(), ['1', '2048', false, 'old'])
  const stale = [
    ...['alloptions', 'notoptions', names[1] ?? ''].map((key) => `wp:options:${key}`),
    `wp:order_item_meta:${item}`,
    `wp:object_${item}:wc_object_${item}_cache_prefix`,
  ]
  t.equal(await redis.exists(stale), stale.length, 'PHP keeps all of it in its cache')

  // A direct change shows that this cache would not notice by itself.
  await connection.db
    .updateTable('wp_options' as never)
    .set({ option_value: '3' } as never)
    .where('option_name' as never, '=', names[0] as never)
    .execute()
  t.same(await seen(), ['1', '2048', false, 'old'])

  const settings = { [names[0] ?? '']: 5, [names[1] ?? '']: 8192, [names[2] ?? '']: 'ada@shop.example' }
  t.equal((await call('PATCH', '/settings', settings)).status, 200)
  const changed = await call('PATCH', `/orders/${id}`, { type: 'wc', item_id: item, order: { title: 'new' } })
  t.equal(changed.status, 200)
  const end = performance.now() + 20_000
  while ((await redis.exists(stale)) > 0 && performance.now() < end);
  t.equal(await redis.exists(stale), 0)
  t.same(await seen(), ['5', '8192', 'ada@shop.example', 'new'])
  t.equal(await stop(), 0)
})

t.test('the meta of orders is dropped where WooCommerce caches it', async (t) => {
  const port = await startRedis(t)
  const { dir, wp } = await installWordpress(t, await freshDatabase(t))
  await copyFile(
    resolve(import.meta.dirname, '../support/wordpress/object-cache.php'),
    join(dir, 'wp-content/object-cache.php'),
  )
  process.env.SVC_TEST_REDIS = `tcp://127.0.0.1:${port}`
  const redis = createClient({ url: `redis://127.0.0.1:${port}` })
  await redis.connect()
  t.teardown(() => redis.destroy())
  await wp(cacheOrderMeta(7))
  t.same(JSON.parse(await wp(cachedOrderMeta(7))), [true, true])
  const change = { table: 'wp_wc_orders_meta', objectId: 7, keys: ['_svc_printful_order_data'] }
  await redis.del(entriesOfMeta(change, 'wp_').map((entry) => redisKey('wp', entry)))
  t.same(JSON.parse(await wp(cachedOrderMeta(7))), [false, false])
  t.same(entriesOfMeta({ ...change, table: 'wp_gf_entry_meta' }, 'wp_'), [])
})
