// A single group: the products of an existing shop next to the app's own routes. Nothing else of the API is mounted.
import Fastify from 'fastify'
import { svcContext } from 'svc-api'
import products from 'svc-api/plugins/products'

const app = Fastify({ logger: { level: 'warn' } })

app.get('/', async () => ({ shop: 'open' }))

app.register(async (scope) => {
  scope.register(svcContext, {
    database: process.env.DATABASE_URL ?? 'sqlite:shop.sqlite',
    siteUrl: process.env.SITE_URL ?? 'http://localhost:3000',
    migrate: true,
  })
  // The same path as in the whole API, which the URLs in `Location` and `Link` use.
  scope.register(products, { prefix: '/wp-json/svc/v1/products' })
})

process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`)
