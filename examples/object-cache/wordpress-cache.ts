// Which entries of WordPress's object cache go stale by what the API writes, and their names in Redis.
import type { MetaChange } from 'svc-api'

/** A group of the object cache, and a key in it: the arguments of `wp_cache_get`, the other way round. */
export type Entry = readonly [group: string, key: string]

/**
 * Options: `alloptions` holds all that are loaded with every page, `notoptions` the names that were asked for and not
 * found, and each other option has an entry of its own.
 */
export function entriesOfOptions(names: readonly string[]): Entry[] {
  return ['alloptions', 'notoptions', ...names].map((key) => ['options', key])
}

/** Meta tables, by their names without prefix, and the group in which WordPress keeps all meta of one object. */
const metaGroups: Record<string, string> = {
  postmeta: 'post_meta',
  woocommerce_order_itemmeta: 'order_item_meta',
}

/** Meta of posts and of order items; Gravity Forms keeps its own only as long as a request lasts. */
export function entriesOfMeta({ table, objectId }: MetaChange, tablePrefix: string): Entry[] {
  const group = metaGroups[table.slice(tablePrefix.length)]
  if (!group) return []
  return [
    [group, String(objectId)],
    // WooCommerce keeps meta a second time, under keys that begin with what stands here.
    [`object_${objectId}`, `wc_object_${objectId}_cache_prefix`],
  ]
}

/**
 * The name in Redis, as the usual drop-ins build it: `{salt}{blog}:{group}:{key}`. `blog` is the table prefix without its
 * underscore on a single site, the number of the site in a network. Look at a few names (`redis-cli --scan`) to see yours.
 */
export const redisKey = (blog: string, [group, key]: Entry) => `${blog}:${group}:${key}`
