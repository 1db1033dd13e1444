// A day of a shop and its print room: forty orders in all states, refunds, edits, a killed process. Each paid item is printed once.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { eventually, jobsOf } from '../support/hosts/auto-print.ts'
import { build, type TestHost } from '../support/hosts/build.ts'
import type { AutoPrintTask } from '../support/load/auto-print-worker.ts'
import { freshDatabase } from '../support/peers/mariadb.ts'
import { fillUploads, textElement, uploadsUrl, viewWith } from '../support/render/render-shop.ts'
import { installWoocommerce, type OrderStorage, orderStorages } from '../support/wordpress/woocommerce.ts'

t.setTimeout(600_000)

const designOf = (text: string) => ({ product: [viewWith(textElement(text))] })

/** Products of the shop, and functions that PHP code below uses. */
const shopCode = (design: object) => `
  function products() {
    $attribute = new WC_Product_Attribute();
    $attribute->set_name('Size');
    $attribute->set_options(['S', 'XL']);
    $attribute->set_variation(true);
    $shirt = new WC_Product_Variable();
    $shirt->set_name('Shirt');
    $shirt->set_attributes([$attribute]);
    $shirt->save();
    $large = new WC_Product_Variation();
    $large->set_parent_id($shirt->get_id());
    $large->set_attributes(['size' => 'XL']);
    $large->set_sku('SHIRT-XL');
    $large->set_regular_price('20');
    $large->save();
    $mug = new WC_Product_Simple();
    $mug->set_name('Mug');
    $mug->set_sku('MUG');
    $mug->set_regular_price('7');
    $mug->save();
  }
  /** Three shirts and a mug; two of the shirts are refunded in kind, if asked for. */
  function order(string $number, string $status, bool $refund = false) {
    $order = wc_create_order();
    $order->set_billing_first_name('Ada');
    $order->update_meta_data('_order_number', $number);
    $shirts = $order->add_product(wc_get_product(wc_get_product_id_by_sku('SHIRT-XL')), 3);
    $mug = $order->add_product(wc_get_product(wc_get_product_id_by_sku('MUG')), 1);
    foreach ([$shirts, $mug] as $id) {
      $item = $order->get_item($id);
      $item->update_meta_data('_svc_data', '${JSON.stringify(design)}');
      $item->save();
    }
    $order->calculate_totals();
    $order->save();
    if ($refund) refund($order, [$shirts => ['qty' => 2, 'refund_total' => 40]], 40);
    if ($status === 'refunded') refund($order, [], $order->get_total());
    else $order->update_status($status);
    return $order->get_id();
  }
  function refund($order, array $items, $amount) {
    $refund = wc_create_refund(['order_id' => $order->get_id(), 'amount' => $amount, 'line_items' => $items]);
    if (is_wp_error($refund)) throw new Exception($refund->get_error_message());
  }`

const states = ['processing', 'completed', 'on-hold', 'pending', 'cancelled', 'failed', 'refunded'] as const
const numberOf = (n: number) => `WEB-${100 + n}`
/** Every eighth order is paid after two of its three shirts were refunded. */
const kindOf = (n: number) => states[n % 8] ?? 'partly refunded'

/** What the press finds for an order: the number of shirts is what remains to be printed. */
const filesOf = (n: number, shirts = 3) => [
  `Mug/${numberOf(n)}-MUG-x1.svg`,
  `Shirt-XL/${numberOf(n)}-SHIRT-XL-x${shirts}.svg`,
]

/** The service of the print room in a process of its own, which can be killed. */
async function startService(t: Test, task: AutoPrintTask): Promise<ChildProcess> {
  const file = join(import.meta.dirname, '../support/load/auto-print-worker.ts')
  const service = spawn(process.execPath, [file, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  return service
}

async function kill(service: ChildProcess): Promise<void> {
  const exited = once(service, 'exit')
  service.kill('SIGKILL')
  await exited
}

async function printRoom(t: Test, storage: OrderStorage) {
  const address = await freshDatabase(t)
  const { wp } = await installWoocommerce(t, address, storage)
  const folders = await Promise.all(
    ['uploads', 'temporary', 'press'].map((name) => mkdtemp(join(tmpdir(), `svc-day-${name}-`))),
  )
  t.teardown(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))
  const [dir = '', tempDir = '', press = ''] = folders
  await fillUploads(dir)
  const files = { fileName: '{number}-{sku}-x{quantity}', deliver: { folder: press, path: '{product}' } }
  const task: AutoPrintTask = { address, dir, uploadsUrl, tempDir, files }
  // Serves the API beside the service, and prints nothing.
  const host = await build(t, { address, uploads: { dir, url: uploadsUrl }, autoPrint: false })
  const shop = shopCode(designOf('Ada'))
  return { host, task, press, php: (code: string) => wp(`${shop}\n${code}`) }
}

const inPress = async (press: string) =>
  (await readdir(press, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(press.length + 1)}/${entry.name}`)
    .sort()

/** Waits until as many items are printed and nothing waits. */
const printed = (host: TestHost, items: number) =>
  eventually(
    () => jobsOf(host),
    (jobs) => jobs.filter((job) => job.endsWith('completed')).length >= items,
  )

for (const storage of orderStorages) {
  t.test(`autoPrint and deliver: each paid item of a day is printed once (${storage})`, async (t) => {
    const { host, task, press, php } = await printRoom(t, storage)
    await php(`products(); order('OLD-1', 'processing');`)
    let service = await startService(t, task)
    await eventually(
      async () => [JSON.stringify((await host.call('GET', '/system')).body.data.auto_print)],
      ([state]) => /"last_look":"/.test(state ?? ''),
    )

    const orders = Array.from({ length: 40 }, (_, n) => n)
    const code = orders
      .map((n) => {
        const kind = kindOf(n)
        const isPartly = kind === 'partly refunded'
        return `order('${numberOf(n)}', '${isPartly ? 'processing' : kind}', ${isPartly});`
      })
      .join('\n')
    const morning = php(code)
    // The process dies while PHP writes orders and it prints the first ones.
    await eventually(
      () => jobsOf(host),
      (jobs) => jobs.length >= 5,
    )
    await kill(service)
    await morning

    const atNight = orders.filter((n) => kindOf(n) === 'on-hold')
    const find = (n: number) =>
      `(fn() => wc_get_orders(['limit' => 1, 'meta_key' => '_order_number', 'meta_value' => '${numberOf(n)}'])[0])()`
    await php(
      [
        ...atNight.map((n) => `${find(n)}->update_status('processing');`),
        `${find(3)}->update_status('cancelled');`,
      ].join('\n'),
    )
    service = await startService(t, task)

    const paid = orders.filter((n) => /processing|completed|on-hold|partly/.test(kindOf(n)))
    const expected = paid.flatMap((n) => filesOf(n, kindOf(n) === 'partly refunded' ? 1 : 3)).sort()
    const jobs = await printed(host, expected.length)
    t.equal(new Set(jobs).size, jobs.length, 'one job an item')
    t.equal(jobs.length, expected.length)
    await eventually(
      () => inPress(press),
      (names) => names.filter((name) => !name.endsWith('.part')).length >= expected.length,
    )
    t.strictSame(await inPress(press), expected)

    // What happens to a printed order prints nothing again.
    const design = JSON.stringify(designOf('Grace'))
    await php(`
      $order = ${find(0)};
      foreach ($order->get_items() as $item) { $item->update_meta_data('_svc_data', '${design}'); $item->save(); }
      $order->update_status('completed');
      refund(${find(1)}, [], ${find(1)}->get_total());
      ${find(8)}->update_status('cancelled');
      ${find(8)}->update_status('processing');`)
    await php(`order('LAST-1', 'processing');`)
    await printed(host, expected.length + 2)
    await setTimeout(1000)
    t.strictSame(
      await inPress(press),
      [...expected, 'Mug/LAST-1-MUG-x1.svg', 'Shirt-XL/LAST-1-SHIRT-XL-x3.svg'].sort(),
    )
    t.match(await readFile(join(press, `Mug/${numberOf(0)}-MUG-x1.svg`), 'utf8'), /<svg/)
    const { body } = await host.call('GET', '/orders?type=wc&has_print_file=false&limit=100')
    t.strictSame(
      body.data.map(({ order_number }: { order_number: string }) => order_number),
      ['OLD-1'],
      'what was paid before automatic printing began is left',
    )
    await kill(service)
  })
}
