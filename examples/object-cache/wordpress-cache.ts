// Which entries of WordPress's object cache a write makes stale, and their keys in Redis.
import type { MetaChange } from 'svc-api'

/** A group of the object cache and a key in it: the arguments of `wp_cache_get` in reverse order. */
export type Entry = readonly [group: string, key: string]

/**
 * The stale entries after a change of options. `alloptions` contains all autoloaded options, `notoptions` the names that were
 * looked up and not found; every other option has its own entry.
 */
export function entriesOfOptions(names: readonly string[]): Entry[] {
  return ['alloptions', 'notoptions', ...names].map((key) => ['options', key])
}

/** Meta tables by their names without prefix, and the groups in which WordPress caches the meta of one object. */
const metaGroups: Record<string, string> = {
  postmeta: 'post_meta',
  woocommerce_order_itemmeta: 'order_item_meta',
}

/**
 * The stale entries after a change of the meta of a post, an order item or an order. Gravity Forms caches its meta only
 * during a request.
 */
export function entriesOfMeta({ table, objectId }: MetaChange, tablePrefix: string): Entry[] {
  const name = table.slice(tablePrefix.length)
  const group = metaGroups[name]
  if (!group && name !== 'wc_orders_meta') return []
  return [
    // With HPOS data caching WooCommerce keeps the meta of orders in a group, whose keys begin with a random prefix. Without
    // it, all of them are read again; the group `orders_data` holds no meta.
    group ? [group, String(objectId)] : ['orders_meta', 'wc_orders_meta_cache_prefix'],
    // WooCommerce caches meta a second time, under keys with this prefix.
    [`object_${objectId}`, `wc_object_${objectId}_cache_prefix`],
  ]
}

/**
 * The key in Redis, as the usual drop-ins build it: `{salt}{blog}:{group}:{key}`. On a single site `blog` is the table prefix
 * without its underscore, in a network the number of the site. List a few keys (`redis-cli --scan`) to see yours.
 */
export const redisKey = (blog: string, [group, key]: Entry) => `${blog}:${group}:${key}`
