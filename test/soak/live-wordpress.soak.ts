// A live WordPress and two processes of the API write the same rows, and the API's processes are killed now and then:
// whatever was confirmed is stored in the end, once, and readable for both.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newProduct, storeOption } from '../support/fixtures/rows.ts'
import { build, token } from '../support/hosts/build.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { installWordpress } from '../support/wordpress/wordpress.ts'

const seconds = Number(process.env.SVC_LIVE_SECONDS ?? 600)
/** Milliseconds between two kills. */
const pause = 7000
/** The number of rules that each side keeps; it removes its older ones. */
const kept = 25
/**
 * Writes after which PHP waits for the API, which is silent while it starts, and while clients wait for the keys of requests that a kill
 * has ended. If PHP replaces its whole list in that time, its deletions cannot be told from a copy that never had these rules, and
 * they come back.
 */
const writesAlone = 15

t.setTimeout((seconds + 300) * 1000)

interface Server {
  child: ChildProcess
  url: string
}

async function serve(address: string): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../support/hosts/serving.ts'), address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout as NonNullable<typeof child.stdout>)
  const [url] = (await once(lines, 'line')) as [string]
  return { child, url }
}

/** PHP's part: reads, changes and writes back, as the plugin's screens do, and prints what it stored. */
const php = (product: number) => `
  global $wpdb;
  $end = microtime(true) + ${seconds};
  [$before, $alone] = [[], 0];
  $stored = ['rules' => [], 'views' => [], 'layouts' => [], 'titles' => 0];
  for ($i = 0; microtime(true) < $end; $i++) {
    wp_cache_flush();
    $list = json_decode(get_option('svc_pr_groups'), true);
    $names = array_values(array_filter(array_column($list, 'name'), fn($name) => str_starts_with($name, 'api')));
    if ($names === $before) $alone++; else [$before, $alone] = [$names, 0];
    if ($alone > ${writesAlone}) {
      usleep(100000);
      continue;
    }
    usleep(random_int(0, 30000));
    $list[] = ['name' => "php $i", 'data' => ['type' => 'any', 'n' => $i, 'empty' => []], 'vendor' => $i];
    $stored['rules'][] = "php $i";
    if (count($stored['rules']) > ${kept}) {
      $old = array_shift($stored['rules']);
      $list = array_values(array_filter($list, fn($one) => $one['name'] !== $old));
    }
    if (!update_option('svc_pr_groups', json_encode($list))) throw new Exception("not stored: php $i");
    $order = 1 + (int) $wpdb->get_var('select max(view_order) from wp_svc_views where product_id = ${product}');
    if ($i % 5 === 0) {
      $wpdb->insert('wp_svc_views', ['product_id' => ${product}, 'title' => "php $i", 'thumbnail' => '',
        'elements' => wp_slash(json_encode([['title' => 'Größe "'.$i.'"']])), 'options' => 'a:0:{}', 'view_order' => $order]);
      $stored['views'][] = "php $i";
    }
    if ($wpdb->update('wp_svc_products', ['title' => "php $i"], ['ID' => ${product}]) !== false) $stored['titles']++;
    if ($i % 20 === 0) {
      update_option("svc_ui_layout_php-$i", json_encode(['name' => "php $i", 'custom_css' => 'a > b']));
      $stored['layouts'][] = "php $i";
    }
    usleep(random_int(10000, 120000));
  }
  echo json_encode($stored);`

t.test('nothing that PHP or the API has confirmed gets lost, duplicated or unreadable', async (t: Test) => {
  t.setTimeout((seconds + 300) * 1000)
  const address = await freshDatabase(t)
  const { wp } = await installWordpress(t, address)
  await wp(
    `update_option('svc_pr_groups', '[]'); update_option('svc_ui_layout_default', '{"name":"Standard"}');`,
  )
  const host = await build(t, { address })
  await storeOption(host, 'svc_api_token', token)
  const product = await newProduct(host)
  const servers = await Promise.all([serve(address), serve(address)])
  t.teardown(() => {
    for (const { child } of servers) child.kill('SIGKILL')
  })
  const figures = { kills: 0, writes: 0, retries: 0, told: 0 }
  let isOver = false

  /** Tries one process after the other until one responds. A retry may find that the request was already done. */
  async function ask(
    at: number,
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<{ id: number }> {
    for (let tries = 0; ; tries++) {
      try {
        const response = await fetch(`${servers[(at + tries) % 2]?.url}/wp-json/svc/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            ...(key === undefined ? {} : { 'idempotency-key': key }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        const { data } = (await response.json()) as { data: { id: number } }
        if (response.ok || (method === 'DELETE' && response.status === 404)) {
          figures.told++
          return data
        }
        if (response.status !== 503 && response.status !== 409)
          throw new Error(`${method} ${path}: ${response.status}`)
        await delay(Number(response.headers.get('retry-after') ?? 1) * 1000)
      } catch (error) {
        // The process was killed.
        if (!(error instanceof TypeError)) throw error
        await delay(50)
      }
      figures.retries++
    }
  }

  const rules = new Map<string, number>()
  const members = {
    rules,
    views: [] as string[],
    options: [] as string[],
    layouts: [] as string[],
    counter: 0,
  }
  const writer = async (at: number) => {
    for (let i = 0; !isOver; i++) {
      const name = `api ${at}.${i}`
      figures.writes++
      const rule = await ask(at, 'POST', '/pricing-rules', { name, data: { i } }, `rule ${name}`)
      rules.set(name, rule.id)
      const own = [...rules].filter(([other]) => other.startsWith(`api ${at}.`))
      if (own.length > kept) {
        const [[old, id] = ['', 0]] = own
        rules.delete(old)
        await ask(at, 'DELETE', `/pricing-rules/${id}`)
      }
      await ask(at, 'PATCH', `/products/${product}`, { options: { [name]: i } })
      members.options.push(name)
      if (i % 5 === 0) {
        await ask(at, 'POST', `/products/${product}/views`, { title: name, order: 0 }, `view ${name}`)
        members.views.push(name)
      }
      if (i % 20 === 0) {
        await ask(at, 'POST', '/user-interfaces', { name, data: {} }, `layout ${name}`)
        members.layouts.push(name)
      }
      await delay(Math.random() * 60)
    }
  }
  const killer = async () => {
    for (let at = 0; !isOver; at = 1 - at) {
      await delay(pause)
      servers[at]?.child.kill('SIGKILL')
      figures.kills++
      servers[at] = await serve(address)
    }
  }
  const work = [writer(0), writer(1), killer()]
  const stored = JSON.parse(await wp(php(product))) as Record<'rules' | 'views' | 'layouts', string[]>
  isOver = true
  await Promise.all(work)
  await delay(1100)

  const get = async (path: string) => (await host.call('GET', path)).body
  const listed: { name: string }[] = []
  for (let offset = 0, page = [{ name: '' }]; page.length > 0; offset += 100) {
    page = (await get(`/pricing-rules?limit=100&offset=${offset}`)).data
    listed.push(...page)
  }
  const views = await get(`/products/${product}/views`)
  const layouts = await get('/user-interfaces?include_data=1')
  const { options } = (await get(`/products/${product}`)).data
  const inOption = JSON.parse(
    await wp(`echo json_encode(array_column(json_decode(get_option('svc_pr_groups'), true), 'name'));`),
  )

  const expected: [what: string, told: string[], found: string[]][] = [
    ['rules in the table', [...rules.keys(), ...stored.rules], listed.map(({ name }) => name)],
    ['rules that PHP sees', [...rules.keys(), ...stored.rules], inOption],
    ['views', [...members.views, ...stored.views], views.data.map(({ title }: { title: string }) => title)],
    ['options', members.options, Object.keys(options)],
    [
      'layouts',
      ['Standard', ...members.layouts, ...stored.layouts],
      layouts.data.map(({ name }: { name: string }) => name),
    ],
  ]
  for (const [what, told, found] of expected) {
    const lost = told.filter((name) => !found.includes(name))
    const doubled = found.filter((name, i) => found.indexOf(name) !== i)
    const back = found.filter((name) => !told.includes(name))
    t.comment(
      `${what}: ${told.length} told stored, ${lost.length} lost, ${doubled.length} doubled, ${back.length} came back`,
    )
    t.strictSame({ lost, doubled, back }, { lost: [], doubled: [], back: [] }, what)
  }
  t.strictSame(
    views.data.map(({ order }: { order: number }) => order),
    [...views.data.keys()],
  )
  t.notOk(views.meta.unreadable ?? layouts.meta.unreadable, 'all is readable')
  t.comment({ ...figures, 'rules that PHP wrote': stored.rules.length, seconds })
})
