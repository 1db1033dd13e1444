// Beside a real WordPress: the API shows the catalog that PHP left in its old encodings, and PHP reads what the API writes.
import type { Test } from 'tap'
import { svcApi } from '../../plugins/index.ts'
import { freshAddress, type ServerEngine, type TestResponse } from '../support/hosts/build.ts'
import { Fastify } from '../support/hosts/fastify.ts'
import { onServers } from '../support/hosts/fresh-host.ts'
import { installWordpress, type WordPress } from '../support/wordpress/wordpress.ts'

/** Tables as an old release of the product made them, and one row for each way in which PHP wrote a value. */
const oldCatalog = String.raw`
  global $wpdb;
  $collate = $wpdb->get_charset_collate();
  $id = 'ID BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT, PRIMARY KEY (ID)';
  foreach ([
    "svc_products ($id, title TEXT NOT NULL, options LONGTEXT NULL, thumbnail TEXT NULL)",
    "svc_views ($id, product_id BIGINT(20) UNSIGNED NOT NULL, title TEXT NOT NULL, thumbnail TEXT, elements LONGTEXT NULL, view_order INT(11) NULL)",
    "svc_categories ($id, title TEXT NOT NULL, user_id BIGINT(20) DEFAULT 0)",
    "svc_category_products_rel (category_id BIGINT(20) UNSIGNED NOT NULL, product_id BIGINT(20) UNSIGNED NOT NULL, PRIMARY KEY (category_id, product_id))",
  ] as $table) $wpdb->query("CREATE TABLE {$wpdb->prefix}$table $collate") || throw new Exception($wpdb->last_error);

  $value = [
    'text' => "It's \"quoted\" \\ back/slash & <b>bold</b>\nnext\tline",
    'letters' => 'äöü € Ж 中 🖌', 'empty' => '', 'number' => 12.5, 'whole' => 7, 'big' => 1234567890123,
    'on' => true, 'off' => false, 'none' => null, '0' => 'zero', '{"json":"inside"}' => '[1,"\\u00e4"]',
    'list' => [1, 'two', ['three' => 3, 'deep' => [[[]]]]],
  ];
  $slashed = function (int $layers) { return function ($value) use ($layers) {
    $text = json_encode($value);
    while ($layers-- > 0) $text = addslashes($text);
    return $text;
  }; };
  $encodings = [
    'plain' => 'json_encode',
    'readable' => fn($value) => json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRETTY_PRINT),
    'slashed 1' => $slashed(1), 'slashed 2' => $slashed(2), 'slashed 3' => $slashed(3),
    'slashed 4' => $slashed(4), 'slashed 5' => $slashed(5),
    'html' => fn($value) => htmlspecialchars(json_encode($value), ENT_QUOTES),
    'html, double quotes alone' => fn($value) => htmlspecialchars(json_encode($value), ENT_COMPAT),
    'serialized' => 'serialize',
  ];
  foreach ($encodings as $name => $encode) {
    $wpdb->insert("{$wpdb->prefix}svc_products", ['title' => "O'Neil \"$name\" \\ 🖌", 'options' => $encode($value), 'thumbnail' => 'https://shop.example/a b.png']);
    $product = $wpdb->insert_id;
    foreach (['Front', 'Back'] as $order => $title)
      $wpdb->insert("{$wpdb->prefix}svc_views", ['product_id' => $product, 'title' => $title, 'thumbnail' => '', 'view_order' => $order, 'elements' => $encode([$value, ['order' => $order]])]);
    $wpdb->insert("{$wpdb->prefix}svc_categories", ['title' => "Kategorie $name"]);
    $wpdb->insert("{$wpdb->prefix}svc_category_products_rel", ['category_id' => $wpdb->insert_id, 'product_id' => $product]);
  }
  update_option('svc_text_templates', json_encode([['name' => 'Größe'], ['name' => 'two']]));
  update_option('svc_color_lists', ['a' => ['name' => 'A', 'colors' => '#f00,#00FF00,#ff0000']]);
  update_option('svc_api_views_test', 'kept', false);
  echo json_encode(['value' => $value, 'names' => array_keys($encodings)]);
`

interface World extends WordPress {
  call(method: string, path: string, body?: unknown): Promise<Pick<TestResponse, 'status' | 'body'>>
  value: Record<string, unknown>
  names: string[]
  /** Sends this token from now on. */
  use(token: string): void
}

async function world(t: Test, engine: ServerEngine): Promise<World> {
  const database = await freshAddress(t, engine)
  const wordpress = await installWordpress(t, database, { siteUrl: 'https://shop.example/blog' })
  const { value, names } = JSON.parse(await wordpress.wp(oldCatalog))
  const app = Fastify()
  t.teardown(() => app.close())
  // Neither URL nor token is configured: both come out of the CMS's own options.
  await app.register(svcApi, { database, migrate: true })
  let token = ''
  return {
    ...wordpress,
    value,
    names,
    use: (given) => {
      token = given
    },
    async call(method, path, body) {
      const { statusCode, payload } = await app.inject({
        method: method as 'GET',
        url: `/wp-json/svc/v1${path}`,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return { status: statusCode, body: JSON.parse(payload) }
    },
  }
}

/** What another process changes takes effect within a second. */
async function until(ask: () => Promise<{ status: number }>, status: number): Promise<void> {
  while ((await ask()).status !== status);
}

/** The row of an option as it stands in the table. */
const rowOf = (key: string) => `
  global $wpdb;
  echo json_encode($wpdb->get_row($wpdb->prepare("SELECT option_value, autoload FROM $wpdb->options WHERE option_name = %s", '${key}')));`

onServers('a WordPress with an old catalog', async (t, engine) => {
  const { wp, call, use, value, names } = await world(t, engine)

  await t.test(
    'the first request makes the token, and the one that PHP reads is the one that works',
    async (t) => {
      t.equal((await call('GET', '/products')).status, 401)
      const token = await wp('echo get_option("svc_api_token");')
      t.match(token, /^[0-9a-f]{64}$/)
      use(token)
      t.equal((await call('GET', '/products')).status, 200)
    },
  )

  await t.test('the catalog is shown exactly, whatever PHP encoded it in', async (t) => {
    const { body } = await call('GET', '/products?include_views=1&order=asc')
    t.equal(body.meta.total, names.length)
    t.equal(body.meta.unreadable, undefined)
    for (const [i, name] of names.entries()) {
      const product = body.data[i]
      t.equal(product.title, `O'Neil "${name}" \\ 🖌`)
      t.equal(product.thumbnail, 'https://shop.example/a b.png')
      t.equal(product.type, 'catalog')
      t.strictSame(product.options, value, name)
      t.strictSame(
        product.views.map((view: { elements: unknown }) => view.elements),
        [0, 1].map((order) => [value, { order }]),
        name,
      )
      t.equal(
        (await call('GET', `/categories/${product.categories[0]}`)).body.data.title,
        `Kategorie ${name}`,
      )
    }
  })

  await t.test('the snapshot of the system reads the options of the CMS', async (t) => {
    await wp(`update_option('active_plugins', ['woocommerce/woocommerce.php', 'hello.php']);`)
    const { data } = (await call('GET', '/system')).body
    t.match(data, {
      site_url: 'https://shop.example/blog',
      rest_base: 'https://shop.example/blog/wp-json',
      integrations: { woocommerce: true, gravity_forms: false },
      counts: {
        products: names.length,
        views: names.length * 2,
        categories: names.length,
        text_templates: 2,
        colors: 2,
      },
    })
  })

  await t.test('PHP reads the titles, elements and options that the API wrote', async (t) => {
    const title = `"Tasse" & O'Neil \\ \\\\ 100% 🖌 <b>`
    const { id } = (await call('POST', '/products', { title, options: value })).body.data
    const view = (await call('POST', `/products/${id}/views`, { title, elements: [value, { a: '\\"' }] }))
      .body.data
    const read = JSON.parse(
      await wp(`
        global $wpdb;
        $product = $wpdb->get_row("SELECT * FROM {$wpdb->prefix}svc_products WHERE ID = ${id}");
        $view = $wpdb->get_row("SELECT * FROM {$wpdb->prefix}svc_views WHERE ID = ${view.id}");
        echo json_encode(['titles' => [$product->title, $view->title], 'type' => $product->type,
          'options' => json_decode($product->options), 'elements' => json_decode($view->elements), 'view_options' => json_decode($view->options)]);`),
    )
    t.strictSame(read, {
      titles: [title, title],
      type: 'catalog',
      options: value,
      elements: [value, { a: '\\"' }],
      view_options: {},
    })
  })

  await t.test(
    'a merge into an old value gives PHP plain JSON, and leaves the rows beside it as they are',
    async (t) => {
      const id = names.indexOf('slashed 3') + 1
      const elements = `
      global $wpdb;
      echo md5($wpdb->get_var("SELECT GROUP_CONCAT(elements) FROM {$wpdb->prefix}svc_views WHERE product_id = ${id}"));`
      const before = await wp(elements)
      t.equal((await call('PATCH', `/products/${id}`, { options: { on: null, added: ['🖌'] } })).status, 200)
      const { on: _, ...rest } = value
      const stored = await wp(
        `global $wpdb; echo $wpdb->get_var("SELECT options FROM {$wpdb->prefix}svc_products WHERE ID = ${id}");`,
      )
      t.strictSame(JSON.parse(stored), { ...rest, added: ['🖌'] })
      t.equal(await wp(elements), before)
    },
  )

  await t.test('what PHP changes is in the next response', async (t) => {
    await wp(`global $wpdb; $wpdb->update("{$wpdb->prefix}svc_products", ['title' => "PHP's"], ['ID' => 1]);`)
    t.equal((await call('GET', '/products/1')).body.data.title, "PHP's")
  })

  await t.test("PHP's toggles act on the running server", async (t) => {
    await wp(`update_option('svc_api_products_enabled', 'no');`)
    await until(() => call('GET', '/products'), 404)
    t.equal((await call('GET', '/views/1')).body.code, 'rest_no_route')
    t.equal((await call('GET', '/categories')).status, 200)
    t.equal((await call('GET', '/system')).body.data.controllers.products, false)
    await wp(`update_option('svc_api_products_enabled', 'yes');`)
    await until(() => call('GET', '/products'), 200)
  })

  await t.test(
    'a token that PHP clears is replaced by a new one, in the same row with its autoload',
    async (t) => {
      const before = JSON.parse(await wp(rowOf('svc_api_token')))
      await wp(`
      global $wpdb;
      $wpdb->update($wpdb->options, ['autoload' => 'auto-off'], ['option_name' => 'svc_api_token']);
      wp_cache_flush();
      update_option('svc_api_token', '');`)
      await until(() => call('GET', '/products'), 403)
      const after = JSON.parse(await wp(rowOf('svc_api_token')))
      t.match(after.option_value, /^[0-9a-f]{64}$/)
      t.not(after.option_value, before.option_value)
      t.equal(after.autoload, 'auto-off')
      t.equal((await call('GET', '/products')).status, 403)
      use(await wp('echo get_option("svc_api_token");'))
      t.equal((await call('GET', '/products')).status, 200)
    },
  )

  await t.test(
    'the rows that the API made have autoload values that this WordPress uses, and guards are not autoloaded',
    async (t) => {
      const read = JSON.parse(
        await wp(`
        global $wpdb;
        $rows = $wpdb->get_results("SELECT option_name, autoload FROM $wpdb->options");
        $guard = 'svc_guard_catalog';
        echo json_encode([
          'guard' => array_values(array_filter($rows, fn($row) => $row->option_name === $guard))[0]->autoload,
          'others' => array_values(array_unique(array_column(array_filter($rows, fn($row) => !in_array($row->option_name, [$guard, 'svc_api_token'])), 'autoload'))),
          'loaded' => isset(wp_load_alloptions(true)[$guard]),
          'value' => get_option($guard),
          'kept' => get_option('svc_api_views_test'),
        ]);`),
      )
      t.ok(read.others.includes(read.guard), `${read.guard} of ${read.others}`)
      t.equal(read.loaded, false)
      t.match(read.value, /^[0-9a-f-]{36}$/)
      t.equal(read.kept, 'kept')
    },
  )
})
