// A process that renames products as fast as it is told to, and delivers the events about it, until it is killed.
import { svcApi, type WebhookEndpoint } from '../../../plugins/index.ts'
import { Fastify } from '../hosts/fastify.ts'

export interface OutboxTask {
  address: string
  token: string
  endpoint: WebhookEndpoint
  products: number[]
  /** Distinguishes its writes from those of other processes. */
  name: string
}

const { address, token, endpoint, products, name } = JSON.parse(process.argv[2] ?? '') as OutboxTask

// No process outlives the test.
process.once('disconnect', () => process.exit())

const app = Fastify()
await app.register(svcApi, {
  database: address,
  siteUrl: 'https://shop.example',
  audit: true,
  webhooks: [endpoint],
})
await app.ready()
process.send?.({ ready: true })
for (let write = 0; ; write++) {
  // The title and the id of the request are the same, so that each event names the state that it announces.
  const title = `${name}-${write}`
  const id = products[Math.floor(Math.random() * products.length)]
  const { statusCode } = await app.inject({
    method: 'PATCH',
    url: `/wp-json/svc/v1/products/${id}`,
    headers: { authorization: `Bearer ${token}`, 'x-request-id': title },
    payload: { title },
  })
  if (statusCode === 200) process.send?.({ acknowledged: title })
  await new Promise((over) => setTimeout(over, 10 + Math.random() * 20))
}
