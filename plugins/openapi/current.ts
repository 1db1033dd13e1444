// The document of what an installation serves at the moment.
import type { SvcContext } from '../../src/app/context.ts'
import type { Principal } from '../../src/core/principal.ts'
import { allows } from '../../src/core/scopes.ts'
import { documentOf, type OpenApiDocument } from './document.ts'

/**
 * Operations of the groups that are switched on, as far as the scopes include them. No scope includes the webhook, which
 * takes a signature.
 */
export async function currentOperations(context: SvcContext, scopes: Principal['scopes'] = 'all') {
  const { enabled } = await context.access.read()
  return context.operations.filter(
    ({ toggle, needs }) => (!toggle || enabled[toggle]) && allows(scopes, needs ?? 'all'),
  )
}

/** Without the operations that toggles switch off. */
export const currentDocument = async (context: SvcContext): Promise<OpenApiDocument> =>
  documentOf(await currentOperations(context), context.site.restBase)
