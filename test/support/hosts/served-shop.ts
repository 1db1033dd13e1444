// A MariaDB shop of products, views and one category, served by another process, for load tests.
import type { Test } from 'tap'
import { newCategory, newProduct, newView } from '../fixtures/rows.ts'
import { build, token } from './build.ts'
import { startPeer } from './process.ts'

/** @param products how many products there are, each with one view; `blob` is stored in all of them */
export async function servedShop(t: Test, products: number) {
  const host = await build(t, { engine: 'MariaDB' })
  const blob = { note: 'x'.repeat(10_000) }
  for (let i = 1; i <= products; i++) {
    const product = await newProduct(host, { title: `Shirt ${i}`, options: blob })
    await newView(host, product, { elements: [blob] })
  }
  await newCategory(host, 'Clothes', [1, 2, 3])
  const peer = await startPeer(t)
  await peer.order({ do: 'serve', database: host.address, token })
  const port = await peer.order({ do: 'listen' })
  return { host, peer, port, blob }
}
