// llms.txt: what an agent has to know of this package, with the operations of the OpenAPI document.
import type { OpenApiDocument } from '../../plugins/openapi/document.ts'

/** Texts of docs/guide/README.md and docs/reference/README.md, which say what each page is about. */
interface Lists {
  guides: string
  reference: string
  /** docs/reference/commands.md, with a heading for each command. */
  commands: string
}

export function llmsText(document: OpenApiDocument, lists: Lists): string {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const tags = document.tags as { name: string; description: string }[]
  const lines = tags.map(({ name, description }) => {
    const ids = operations.filter(({ tags: [tag] }) => tag === name).map(({ operationId }) => operationId)
    return `- ${name}: ${description} ${ids.join(', ')}`
  })
  const guides = [...lists.guides.matchAll(/^\| \[.*?\]\((.*?)\) \| (.*) \|$/gm)].map(
    ([, file, about]) => `- [docs/guide/${file}](docs/guide/${file}): ${about}`,
  )
  const reference = [...lists.reference.matchAll(/^- \[.*?\]\((.*?)\): (.*)$/gm)].map(
    ([, file, about]) => `- [docs/reference/${file}](docs/reference/${file}): ${about}`,
  )
  const commands = [...lists.commands.matchAll(/^## (.*)$/gm)].map(([, name]) => `\`${name}\``)
  return `# svc-api

> The REST API of a web-to-print product customizer as a Fastify plugin, on the tables that the shop's WordPress uses.

## Files

- [README.md](README.md): what it is, and how to start
- [openapi.json](openapi.json): every operation with its parameters, bodies, responses and errors (OpenAPI 3.1). A running
  installation serves its own as GET {baseUrl}/svc/v1/openapi.json
- [examples](examples/README.md): hosts to copy from
- [examples/workflows/shop.arazzo.json](examples/workflows/shop.arazzo.json): calls in the order in which users make them (Arazzo)

## Guides

${guides.join('\n')}

## Reference

${reference.join('\n')}

## Ways to use it

- In a host: \`import svcApi from 'svc-api'\` and \`app.register(svcApi, { siteUrl, database })\`
- From TypeScript: \`import { svcClient } from 'svc-api/client'\`; \`list_products\` is \`client.listProducts()\`
- From an agent: \`svc-api mcp\` on stdin and stdout, or POST {baseUrl}/svc/v1/mcp where the host sets the option \`mcp\`
- From a shell: \`svc-api\` with one of the commands ${commands.join(', ')}

## Requests

- Every request carries \`Authorization: Bearer <token>\`, apart from the notifications of print-ready
- A token may be limited to scopes (\`read\`, \`write\`, \`products:read\`, \`products:write\` and so on): 403 svc_insufficient_scope
  names the missing one in data.scope, and openapi.json of the installation contains what the token may do
- A success is {"success": true, "data": …, "meta": …}, an error {"success": false, "code": …, "message": …, "data": {"status": …}}
- \`If-Match\` with the ETag of the read prevents lost updates (412); \`Idempotency-Key\` runs a POST once
- \`fields=a,b\` on a GET returns these properties; \`Prefer: return=minimal\` on a write returns the key alone

## The ${operations.length} operations

${lines.join('\n')}
`
}
