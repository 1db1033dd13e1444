// `svc-api openapi`: prints the OpenAPI document of the installation.
import { cmsUrl } from '../upkeep/set-up.ts'
import { command } from './command.ts'
import { withDatabase } from './database.ts'
import { existingInstallation } from './environment.ts'

/** Where the example host listens. */
const fallbackSite = 'http://127.0.0.1:3000'

export const openapi = command({
  summary: 'prints the OpenAPI document',
  help: `Usage: svc-api openapi

Prints the OpenAPI 3.1 document of the installation: its URL, and the operations of the groups that are switched on. The file
openapi.json of the package describes all operations.`,
  options: {},
  async run(invocation) {
    const environment = existingInstallation(invocation.variables)
    const { database, tablePrefix, baseUrl } = environment
    const document = await withDatabase(invocation, environment, 'Reading the installation', async () => {
      const siteUrl = environment.siteUrl ?? (await cmsUrl({ database, tablePrefix })) ?? fallbackSite
      // The plugins take a second to load, which the other commands do without.
      const { servedDocument } = await import('./served-document.ts')
      return servedDocument({ database, tablePrefix, baseUrl, siteUrl })
    })
    invocation.print(JSON.stringify(document, null, 2), document)
    return undefined
  },
})
