// Writes what is made from the routes: openapi.json, llms.txt, and from these the client's types and routes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Fastify from 'fastify'
import { ensureToken, svcApi } from '../../plugins/index.ts'
import type { OpenApiDocument } from '../../plugins/openapi/document.ts'
import { writeClient } from './client.ts'
import { llmsText } from './llms.ts'

const root = resolve(import.meta.dirname, '../..')

/** The document of a fresh installation with every group on. */
async function freshDocument(): Promise<OpenApiDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-generate-'))
  const database = `sqlite:${folder}/empty.sqlite`
  const app = Fastify()
  try {
    app.register(svcApi, { database, siteUrl: 'https://shop.example', migrate: true })
    await app.ready()
    const token = 'a'.repeat(64)
    await ensureToken({ database, token })
    const url = '/wp-json/svc/v1/openapi.json'
    const response = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    return response.json()
  } finally {
    await app.close()
    await rm(folder, { recursive: true })
  }
}

/** Path below the project's root and content of each generated file. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const document = await freshDocument()
  return {
    'openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'llms.txt': llmsText(document),
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, content] of Object.entries(await generatedFiles())) {
    await writeFile(join(root, path), content)
    console.log(path)
  }
  writeClient(root)
}
