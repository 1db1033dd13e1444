// A process that serves the API over a socket, for tests that kill it or measure it from outside.
import { svcApi } from '../../../plugins/index.ts'
import { Fastify } from './fastify.ts'

const [database = '', dir = ''] = process.argv.slice(2)
const app = Fastify({ forceCloseConnections: true })
await app.register(svcApi, {
  database,
  siteUrl: 'https://shop.example',
  uploads: { dir, url: 'https://shop.example/uploads' },
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const port = typeof address === 'object' ? address?.port : 0
if (process.send) process.send({ port })
else console.log(port)

/** Memory in megabytes, at its peak and after garbage collection, requested over IPC. */
process.on('message', () => {
  const peak = process.resourceUsage().maxRSS / 1024
  globalThis.gc?.()
  process.send?.({ peak, rss: process.memoryUsage.rss() / 1_048_576 })
})
process.on('disconnect', () => void app.close())
