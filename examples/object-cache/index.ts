// Invalidates entries of WordPress's Redis object cache, so that PHP sees immediately what the API wrote.
import Fastify from 'fastify'
import { createClient } from 'redis'
import svcApi from 'svc-api'
import { type Entry, entriesOfMeta, entriesOfOptions, redisKey } from './wordpress-cache.ts'

const tablePrefix = process.env.TABLE_PREFIX ?? 'wp_'
const blog = process.env.CACHE_PREFIX ?? tablePrefix.replace(/_+$/, '')

const app = Fastify({ logger: { level: 'warn' } })

const redis = createClient({
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  // A write must not wait for Redis while it is unavailable.
  disableOfflineQueue: true,
})
redis.on('error', (error) => app.log.error(error, 'Redis cannot be reached.'))

async function drop(entries: Entry[]): Promise<void> {
  try {
    if (entries.length > 0) await redis.del(entries.map((entry) => redisKey(blog, entry)))
  } catch (error) {
    // The write itself is not affected. PHP may show the old value until its cache entry expires.
    app.log.error(error, 'The object cache was not told of a change.')
  }
}

app.register(svcApi, {
  database: process.env.DATABASE_URL ?? 'mysql://root@127.0.0.1:3306/shop',
  tablePrefix,
  siteUrl: process.env.SITE_URL ?? 'http://localhost:3000',
  migrate: true,
  onOptionsChanged: (keys) => drop(entriesOfOptions(keys)),
  onMetaChanged: (change) => drop(entriesOfMeta(change, tablePrefix)),
})

app.addHook('onClose', async () => redis.destroy())
await redis.connect()
process.once('SIGTERM', () => void app.close())
console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT ?? 3000) })}`)
