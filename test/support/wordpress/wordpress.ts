/** Installs a real WordPress on a test's database, and runs PHP code inside it. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Test } from 'tap'
import { installPackages, unpackPackage } from '../debian.ts'
import { php } from './php.ts'

/** An installed WordPress. */
export interface WordPress {
  /** Runs PHP code (without `<?php`) with WordPress loaded, and returns its stdout as `php` does. */
  wp(code: string, stdin?: string): Promise<string>
  /** The folder of wp-config.php and of wp-content with its plugins, mu-plugins and uploads. */
  dir: string
}

/**
 * `siteUrl` is the configured site URL (nothing listens there), `prefix` that of its tables, `code` the folder of WordPress's
 * code, by default Debian's.
 */
interface WordPressOptions {
  siteUrl?: string
  prefix?: string
  code?: string
}

/** Installs WordPress on `databaseUrl`; its folder is removed with the test `t`. */
export async function installWordpress(
  t: Test,
  databaseUrl: string,
  { siteUrl = 'http://shop.example', prefix = 'wp_', code: given }: WordPressOptions = {},
): Promise<WordPress> {
  const code = given ?? (await wordpressCode())
  const dir = await mkdtemp(join(tmpdir(), 'svc-wordpress-'))
  t.teardown(() => rm(dir, { recursive: true }))
  await mkdir(join(dir, 'wp-content'))
  await writeFile(
    join(dir, 'wp-config.php'),
    config(code, dir, new URL(databaseUrl), new URL(siteUrl), prefix),
  )
  const load = `require ${literal(join(dir, 'wp-config.php'))};`
  await php(`
    const WP_INSTALLING = true;
    define('WP_SITEURL', ${literal(siteUrl)});
    ${load}
    require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Shop', 'admin', 'admin@shop.example', true, '', 'password');`)
  return { dir, wp: (body, stdin) => php(`${load}\n${body}`, stdin) }
}

/** Fetches WordPress if it is missing, and returns the folder of its code. */
export async function wordpressCode(): Promise<string> {
  if ((await php('echo extension_loaded("mysqli");')) !== '1') await installPackages('php-mysql')
  // Installing the package would install and start a web server.
  const unpacked = resolve(import.meta.dirname, '../../../node_modules/.cache/debian-wordpress')
  const installed = '/usr/share/wordpress'
  if (existsSync(installed)) return installed
  await unpackPackage('wordpress', unpacked)
  return join(unpacked, installed)
}

// Also does the work of wp-load.php, which would look for the configuration next to the code.
function config(code: string, dir: string, database: URL, site: URL, prefix: string): string {
  const constants = {
    ABSPATH: `${code}/`,
    WP_CONTENT_DIR: join(dir, 'wp-content'),
    DB_NAME: database.pathname.slice(1),
    DB_USER: decodeURIComponent(database.username),
    DB_PASSWORD: decodeURIComponent(database.password),
    DB_HOST: database.host,
    DB_CHARSET: 'utf8mb4',
  }
  const defines = Object.entries(constants).map(([name, value]) => `define('${name}', ${literal(value)});`)
  return `<?php
${defines.join('\n')}
const DB_COLLATE = '';
const DISABLE_WP_CRON = true;
const AUTOMATIC_UPDATER_DISABLED = true;
const WP_HTTP_BLOCK_EXTERNAL = true;
const WP_DEBUG = true;
const WP_DEBUG_DISPLAY = null; // leaves messages on stderr
$table_prefix = ${literal(prefix)};
$_SERVER['HTTP_HOST'] = ${literal(site.host)};
${manners}
require ABSPATH . 'wp-settings.php';
`
}

// WordPress sends no mail, contacts no other server, and throws where it would show an error page.
const manners = `
function wp_mail() { return true; }
$GLOBALS['wp_filter'] = [
  'pre_http_request' => [[[
    'function' => fn() => new WP_Error('offline', 'Tests send no requests.'),
    'accepted_args' => 1,
  ]]],
  'wp_die_handler' => [[[
    'function' => fn() => function ($problem) {
      throw new Exception(is_wp_error($problem) ? $problem->get_error_message() : strip_tags($problem));
    },
    'accepted_args' => 1,
  ]]],
];
`

function literal(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`
}
