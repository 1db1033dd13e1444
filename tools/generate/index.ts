// Writes what is made from the code: openapi.json, llms.txt, docs/reference, pictures of the rooms, and the client's types and routes.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import Fastify from 'fastify'
import { ensureToken, svcApi } from '../../plugins/index.ts'
import type { OpenApiDocument } from '../../plugins/openapi/document.ts'
import { architectureFiles } from './architecture.ts'
import { writeClient } from './client.ts'
import { llmsText } from './llms.ts'
import { referencePages } from './reference/index.ts'

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
  const reference = await referencePages(root, document)
  const lists = {
    guides: await readFile(join(root, 'docs/guide/README.md'), 'utf8'),
    reference: reference['docs/reference/README.md'] ?? '',
    commands: reference['docs/reference/commands.md'] ?? '',
  }
  return {
    'openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'llms.txt': llmsText(document, lists),
    ...reference,
    ...architectureFiles(root),
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, content] of Object.entries(await generatedFiles())) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
    console.log(path)
  }
  writeClient(root)
}
