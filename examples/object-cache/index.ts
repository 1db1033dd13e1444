// Hooks with a Redis object cache: PHP sees at once what the API wrote, although its cache outlives requests.
import Fastify from 'fastify'
import { createClient } from 'redis'
import svcApi from 'svc-api'
import { type Entry, entriesOfMeta, entriesOfOptions, redisKey } from './wordpress-cache.ts'

const tablePrefix = process.env.TABLE_PREFIX ?? 'wp_'
const blog = process.env.CACHE_PREFIX ?? tablePrefix.replace(/_+$/, '')

const app = Fastify({ logger: { level: 'warn' } })

const redis = createClient({
  url: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
  // While Redis is away, a write must not wait for it.
  disableOfflineQueue: true,
})
redis.on('error', (error) => app.log.error(error, 'Redis cannot be reached.'))

async function drop(entries: Entry[]): Promise<void> {
  try {
    if (entries.length > 0) await redis.del(entries.map((entry) => redisKey(blog, entry)))
  } catch (error) {
    // What was written stays written. PHP may show the old value until its cache entry ends.
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
