// GET /openapi.json: the document of what this installation serves at the moment.
import { hash } from 'node:crypto'
import { matchesEtag, setEtag } from '../../src/http/etag.ts'
import { group } from '../../src/http/group.ts'
import { hidden } from '../../src/http/schema.ts'
import { currentOperations } from './current.ts'
import { documentOf } from './document.ts'

export default group('openapi', undefined, (app, context) => {
  const { site } = context
  /** One document for each combination of toggles that was asked for; the last few. */
  const documents = new Map<string, { text: string; state: string }>()

  async function current() {
    const operations = await currentOperations(context)
    const key = operations.map(({ id }) => id).join()
    const known = documents.get(key)
    if (known) return known
    if (documents.size > 8) documents.clear()
    const text = JSON.stringify(documentOf(operations, site.restBase))
    const made = { text, state: hash('sha256', text, 'base64url').slice(0, 27) }
    documents.set(key, made)
    return made
  }

  app.get('/', { schema: hidden }, async (request, reply) => {
    const { text, state } = await current()
    if (matchesEtag(request, setEtag(reply, state))) return reply.code(304).send()
    reply.header('content-type', 'application/json; charset=utf-8')
    return text
  })
})
