// The document of what an installation serves at the moment.
import type { SvcContext } from '../../src/context.ts'
import { operationsOf } from '../../src/http/operations.ts'
import { documentOf, type OpenApiDocument } from './document.ts'

/** Operations of the groups that are switched on. */
export async function currentOperations(context: SvcContext) {
  const { enabled } = await context.access.read()
  return operationsOf(context).filter(({ toggle }) => !toggle || enabled[toggle])
}

/** Without the operations that toggles switch off. */
export const currentDocument = async (context: SvcContext): Promise<OpenApiDocument> =>
  documentOf(await currentOperations(context), context.site.restBase)
