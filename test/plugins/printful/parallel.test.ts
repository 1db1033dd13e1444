// Two and three jobs of one order in two processes at once: all items are at the provider, each of them once.
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { onEachEngine } from '../../support/hosts/build.ts'
import { printHost } from '../../support/hosts/print.ts'
import { printfulShop } from '../../support/hosts/printful-shop.ts'
import { startPeer } from '../../support/hosts/process.ts'
import { printful } from '../../support/peers/printful.ts'

t.test('jobs of one order in two processes end with all items in one draft', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const remote = await printful(t)
    // Time in which another one could read the order before this one has written it.
    remote.watch = async () => void (await delay(30))
    const host = await printHost(t, { engine, printful: { url: remote.url } })
    const shop = await printfulShop(host)
    await shop.setToken()
    const peers = await Promise.all([startPeer(t), startPeer(t)])
    const bases: string[] = []
    for (const peer of peers) {
      const options = {
        uploads: { dir: host.uploads, url: 'https://shop.example/wp-content/uploads' },
        printReady: { allow: [host.router.pair], tempDir: host.tempDir },
        printful: { url: remote.url },
      }
      await peer.order({ do: 'serve', database: host.address, token: '', options })
      bases.push(`http://127.0.0.1:${await peer.order({ do: 'listen' })}`)
    }
    for (const count of [2, 3, 3, 2]) {
      const order = await shop.order(Array.from({ length: count }, () => ({})))
      await Promise.all(
        order.items.map(async (item_id, i) => {
          const { guid } = await host.newJob({
            order_id: order.id,
            item_id,
            variation_printful: shop.variation,
          })
          const url = (n: number) =>
            `${bases[n % 2]}/wp-json/svc-export/v1.0/print_job/${guid}?file_url=${host.router.url}/a.pdf`
          // In both processes, and again as long as somebody else is at work on the order.
          const notify = async (n: number) => {
            for (let tries = 0; tries < 1000; tries++) {
              const { status } = await fetch(url(n), { method: 'POST' })
              if (status === 200) return
              if (status !== 409) t.fail(`a notification is ${status}`)
              await delay(20)
            }
            t.fail('a job never had its turn')
          }
          await Promise.all([notify(i), notify(i + 1)])
        }),
      )
      t.same(remote.items(String(order.id))?.toSorted(), order.items.map(String).toSorted())
      t.equal((await shop.meta(order.id, '_svc_printful_order_data')).length, 1)
    }
    t.equal(remote.orders.size, 4)
    t.equal(remote.requests.filter(({ method }) => method === 'POST').length, 4)
  })
})
