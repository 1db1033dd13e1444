// `svc-api openapi`: prints the OpenAPI document of the installation.
import { cmsUrl } from '../upkeep/set-up.ts'
import { command } from './command.ts'
import { onExistingInstallation } from './database-work.ts'

/** The URL of the example host, for an installation without a site. */
const fallbackSite = 'http://127.0.0.1:3000'

export const openapiCommand = command({
  summary: 'prints the OpenAPI document',
  help: `Usage: svc-api openapi

Prints the OpenAPI 3.1 document of the installation: its URL, and the operations of the groups that are switched on. The file
openapi.json of the package describes all operations.`,
  options: {},
  async run(invocation) {
    const document = await onExistingInstallation(
      invocation,
      'Reading the installation',
      async (installation, environment) => {
        const siteUrl = environment.siteUrl ?? (await cmsUrl(installation)) ?? fallbackSite
        // The plugins take a second to load, which the other commands do without.
        const { servedDocument } = await import('./served-document.ts')
        return servedDocument({ ...installation, baseUrl: environment.baseUrl, siteUrl })
      },
    )
    invocation.print(JSON.stringify(document, null, 2), document)
    return undefined
  },
})
