// WordPress with a persistent object cache, served by PHP, and the example that tells it what the API has changed.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ensureCommands } from '../support/debian.ts'
import { startExample } from '../support/hosts/example.ts'
import { freePort } from '../support/peers/free-port.ts'
import {
  addDroppingPlugin,
  addOrder,
  cachedOptions,
  cachingWordpress,
  readCached,
} from '../support/wordpress/caching.ts'
import { cachedOrderMeta, cacheOrderMeta } from '../support/wordpress/order-cache.ts'

const secret = 'a secret of more than 32 characters'

/** Serves the WordPress in `dir`; its URL. */
async function servedWordpress(t: Test, dir: string, key: string): Promise<string> {
  await writeFile(
    join(dir, 'router.php'),
    `<?php require ${JSON.stringify(join(dir, 'wp-config.php'))}; wp();`,
  )
  const { php } = await ensureCommands({ php: 'php-cli' })
  const port = await freePort()
  const child = spawn(php, ['-S', `127.0.0.1:${port}`, '-t', dir, join(dir, 'router.php')], {
    env: { ...process.env, SVC_CACHE_SECRET: key },
    stdio: 'ignore',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const end = performance.now() + 30_000
  while (performance.now() < end) {
    const isUp = await fetch(url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    )
    if (isUp) return url
    await new Promise((over) => setTimeout(over, 100))
  }
  throw new Error('PHP does not serve.')
}

async function shopWithCache(t: Test) {
  const shop = await cachingWordpress(t)
  await addDroppingPlugin(shop.dir)
  return shop
}

t.test('PHP reads what the API has just written, because the API told it', async (t) => {
  const { address, dir, wp } = await shopWithCache(t)
  const seen = async () => JSON.parse(await wp(readCached))
  const order = await wp(addOrder)
  t.same(await seen(), ['1', '2048', false, 'old'])
  const WORDPRESS_URL = await servedWordpress(t, dir, secret)
  const change = async (key: string, values: unknown[], title: string) => {
    const settings = Object.fromEntries(cachedOptions.map((name, i) => [name, values[i]]))
    const { call, output, stop } = await startExample(t, 'wordpress-mu-plugin', {
      DATABASE_URL: address,
      WORDPRESS_URL,
      SVC_CACHE_SECRET: key,
    })
    t.equal((await call('PATCH', '/settings', settings)).status, 200)
    const { item_id } = (await call('GET', `/orders/${order}?type=wc`)).body.data.items[0]
    const body = { type: 'wc', item_id, order: { title } }
    t.equal((await call('PATCH', `/orders/${order}`, body)).status, 200)
    t.equal(await stop(), 0)
    return output.text
  }
  const refused = await change('another secret of some length', [4, 4096, 'ada@shop.example'], 'newer')
  t.match(refused, 'WordPress responded 401.')
  t.same(await seen(), ['1', '2048', false, 'old'], 'this cache notices nothing by itself')
  t.notMatch(await change(secret, [5, 8192, 'bob@shop.example'], 'new'), 'was not told')
  t.same(await seen(), ['5', '8192', 'bob@shop.example', 'new'])
})

t.test('the meta of an order is dropped where WooCommerce caches it, that of others is not', async (t) => {
  const { dir, wp } = await shopWithCache(t)
  for (const id of [7, 8]) await wp(cacheOrderMeta(id))
  const cached = async (id: number) => JSON.parse(await wp(cachedOrderMeta(id)))
  t.same([await cached(7), await cached(8)], [Array(2).fill(true), Array(2).fill(true)])
  const url = await servedWordpress(t, dir, secret)
  const drop = async (table: string) =>
    fetch(`${url}/index.php?rest_route=/svc-cache/v1/drop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-cache-secret': secret },
      body: JSON.stringify({ meta: { table, objectId: 7 } }),
    }).then(({ status }) => status)
  t.equal(await drop('wp_gf_entry_meta'), 200)
  t.same(await cached(7), [true, true])
  t.equal(await drop('wp_wc_orders_meta'), 200)
  t.same([await cached(7), await cached(8)], [Array(2).fill(false), Array(2).fill(true)])
})

t.test('nobody is admitted without the secret, and a short one admits nobody', async (t) => {
  const { dir } = await shopWithCache(t)
  const ask = async (url: string, key: string | undefined, body: unknown = { options: [] }) =>
    fetch(`${url}/index.php?rest_route=/svc-cache/v1/drop`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'x-svc-cache-secret': key }),
      },
      body: JSON.stringify(body),
    }).then(({ status }) => status)
  const guarded = await servedWordpress(t, dir, secret)
  t.equal(await ask(guarded, undefined), 401)
  t.equal(await ask(guarded, ''), 401)
  t.equal(await ask(guarded, `${secret}.`), 401)
  t.equal(await ask(guarded, secret), 200)
  t.equal(await ask(guarded, secret, { other: 1 }), 400)
  for (const key of ['', 'short']) {
    const open = await servedWordpress(t, dir, key)
    t.equal(await ask(open, key), 401)
  }
})
