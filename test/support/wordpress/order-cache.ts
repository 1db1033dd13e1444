/** PHP code that fills and reads the object cache as WooCommerce does with HPOS data caching, without WooCommerce. */

const helpers = `
  /** Keys of a group begin with a prefix, which is cached, too, and random. */
  $prefix = function (string $group): string {
    $key = "wc_{$group}_cache_prefix";
    if (wp_cache_get($key, $group) === false) wp_cache_set($key, microtime(), $group);
    return 'wc_cache_' . wp_cache_get($key, $group) . '_';
  };`

/** Caches the meta of an order: by its id, and once more as WooCommerce does with all meta. */
export const cacheOrderMeta = (id: number) => `${helpers}
  wp_cache_set($prefix('orders_meta') . ${id}, ['meta'], 'orders_meta');
  wp_cache_set($prefix('orders') . $prefix('object_${id}') . 'object_meta_${id}', ['meta'], 'orders');`

/** Prints whether both are still found, as JSON. */
export const cachedOrderMeta = (id: number) => `${helpers}
  echo json_encode([
    wp_cache_get($prefix('orders_meta') . ${id}, 'orders_meta') !== false,
    wp_cache_get($prefix('orders') . $prefix('object_${id}') . 'object_meta_${id}', 'orders') !== false,
  ]);`
