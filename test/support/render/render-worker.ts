// A process that exports one order with the built-in renderer, until it is killed.
import { svcApi } from '../../../plugins/index.ts'
import { token } from '../hosts/build.ts'
import { Fastify } from '../hosts/fastify.ts'

export interface RenderTask {
  address: string
  dir: string
  uploadsUrl: string
  tempDir: string
  order: number
  item: number
}

const { address, dir, uploadsUrl, tempDir, order, item } = JSON.parse(process.argv[2] ?? '') as RenderTask
const app = Fastify()
await app.register(svcApi, {
  database: address,
  siteUrl: 'https://shop.example',
  uploads: { dir, url: uploadsUrl },
  printReady: { tempDir, leaseSeconds: 1 },
  renderer: true,
})
await app.ready()
process.stdout.write('ready\n')
await app.inject({
  method: 'POST',
  url: `/wp-json/svc/v1/orders/${order}/export`,
  headers: { authorization: `Bearer ${token}` },
  payload: { item_id: item },
})
process.stdout.write('done\n')
