// A host process: serves the API on the database of its argument (with options as JSON behind it), prints its address, and
// closes on SIGTERM.
import { svcApi } from '../../../plugins/index.ts'
import { Fastify } from './fastify.ts'

const app = Fastify()
const [, , database = '', options = '{}'] = process.argv
await app.register(svcApi, { database, siteUrl: 'https://shop.example', ...JSON.parse(options) })
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
// The process exits by itself once nothing is left to do.
process.once('SIGTERM', () => app.close())
