// WordPress with a persistent object cache next to the example that invalidates what the API has changed.
import t from 'tap'
import { entriesOfMeta, redisKey } from '../../examples/object-cache/wordpress-cache.ts'
import { startExample } from '../support/hosts/example.ts'
import {
  addOrder,
  cachedOptions,
  cachingWordpress,
  findItem,
  readCached,
} from '../support/wordpress/caching.ts'
import { cachedOrderMeta, cacheOrderMeta } from '../support/wordpress/order-cache.ts'

t.test('PHP reads what the API has just written, despite its cache', async (t) => {
  const { address, url, wp, redis, connection } = await cachingWordpress(t)
  const names = cachedOptions
  /** As WooCommerce does, PHP caches the prefix of the item's entries. */
  const cachePrefix = `${findItem}
    $prefix = "wc_object_{$item}_cache_prefix";
    if (wp_cache_get($prefix, "object_$item") === false) wp_cache_set($prefix, microtime(), "object_$item");`
  const seen = async () => JSON.parse(await wp(cachePrefix + readCached))
  const id = await wp(addOrder)
  t.same(await seen(), ['1', '2048', false, 'old'])

  const { call, stop } = await startExample(t, 'object-cache', {
    DATABASE_URL: address,
    REDIS_URL: url,
  })
  const item = (await call('GET', `/orders/${id}?type=wc`)).body.data.items[0].item_id
  t.same(await seen(), ['1', '2048', false, 'old'])
  const stale = [
    ...['alloptions', 'notoptions', names[1]].map((key) => `wp:options:${key}`),
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

  const settings = { [names[0]]: 5, [names[1]]: 8192, [names[2]]: 'ada@shop.example' }
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
  const { wp, redis } = await cachingWordpress(t)
  await wp(cacheOrderMeta(7))
  t.same(JSON.parse(await wp(cachedOrderMeta(7))), [true, true])
  const change = { table: 'wp_wc_orders_meta', objectId: 7, keys: ['_svc_printful_order_data'] }
  await redis.del(entriesOfMeta(change, 'wp_').map((entry) => redisKey('wp', entry)))
  t.same(JSON.parse(await wp(cachedOrderMeta(7))), [false, false])
  t.same(entriesOfMeta({ ...change, table: 'wp_gf_entry_meta' }, 'wp_'), [])
})
