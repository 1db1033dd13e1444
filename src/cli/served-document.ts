// The OpenAPI document of an installation, made without listening. A file of its own, because it loads all plugins.
import Fastify from 'fastify'
import { type SvcApiOptions, svcApi } from '../../plugins/index.ts'
import { currentDocument, type OpenApiDocument } from '../../plugins/openapi/document.ts'
import { runningContext } from '../http/running-apis.ts'

/** The document that a host with these options would serve. */
export async function servedDocument(options: SvcApiOptions): Promise<OpenApiDocument> {
  const app = Fastify()
  try {
    app.register(svcApi, options)
    await app.ready()
    return await currentDocument(runningContext(app))
  } finally {
    await app.close()
  }
}
