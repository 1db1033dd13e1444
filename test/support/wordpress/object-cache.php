<?php
// A persistent object cache for WordPress, in Redis, with the key names of the usual drop-ins: `{blog}:{group}:{key}`.

class WP_Object_Cache
{
    private $socket;
    private array $own = [];
    private array $inRequest = ['counts' => true, 'plugins' => true, 'themes' => true];

    public function __construct()
    {
        $this->socket = stream_socket_client(getenv('SVC_TEST_REDIS'), $code, $problem, 5);
        if (!$this->socket) throw new Exception($problem);
    }

    private function command(string ...$parts)
    {
        $text = '*' . count($parts) . "\r\n";
        foreach ($parts as $part) $text .= '$' . strlen($part) . "\r\n$part\r\n";
        fwrite($this->socket, $text);
        $line = rtrim(fgets($this->socket), "\r\n");
        if ($line[0] === '-') throw new Exception($line);
        if ($line[0] !== '$') return substr($line, 1);
        $length = (int) substr($line, 1);
        return $length < 0 ? null : substr(stream_get_contents($this->socket, $length + 2), 0, -2);
    }

    private function name($key, $group): string
    {
        global $table_prefix;
        return trim($table_prefix, '_') . ':' . ($group ?: 'default') . ":$key";
    }

    public function get($key, $group, &$found = null)
    {
        $name = $this->name($key, $group);
        if (!array_key_exists($name, $this->own)) {
            $stored = isset($this->inRequest[$group]) ? null : $this->command('GET', $name);
            if ($stored === null) {
                $found = false;
                return false;
            }
            $this->own[$name] = unserialize($stored);
        }
        $found = true;
        return $this->own[$name];
    }

    public function set($key, $value, $group): bool
    {
        $name = $this->name($key, $group);
        $this->own[$name] = $value;
        if (!isset($this->inRequest[$group])) $this->command('SET', $name, serialize($value));
        return true;
    }

    public function delete($key, $group): bool
    {
        $name = $this->name($key, $group);
        unset($this->own[$name]);
        return $this->command('DEL', $name) === '1';
    }

    public function flush(): bool
    {
        $this->own = [];
        return $this->command('FLUSHDB') === 'OK';
    }

    public function addInRequest($groups): void
    {
        foreach ((array) $groups as $group) $this->inRequest[$group] = true;
    }
}

function wp_cache_init() { $GLOBALS['wp_object_cache'] = new WP_Object_Cache(); }
function wp_cache_get($key, $group = '', $force = false, &$found = null) { return $GLOBALS['wp_object_cache']->get($key, $group, $found); }
function wp_cache_set($key, $data, $group = '', $expire = 0) { return $GLOBALS['wp_object_cache']->set($key, $data, $group); }
function wp_cache_add($key, $data, $group = '', $expire = 0)
{
    wp_cache_get($key, $group, false, $found);
    return !$found && wp_cache_set($key, $data, $group);
}
function wp_cache_replace($key, $data, $group = '', $expire = 0)
{
    wp_cache_get($key, $group, false, $found);
    return $found && wp_cache_set($key, $data, $group);
}
function wp_cache_incr($key, $offset = 1, $group = '')
{
    $value = max(0, (int) wp_cache_get($key, $group) + $offset);
    wp_cache_set($key, $value, $group);
    return $value;
}
function wp_cache_decr($key, $offset = 1, $group = '') { return wp_cache_incr($key, -$offset, $group); }
function wp_cache_delete($key, $group = '') { return $GLOBALS['wp_object_cache']->delete($key, $group); }
function wp_cache_flush() { return $GLOBALS['wp_object_cache']->flush(); }
function wp_cache_close() { return true; }
function wp_cache_add_global_groups($groups) {}
function wp_cache_add_non_persistent_groups($groups) { $GLOBALS['wp_object_cache']->addInRequest($groups); }
function wp_cache_switch_to_blog($blog) {}
