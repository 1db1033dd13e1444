/** WordPress with a persistent object cache in Redis. */
import { copyFile, mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createClient } from 'redis'
import type { Test } from 'tap'
import { connect } from '../../../src/db/connect.ts'
import { createShop } from '../fixtures/shop.ts'
import { freshDatabase } from '../peers/mariadb.ts'
import { startRedis } from '../peers/redis.ts'
import { installWordpress } from './wordpress.ts'

const root = resolve(import.meta.dirname, '../../..')

/** Gives the WordPress in `dir` an object cache in a Redis of its own; returns a client of it and its URL. */
export async function cacheObjects(t: Test, dir: string) {
  const port = await startRedis(t)
  await copyFile(join(import.meta.dirname, 'object-cache.php'), join(dir, 'wp-content/object-cache.php'))
  process.env.SVC_TEST_REDIS = `tcp://127.0.0.1:${port}`
  const url = `redis://127.0.0.1:${port}`
  const redis = createClient({ url })
  await redis.connect()
  t.teardown(() => redis.destroy())
  return { redis, url }
}

/** Adds the mu-plugin that drops what it is told of. */
export async function addDroppingPlugin(dir: string): Promise<void> {
  const plugins = join(dir, 'wp-content/mu-plugins')
  await mkdir(plugins, { recursive: true })
  const file = 'svc-object-cache.php'
  await copyFile(join(root, 'examples/wordpress-mu-plugin', file), join(plugins, file))
}

/** A new database with WordPress, the tables of items of orders, and the cache. */
export async function cachingWordpress(t: Test) {
  const address = await freshDatabase(t)
  const { dir, wp } = await installWordpress(t, address)
  const connection = await connect({ database: address })
  t.teardown(() => connection.close())
  await createShop({ connection, engine: 'MariaDB' } as never, [
    'woocommerce_order_items',
    'woocommerce_order_itemmeta',
  ])
  return { address, dir, wp, connection, ...(await cacheObjects(t, dir)) }
}

/** Options that PHP autoloads, reads one by one, and misses. */
export const cachedOptions = [
  'svc_bounding_box_stroke_width',
  'svc_fabricjs_texture_size',
  'svc_shortcode_order_mail_addresses',
] as const

const [autoloaded, separate] = cachedOptions

/** PHP that finds the item of the order below. */
export const findItem = `
  global $wpdb;
  $wpdb->order_itemmeta = $wpdb->prefix . 'woocommerce_order_itemmeta';
  $item = (int) $wpdb->get_var("select order_item_id from {$wpdb->prefix}woocommerce_order_items");`

/** PHP that stores the first two options, and an order with a design; it writes the order's id. */
export const addOrder = `${findItem}
  add_option('${autoloaded}', '1', '', true);
  add_option('${separate}', '2048', '', false);
  $order = wp_insert_post(['post_type' => 'shop_order', 'post_status' => 'wc-processing', 'post_title' => 'Order']);
  $wpdb->insert("{$wpdb->prefix}woocommerce_order_items", ['order_item_name' => 'Mug', 'order_item_type' => 'line_item', 'order_id' => $order]);
  add_metadata('order_item', $wpdb->insert_id, '_svc_data', wp_slash('{"title":"old"}'));
  echo "$order";`

/** PHP that writes what a new process reads of the options, and of the item's design. */
export const readCached = `${findItem}
  echo json_encode([
    ...array_map('get_option', ${JSON.stringify(cachedOptions)}),
    json_decode(get_metadata('order_item', $item, '_svc_data', true))->title,
  ]);`
