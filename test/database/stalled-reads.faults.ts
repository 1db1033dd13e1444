// The database stalls or dies at any statement of any read: the response is 503, and the process of the host lives on.
import { setTimeout as delay } from 'node:timers/promises'
import { createConnection } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { svcDesk, svcSettingsScreen } from '../../plugins/index.ts'
import { timeouts } from '../../src/db/timeouts.ts'
import { createShop, shopOrder } from '../support/fixtures/shop.ts'
import { faultyDatabase, statementFaults } from '../support/hostile/faulty-statements.ts'
import { build, freshAddress, ownServer, token } from '../support/hosts/build.ts'
import { addForm, formEntry, jobRow, shortcodeOrder } from '../support/hosts/desk.ts'

const design = [{ title: 'Front', elements: [] }]

const all = '/wp-json/svc/v1'
const readsOf = (order: number, item: number, job: string): string[] => [
  '/system',
  '/products',
  '/products?search=mug',
  '/products/1',
  '/products/1/views',
  '/views/1',
  '/categories?include_products=true',
  '/categories/1',
  '/design-categories',
  '/design-categories/1',
  '/pricing-rules',
  '/pricing-rules/1',
  '/print-profiles?include_data=true',
  '/print-profiles/master',
  '/user-interfaces',
  '/user-interfaces/default',
  '/fonts',
  '/text-templates',
  '/text-templates/0',
  '/color-library',
  '/color-library/usages?id=c1&type=color',
  '/assets',
  '/settings',
  '/settings/groups/general',
  '/settings/values?keys[]=svc_ae_cloud',
  '/shortcode-orders',
  '/shortcode-orders/1',
  '/orders',
  '/orders?type=gf',
  '/orders?type=shortcode',
  '/orders?search=ada',
  ...['wc', 'gf', 'shortcode'].flatMap((type) =>
    ['has_print_file=true', 'has_print_file=false', 'include=1'].map(
      (query) => `/orders?type=${type}&${query}`,
    ),
  ),
  `/orders/${order}`,
  `/orders/${order}/preflight?item_id=${item}`,
  '/print-jobs',
  `/print-jobs/${job}`,
]

t.test('GET of everything: 503 at each statement that fails, and no rejection stays unhandled', async (t) => {
  const { query } = timeouts
  t.teardown(() => {
    timeouts.query = query
  })
  const unhandled = unhandledIn(t)
  const address = await freshAddress(t, 'MariaDB')
  const faulty = faultyDatabase(t, address)
  const host = await build(t, {
    engine: 'MariaDB',
    address,
    database: faulty.database,
    renderer: {},
    uploads: { dir: t.testdir({}), url: 'https://shop.example/uploads' },
    after: (app) => {
      app.register(svcDesk, { prefix: '/desk', authorize: () => true })
      app.register(svcSettingsScreen, { prefix: '/settings', authorize: () => true })
    },
  })
  const read = (url: string) => host.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  const { order, item, job } = await fill(host)
  const pages = ['orders', 'orders?q=ada&state=none', `order?type=wc&id=${order}`, 'queue']
  const urls = [
    ...readsOf(order, item, job).map((path) => all + path),
    ...pages.map((page) => `/desk/${page}`),
    '/settings/general',
  ]
  for (const url of urls) t.equal((await read(url)).statusCode, 200, url)
  timeouts.query = 150
  for (const fault of statementFaults) {
    let left = urls
    for (let number = 1; left.length > 0; number++) {
      // What the last round has read must not be known any more.
      await delay(1000)
      const struck: string[] = []
      for (const url of left) {
        const struckAt = async () => {
          faulty.suffer(fault, number)
          const { statusCode } = await read(url)
          const isStruck = faulty.sent >= number
          faulty.suffer(undefined)
          await delay(0)
          return isStruck ? statusCode : undefined
        }
        let status = await struckAt()
        // The statement that was struck may have been one of the host's upkeep.
        for (let tries = 0; status === 200 && tries < 3; tries++) status = await struckAt()
        if (status === undefined) continue
        struck.push(url)
        if (status !== 503) t.equal(status, 503, `${url}: statement ${number} is ${fault}`)
        if (unhandled.length > 0) t.same(unhandled.splice(0), [], `${url}: statement ${number} is ${fault}`)
      }
      left = struck
    }
  }
})

t.test(
  'a server that stops or dies beneath six clients of GET /orders: 503, then it is served again',
  async (t) => {
    const server = await ownServer(t, 'MariaDB')
    const root = await createConnection(server.url())
    await root.query('create database shop character set utf8mb4')
    root.destroy()
    const unhandled = unhandledIn(t)
    const host = await build(t, { engine: 'MariaDB', address: server.url('shop') })
    await fill(host)
    await host.connection.close()
    const statuses = new Set<number>()
    let isOver = false
    const clients = Array.from({ length: 6 }, async (_, i) => {
      const path = ['/orders?has_print_file=false', '/orders?include=1', '/orders'][i % 3]
      while (!isOver) statuses.add((await host.call('GET', path ?? '')).status)
    })
    await delay(500)
    process.kill(server.pid, 'SIGSTOP')
    await delay(8000)
    process.kill(server.pid, 'SIGCONT')
    await delay(2000)
    await server.kill()
    await delay(1000)
    await server.restart()
    await delay(1000)
    isOver = true
    await Promise.all(clients)
    t.same([...statuses].sort(), [200, 503])
    t.same(unhandled, [])
    t.equal((await host.call('GET', '/orders?has_print_file=false')).status, 200)
  },
)

/** What is rejected and not handled during the test. */
function unhandledIn(t: Test): unknown[] {
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  t.teardown(() => process.off('unhandledRejection', onUnhandled))
  return unhandled
}

async function fill(host: Awaited<ReturnType<typeof build>>) {
  const views = { title: 'Front', elements: [] }
  await host.call('POST', '/products', { title: 'Mug' })
  await host.call('POST', '/products/1/views', views)
  await host.call('POST', '/categories', { title: 'Drinkware' })
  await host.call('POST', '/design-categories', { title: 'Birthdays' })
  await host.call('POST', '/pricing-rules', { name: 'Long', data: {} })
  await host.call('POST', '/print-profiles', { name: 'Offset', data: {}, is_master: true })
  await host.call('POST', '/text-templates', { text: 'Hi' })
  const colors = [{ id: 'c1', hex: '#cc3300', name: 'Brick' }]
  await host.call('PUT', '/color-library', { colors, palettes: [] })
  await createShop(host)
  const meta: [string, string][] = [['_svc_data', JSON.stringify(design)]]
  const { id: order, items } = await shopOrder(host, 'posts', { items: [{ meta }] })
  const form = await addForm(host)
  await formEntry(host, form, { created: '2026-05-01 08:00:00', name: 'Ada', mail: '', design })
  await shortcodeOrder(host, { customer_name: 'Ada', customer_mail: '', views: design })
  const [item = 0] = items
  const { guid: job } = await jobRow(host, { type: 'wc', id: order, item, status: 'failed' })
  return { order, item, job }
}
