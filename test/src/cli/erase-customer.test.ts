// `svc-api erase-customer`: its output, its exit codes, and a process that is killed in the middle.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import t from 'tap'
import { auditEntries } from '../../../plugins/index.ts'
import { customers, mail } from '../../support/fixtures/customers.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { commandEnvironment, commandIn, program } from '../../support/hosts/command.ts'

const variablesOf = ({ host }: Awaited<ReturnType<typeof customers>>) => ({
  DATABASE_URL: host.address,
  UPLOADS_DIR: host.uploads,
})

t.test('a dry run tells what would be done, the run does it, and what is left gives exit code 1', (t) =>
  onEachDialect(t, async (t, engine) => {
    const shop = await customers(t, engine)
    const [id, broken] = [
      await shop.stored({ customer_mail: mail }),
      await shop.stored({ customer_mail: mail, views: '{' }),
    ]
    const run = commandIn(t)
    const dry = await run(['erase-customer', '--mail', 'Ada@Shop.example', '--dry-run'], variablesOf(shop))
    const rest = [
      'Not changed, and may hold data of the customer:',
      '  wp_svc_assets: uploaded picture in a design: 2026/04/ada face.png',
      'Left as they are:',
      `  order ${broken}: Its views cannot be read; repair or delete the order.`,
      '',
    ]
    t.equal(
      dry.stdout,
      [
        `Orders that would be emptied: ${id}`,
        'Print jobs that would be deleted: 0',
        'Print files that would be removed: 0',
        'Meta rows of orders and accounts that would be emptied or deleted: 0',
        ...rest,
      ].join('\n'),
    )
    t.same([dry.code, dry.stderr], [1, ''])
    t.match((await shop.host.call('GET', `/shortcode-orders/${id}`)).body.data, { customer_mail: mail })
    const real = await run(['erase-customer', '--mail', mail, '--json'], variablesOf(shop))
    t.equal(real.code, 1)
    t.same(JSON.parse(real.stdout), {
      ok: false,
      dry_run: false,
      orders: [id],
      print_jobs: 0,
      files: 0,
      meta_rows: 0,
      holders: [{ table: 'wp_svc_assets', id: '2026/04/ada face.png', what: 'uploaded picture in a design' }],
      more_holders: 0,
      problems: [{ order: broken, message: 'Its views cannot be read; repair or delete the order.' }],
    })
    await shop.host.call('DELETE', `/shortcode-orders/${broken}`)
    const last = await run(['erase-customer', '--mail', mail], variablesOf(shop))
    t.same([last.code, last.stdout.split('\n')[0]], [0, 'Orders emptied: none'])
  }),
)

t.test('with --audit, svc-api audit says which orders were emptied', (t) =>
  onEachDialect(t, async (t, engine) => {
    const shop = await customers(t, engine)
    await shop.stored({ customer_mail: 'bea@shop.example' })
    const id = await shop.stored({ customer_mail: mail })
    const run = commandIn(t)
    const erase = (of: string, ...more: string[]) =>
      run(['erase-customer', '--mail', of, ...more], variablesOf(shop))
    t.equal((await erase('bea@shop.example')).code, 0)
    t.equal((await erase(mail, '--audit', '--dry-run')).code, 0)
    t.equal((await erase(mail, '--audit')).code, 0)
    const { stdout } = await run(['audit'], variablesOf(shop))
    t.match(
      stdout,
      new RegExp(`^\\S+Z {2}shortcode_order ${id} updated {2}erase_customer {2}nobody {2}-\\n$`),
    )
    await shop.host.db.schema.dropTable(shop.host.t.api_audit).execute()
    const { code, stderr } = await erase(mail, '--audit')
    t.match([code, stderr], [1, /wp_svc_api_audit is missing\. Run "svc-api migrate"/])
  }),
)

t.test('a missing or malformed address gives exit code 2', async (t) => {
  const run = commandIn(t)
  for (const args of [[], ['--mail', 'ada'], ['--mail', '']]) {
    const { code, stdout, stderr } = await run(['erase-customer', ...args])
    t.same([code, stdout, stderr], [2, '', '--mail must be an e-mail address.\n'])
  }
  const absent = await run(['erase-customer', '--mail', mail])
  t.match([absent.code, absent.stderr], [1, /does not exist/])
})

t.test('without the uploads folder, orders with local print files are left', async (t) => {
  const shop = await customers(t, 'SQLite')
  const id = await shop.stored({ customer_mail: mail })
  const { guid } = await shop.host.newJob({ order_id: id, order_type: 'shortcode' })
  t.equal((await shop.host.notify(guid)).status, 200)
  const run = commandIn(t)
  for (const dir of ['', `${shop.host.uploads}-of-another-machine`]) {
    const variables = { DATABASE_URL: shop.host.address, UPLOADS_DIR: dir }
    const { code, stdout } = await run(['erase-customer', '--mail', mail], variables)
    t.equal(code, 1)
    t.match(stdout, /The print file svc\S+ could not be removed: The file storage "local" is not configured/)
    t.match(stdout, ` order ${id}: `)
  }
  t.match(await shop.host.job(guid), { status: 'completed' })
})

/** Starts the command and kills it as soon as some orders are emptied. */
async function killed(
  t: Test,
  shop: Awaited<ReturnType<typeof customers>>,
  atLeast: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [program, 'erase-customer', '--mail', mail, '--audit'], {
    env: commandEnvironment(variablesOf(shop)),
    stdio: 'ignore',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const { db, t: names } = shop.host
  while (child.exitCode === null) {
    const rows = await db.selectFrom(names.orders).select('ID').where('customer_mail', '=', '').execute()
    if (rows.length >= atLeast) break
    await delay(2)
  }
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

t.test(
  'a killed run leaves no order half done and none without its entry, and the next one finishes',
  { timeout: 120_000 },
  (t) =>
    onEachDialect(t, async (t, engine) => {
      const shop = await customers(t, engine)
      const { host } = shop
      const count = 60
      for (let i = 0; i < count; i++) {
        const id = await shop.stored({ customer_mail: mail })
        const { id: job } = await host.newJob({ order_id: id, order_type: 'shortcode' })
        const key = `svc/print_files/${i}/order.pdf`
        mkdirSync(`${host.uploads}/svc/print_files/${i}`, { recursive: true })
        writeFileSync(`${host.uploads}/${key}`, 'x')
        const done = { data: JSON.stringify({ local_file: `${host.uploads}/${key}` }), status: 'completed' }
        await host.db.updateTable(host.t.print_jobs).set(done).where('ID', '=', job).execute()
      }
      let kills = 0
      for (const atLeast of [1, 20]) kills += Number(await killed(t, shop, atLeast))
      t.ok(kills > 0, `${kills} kills`)
      const { orders, jobs } = await shop.rows()
      const isWhole = (order: (typeof orders)[number]) =>
        order.customer_mail === mail && String(order.views).includes('Lovelace')
      const isEmpty = (order: (typeof orders)[number]) =>
        order.customer_name === '' && !String(order.views).includes('Lovelace')
      t.ok(orders.every((order) => isWhole(order) || isEmpty(order)))
      t.equal(jobs.length, orders.filter(isWhole).length)
      const entries = async (resource: 'shortcode_order' | 'print_job') => {
        const found = await auditEntries({ database: host.address, resource, limit: 1000 })
        return found.map(({ id }) => Number(id)).sort((a, b) => a - b)
      }
      t.same(
        await entries('shortcode_order'),
        orders.filter(isEmpty).map(({ ID }) => ID),
      )
      const last = await commandIn(t)(
        ['erase-customer', '--mail', mail, '--audit', '--json'],
        variablesOf(shop),
      )
      t.same([last.code, JSON.parse(last.stdout).problems], [0, []])
      const after = await shop.rows()
      t.ok(after.orders.every(isEmpty))
      t.same([after.jobs, after.steps, host.stored()], [[], [], []])
      t.same(
        await entries('shortcode_order'),
        after.orders.map(({ ID }) => ID),
        'each order once',
      )
      t.equal((await entries('print_job')).length, count)
    }),
)
