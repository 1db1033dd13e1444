// GET /openapi.json: the document of what this installation serves at the moment to the sender of the request.

import { hash } from 'node:crypto'
import type { Principal } from '../../src/core/principal.ts'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { group } from '../../src/http/group.ts'
import { principalOf } from '../../src/http/principal.ts'
import { hidden } from '../../src/http/schema.ts'
import { currentOperations, documentOf } from './document.ts'

/** Each takes about 300 KB. */
const mostDocuments = 16

/** The route of the OpenAPI document of the groups that are mounted. */
export default group('openapi', (app, context) => {
  const { site } = context
  /** The last few documents, by the operations of each combination of toggles and scopes. */
  const documents = new Map<string, { text: string; state: string }>()

  async function current({ scopes }: Principal) {
    const operations = await currentOperations(context, scopes)
    const key = operations.map(({ id }) => id).join()
    const cached = documents.get(key)
    if (cached) return cached
    const [oldest] = documents.keys()
    if (oldest !== undefined && documents.size >= mostDocuments) documents.delete(oldest)
    const text = JSON.stringify(documentOf(operations, site.restBase))
    const document = { text, state: hash('sha256', text, 'base64url').slice(0, 27) }
    documents.set(key, document)
    return document
  }

  app.get('/', { schema: hidden }, async (request, reply) => {
    const { text, state } = await current(principalOf(request))
    if (matchesEtag(request, setEtag(reply, state))) return reply.code(304).send()
    reply.header('content-type', 'application/json; charset=utf-8')
    return text
  })
})
