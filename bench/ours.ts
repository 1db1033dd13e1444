// The API in a plain Fastify app, as the benchmarks load it.
import Fastify from 'fastify'
import svcApi from 'svc-api'

const changes = process.env.BENCH_CHANGES ?? 'none'
const secret = `whsec_${Buffer.alloc(24).toString('base64')}`

const app = Fastify({ logger: false })
const dir = process.env.BENCH_UPLOADS
await app.register(svcApi, {
  database: process.env.BENCH_DATABASE ?? '',
  siteUrl: 'https://shop.example',
  ...(changes !== 'none' && { onChange: () => {} }),
  ...((changes === 'audit' || changes === 'all') && { audit: true }),
  ...(changes === 'all' && { webhooks: [{ url: 'https://127.0.0.1:9/', secret }] }),
  ...(dir ? { uploads: { dir, url: 'https://shop.example/uploads' } } : {}),
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit())
process.send?.({ port: Number(new URL(address).port) })
