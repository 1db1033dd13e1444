// Tells WordPress what has changed, so that it drops that from its object cache, whichever drop-in it uses.
import Fastify from 'fastify'
import svcApi, { type MetaChange } from 'svc-api'

const wordpress = process.env.WORDPRESS_URL ?? 'http://127.0.0.1'
const secret = process.env.SVC_CACHE_SECRET ?? ''

const app = Fastify({ logger: { level: 'warn' } })

/** The response of the API waits for this, at most two seconds. */
async function drop(change: { options: string[] } | { meta: Pick<MetaChange, 'table' | 'objectId'> }) {
  try {
    // The query works without pretty permalinks, and where /wp-json leads elsewhere.
    const response = await fetch(new URL('/index.php?rest_route=/svc-cache/v1/drop', wordpress), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-cache-secret': secret },
      body: JSON.stringify(change),
      signal: AbortSignal.timeout(1500),
    })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`WordPress responded ${response.status}.`)
  } catch (error) {
    // The write itself is not affected. PHP may show the old value until its cache entry expires.
    app.log.error(error, 'The object cache was not told of a change.')
  }
}

app.register(svcApi, {
  database: process.env.DATABASE_URL ?? 'mysql://root@127.0.0.1:3306/shop',
  tablePrefix: process.env.TABLE_PREFIX ?? 'wp_',
  siteUrl: process.env.SITE_URL ?? 'http://localhost:3000',
  migrate: true,
  onOptionsChanged: (options) => drop({ options }),
  onMetaChanged: ({ table, objectId }) => drop({ meta: { table, objectId } }),
})

process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`)
