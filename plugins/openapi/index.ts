// GET /openapi.json: the document of the operations that are switched on, and that the sender of the request may call.
import { hash } from 'node:crypto'
import type { Principal } from '../../src/core/principal.ts'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { group } from '../../src/http/group.ts'
import { principalOf } from '../../src/http/principal.ts'
import { hidden } from '../../src/http/schema.ts'
import { currentOperations, documentOf } from './document.ts'

/** Maximum number of cached documents. Each takes about 300 KB. */
const maxDocuments = 16

/** The route of the OpenAPI document. */
export default group('openapi', (app, context) => {
  const { site } = context
  /** Cached documents, by the ids of their operations: there is one for each combination of toggles and scopes. */
  const documents = new Map<string, { text: string; state: string }>()

  /** The document for a sender. */
  async function documentFor({ scopes }: Principal) {
    const operations = await currentOperations(context, scopes)
    const key = operations.map(({ id }) => id).join()
    const cached = documents.get(key)
    if (cached) return cached
    const [oldest] = documents.keys()
    if (oldest !== undefined && documents.size >= maxDocuments) documents.delete(oldest)
    const text = JSON.stringify(documentOf(operations, site.restBase))
    const document = { text, state: hash('sha256', text, 'base64url').slice(0, 27) }
    documents.set(key, document)
    return document
  }

  app.get('/', { schema: hidden }, async (request, reply) => {
    const { text, state } = await documentFor(principalOf(request))
    if (matchesEtag(request, setEtag(reply, state))) return reply.code(304).send()
    reply.header('content-type', 'application/json; charset=utf-8')
    return text
  })
})
