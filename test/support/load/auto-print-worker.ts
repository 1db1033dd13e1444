// A process that prints orders automatically, until it is killed.
import { type SvcApiOptions, svcApi } from '../../../plugins/index.ts'
import { Fastify } from '../hosts/fastify.ts'

export interface AutoPrintTask {
  address: string
  dir: string
  uploadsUrl: string
  tempDir: string
  /** Names of files, and where finished ones go. */
  files?: Pick<SvcApiOptions, 'fileName' | 'deliver'>
}

const { address, dir, uploadsUrl, tempDir, files } = JSON.parse(process.argv[2] ?? '') as AutoPrintTask
const app = Fastify()
await app.register(svcApi, {
  database: address,
  siteUrl: 'https://shop.example',
  uploads: { dir, url: uploadsUrl },
  printReady: { tempDir, leaseSeconds: 2 },
  renderer: true,
  autoPrint: { format: 'svg' },
  ...files,
})
await app.listen({ port: 0 })
process.stdout.write('ready\n')
