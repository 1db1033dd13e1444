<?php
/**
 * Plugin Name: Object cache of the product customizer
 * Description: Drops what svc-api has changed from the object cache. Copy this file to wp-content/mu-plugins, and define
 *   SVC_CACHE_SECRET in wp-config.php: at least 32 characters, the same as in the environment of the host.
 */

namespace SvcObjectCache;

/** Meta tables by their names without prefix, and the groups in which WordPress caches the meta of one object. */
const META_GROUPS = ['postmeta' => 'post_meta', 'woocommerce_order_itemmeta' => 'order_item_meta'];

function secret(): string
{
    return (string) (defined('SVC_CACHE_SECRET') ? SVC_CACHE_SECRET : getenv('SVC_CACHE_SECRET'));
}

/** Without a secret of some length nobody is admitted. */
function is_admitted(\WP_REST_Request $request): bool
{
    $secret = secret();
    return strlen($secret) >= 32 && hash_equals($secret, (string) $request->get_header('x_svc_cache_secret'));
}

/** Body: `{"options": ["svc_…"]}` or `{"meta": {"table": "wp_postmeta", "objectId": 5}}`. */
function drop(\WP_REST_Request $request)
{
    $body = $request->get_json_params();
    $options = $body['options'] ?? null;
    $meta = $body['meta'] ?? null;
    if (is_array($options)) drop_options(array_filter($options, 'is_string'));
    elseif (is_array($meta)) drop_meta((string) ($meta['table'] ?? ''), (int) ($meta['objectId'] ?? 0));
    else return new \WP_Error('svc_cache_invalid', 'The body must have "options" or "meta".', ['status' => 400]);
    return ['dropped' => true];
}

/** `alloptions` contains all autoloaded options, `notoptions` the names that were looked up and not found. */
function drop_options(array $names): void
{
    foreach (array_merge($names, ['alloptions', 'notoptions']) as $name) wp_cache_delete($name, 'options');
}

function drop_meta(string $table, int $id): void
{
    global $wpdb;
    $name = substr($table, strlen($wpdb->prefix));
    if (isset(META_GROUPS[$name])) wp_cache_delete($id, META_GROUPS[$name]);
    elseif ($name === 'wc_orders_meta') drop_order_meta($id);
    else return;
    // WooCommerce caches meta a second time, under keys with this prefix.
    wp_cache_delete("wc_object_{$id}_cache_prefix", "object_$id");
}

/** With HPOS data caching WooCommerce keeps the meta of orders in a group of its own; its group `orders_data` holds no meta. */
function drop_order_meta(int $id): void
{
    $prefix = wp_cache_get('wc_orders_meta_cache_prefix', 'orders_meta');
    if ($prefix !== false) wp_cache_delete("wc_cache_{$prefix}_$id", 'orders_meta');
}

add_action('rest_api_init', function (): void {
    register_rest_route('svc-cache/v1', '/drop', [
        'methods' => 'POST',
        'callback' => __NAMESPACE__ . '\drop',
        'permission_callback' => __NAMESPACE__ . '\is_admitted',
    ]);
});
