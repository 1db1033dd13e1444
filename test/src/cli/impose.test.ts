// `svc-api impose`: orders of a shop on sheets, without a server.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { ensureCommands } from '../../support/debian.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import { createShop, row, shopOrder } from '../../support/fixtures/shop.ts'
import { build } from '../../support/hosts/build.ts'
import { commandIn } from '../../support/hosts/command.ts'
import { fillUploads, textElement, viewWith } from '../../support/render/render-shop.ts'

await ensureCommands({ pdftotext: 'poppler-utils' })

/** A shop with one order for each list of names, an item for each name. */
async function shop(t: Test, ...orders: string[][]) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-impose-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await fillUploads(dir)
  const host = await build(t)
  await createShop(host)
  const ids: number[] = []
  const items: number[][] = []
  for (const names of orders) {
    const bought = names.map((name) => ({
      meta: [
        ['_svc_data', JSON.stringify([viewWith(textElement(name))])],
        ['_qty', '2'],
      ] as [string, string][],
    }))
    const order = await shopOrder(host, 'posts', { items: bought })
    ids.push(order.id)
    items.push(order.items)
  }
  return { host, ids, items, dir, variables: { DATABASE_URL: host.address, UPLOADS_DIR: dir } }
}

const words = async (path: string) => (await promisify(execFile)('pdftotext', [path, '-'])).stdout

t.test('orders are printed as often as they were ordered, on one sheet', async (t) => {
  const { ids, dir, variables } = await shop(t, ['Ada', 'Grace'], ['Edsger'])
  const out = join(dir, 'sheets.pdf')
  const { code, stdout, stderr } = await commandIn(t)(
    ['impose', ...ids.map(String), '--out', out, '--json'],
    variables,
  )
  t.equal(code, 0, stderr)
  t.match(JSON.parse(stdout), { orders: ids, sheets: 1, pieces: 6, warnings: [] })
  const text = await words(out)
  for (const name of ['Ada', 'Grace', 'Edsger']) t.equal(text.split(name).length - 1, 2, name)
  const again = await commandIn(t)(['impose', `${ids[0]}`, '--out', out], variables)
  t.match(again, { code: 1, stderr: /^The file .*sheets\.pdf exists already\.$/m })
  const nowhere = join(dir, 'none', 'sheets.pdf')
  const lost = await commandIn(t)(['impose', `${ids[0]}`, '--out', nowhere], variables)
  t.match(lost, { code: 1, stderr: /^There is no folder .*none\.$/m })
})

t.test('the orders of some days are found, and none is no error', async (t) => {
  const { ids, dir, variables } = await shop(t, ['Ada'], ['Grace'])
  const impose = (...args: string[]) =>
    commandIn(t)(['impose', '--out', join(dir, 'day.pdf'), '--json', ...args], variables)
  const none = await impose('--since', '1999-01-01', '--until', '1999-01-02')
  t.match(none, { code: 0 })
  t.match(JSON.parse(none.stdout), { orders: [], sheets: 0 })
  const all = await impose('--since', '2000-01-01', '--sheet', '200x150', '--margin', '5', '--gap', '2')
  t.equal(all.code, 0, all.stderr)
  t.match(JSON.parse(all.stdout), { orders: ids, pieces: 4, sheets: 1 })
})

t.test(
  'svc-api impose --since: orders that are left out for their state do not count, and numbers name orders',
  async (t) => {
    const { host, ids, dir, variables } = await shop(t, ['Ada'])
    await row(host, 'postmeta', { post_id: ids[0], meta_key: '_order_number', meta_value: 'WEB-7' })
    await sql`update wp_woocommerce_order_itemmeta set meta_value = '2.5' where meta_key = '_qty'`.execute(
      host.db,
    )
    for (let i = 0; i < 201; i++)
      await shopOrder(host, 'posts', {
        status: 'wc-cancelled',
        items: [{ meta: [['_svc_data', 'not JSON']] }],
      })
    const impose = (...args: string[]) =>
      commandIn(t)(['impose', '--out', join(dir, 'day.pdf'), '--since', '2000-01-01', ...args], variables)
    const { code, stdout, stderr } = await impose('--json')
    t.equal(code, 0, stderr)
    t.match(JSON.parse(stdout), { orders: ids, pieces: 0, left_out: { cancelled: 201 }, unreadable: [] })
    t.match(JSON.parse(stdout).warnings, [/Order WEB-7.*2\.5, which is not a whole number/])
    t.match(await impose('--status', 'any'), { code: 1, stderr: /More than 200 orders/ })
    t.match(await impose('--status', "x'y"), { code: 2, stderr: /x'y is no state of an order/ })
    t.match(await impose('--status', 'cancelled', '--until', '2000-01-02'), { code: 0 })
  },
)

t.test(
  'svc-api impose --since: items that are printed or have a problem are left out, and it says how many',
  async (t) => {
    const { host, ids, items, dir, variables } = await shop(t, ['Ada', 'Grace'], ['Edsger'])
    const [first = 0] = ids
    await host.call('PATCH', `/orders/${first}/print-states`, { item_id: items[0]?.[0], state: 'printed' })
    await host.call('PATCH', `/orders/${ids[1]}/print-states`, {
      item_id: items[1]?.[0],
      state: 'problem',
      note: 'No ink',
    })
    const impose = (name: string, ...args: string[]) =>
      commandIn(t)(
        ['impose', '--since', '2000-01-01', '--out', join(dir, name), '--json', ...args],
        variables,
      )
    const day = await impose('day.pdf')
    t.equal(day.code, 0, day.stderr)
    t.match(JSON.parse(day.stdout), { orders: [first], pieces: 2, marked: { printed: 1, problem: 1 } })
    t.match(day.stderr, /1 already printed, 1 with a problem/)
    const text = await words(join(dir, 'day.pdf'))
    t.match(text, /Grace/)
    t.notMatch(text, /Ada|Edsger/)
    const any = await impose('any.pdf', '--status', 'any')
    t.match(JSON.parse(any.stdout), { orders: ids, pieces: 6, marked: { printed: 0, problem: 0 } })
    const named = await commandIn(t)(
      ['impose', ...ids.map(String), '--out', join(dir, 'named.pdf'), '--json'],
      variables,
    )
    t.match(JSON.parse(named.stdout), { pieces: 6 })
  },
)

t.test('svc-api impose --since --until: days are those of the time zone of the shop', async (t) => {
  const { host, ids, dir, variables } = await shop(t, ['Ada'])
  await storeOption(host, 'timezone_string', 'Europe/Berlin')
  await sql`update wp_posts set post_date_gmt = '2026-05-01 23:30:00' where ID = ${ids[0]}`.execute(host.db)
  const ordersOn = async (day: string) => {
    const args = ['impose', '--since', day, '--until', day, '--out', join(dir, `${day}.pdf`), '--json']
    return JSON.parse((await commandIn(t)(args, variables)).stdout).orders
  }
  t.strictSame([await ordersOn('2026-05-01'), await ordersOn('2026-05-02')], [[], ids])
})

t.test('svc-api impose --out: a folder gets files that are named after their orders', async (t) => {
  const { ids, dir, variables } = await shop(t, ['Ada'], ['Grace'])
  const impose = async (...orders: (number | undefined)[]) => {
    const { stdout } = await commandIn(t)(
      ['impose', ...orders.map(String), '--out', dir, '--json'],
      variables,
    )
    return JSON.parse(stdout).file
  }
  const [first, last] = ids
  t.equal(await impose(first), join(dir, `${first}.pdf`))
  t.equal(await impose(first), join(dir, `${first}-2.pdf`))
  t.equal(await impose(first, last), join(dir, `sheets-${first}-to-${last}.pdf`))
  t.match(await words(join(dir, `sheets-${first}-to-${last}.pdf`)), /Grace/)
})

t.test('svc-api impose --mirror --outlines: pages are mirrored without fonts, and it says so', async (t) => {
  const { ids, dir, variables } = await shop(t, ['Ada'])
  const impose = async (name: string, ...args: string[]) => {
    const out = join(dir, name)
    const { stdout } = await commandIn(t)(['impose', `${ids[0]}`, '--out', out, '--json', ...args], variables)
    return { warnings: JSON.parse(stdout).warnings, text: await words(out) }
  }
  t.match(await impose('plain.pdf'), { warnings: [], text: /Ada/ })
  const changed = await impose('changed.pdf', '--mirror', '--outlines')
  t.match(changed.warnings, [/mirrored from left to right/])
  t.notMatch(changed.text, /Ada/)
})

t.test('a sheet that is too small is refused with the order, and nothing is written', async (t) => {
  const { ids, dir, variables } = await shop(t, ['Ada'])
  const out = join(dir, 'small.pdf')
  const small = await commandIn(t)(['impose', `${ids[0]}`, '--out', out, '--sheet', '60x60'], variables)
  t.match(small, {
    code: 1,
    stderr:
      /Order \d+, item \d+: Front".*A page of 81 × 56 mm with its bleed does not fit onto a sheet.*Leave it out/,
  })
  t.notOk((await readdir(dir)).includes('small.pdf'))
})

t.test('arguments are checked', async (t) => {
  const { dir, variables } = await shop(t)
  const out = ['--out', join(dir, 'x.pdf')]
  for (const args of [
    ['1'],
    out,
    ['x', ...out],
    ['1', '--since', '2026-01-01', ...out],
    ['--since', 'today', ...out],
    ['1', '--sheet', '450', ...out],
    ['1', '--sheet', '450x-1', ...out],
    ['1', '--sheet', '450x320x1', ...out],
    ['1', '--sheet', '9.9x320', ...out],
    ['1', '--sheet', '450x9.9', ...out],
    ['1', '--sheet', '450x5001', ...out],
    ['1', '--gap', 'wide', ...out],
  ])
    t.equal((await commandIn(t)(['impose', ...args], variables)).code, 2, args.join(' '))
  const smallest = await commandIn(t)(['impose', '1', '--sheet', '10x10', '--margin', '0', ...out], variables)
  t.match(smallest, { code: 1, stderr: /order 1/ })
})
