// A host process: serves the API on the database of its argument, prints its address, and closes on SIGTERM.
import Fastify from 'fastify'
import { svcApi } from '../../plugins/index.ts'

const app = Fastify()
await app.register(svcApi, { database: String(process.argv[2]), siteUrl: 'https://shop.example' })
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
// Nothing ends the process but that nothing is left to do.
process.once('SIGTERM', () => app.close())
