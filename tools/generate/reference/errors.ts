// errors.md: every code with status, message and remark, and the operations that respond with it.
import type { OpenApiDocument } from '../../../plugins/openapi/document.ts'
import { errorTable, hostRefusalCode, jobErrors } from '../../../src/core/errors.ts'
import { errorRemarks } from './error-remarks.ts'
import { code, pageHead, table } from './markdown.ts'
import { listed } from './routes.ts'

/** Code, operation and what that operation means by it, for all documented responses. */
function causes(
  document: OpenApiDocument,
): { name: string; status: string; cause: string; operation: string }[] {
  const components = document.components.responses as unknown as Record<string, { description: string }>
  return listed(document).flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const { $ref = '' } = response as unknown as { $ref?: string }
      const description = components[$ref.split('/').at(-1) ?? '']?.description ?? ''
      return [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, name = '', cause = '']) => ({
        name,
        status,
        cause,
        operation: operation.operationId,
      }))
    }),
  )
}

/** Names of operations, or in words which they are where they are many. */
function inWords(names: readonly string[], all: readonly string[]): string {
  if (names.length === all.length) return 'Every operation.'
  const others = all.filter((name) => !names.includes(name))
  if (others.length <= 5 && names.length > 10) return `Every operation but ${others.map(code).join(', ')}.`
  return `${names.map(code).join(', ')}.`
}

const remark = (name: string) => (errorRemarks[name] === undefined ? '' : `${errorRemarks[name]}\n\n`)

export function errorsPage(document: OpenApiDocument): string {
  const all = listed(document).map(({ operation }) => operation.operationId)
  const found = Map.groupBy(causes(document), ({ name }) => name)
  const rows: string[][] = []
  const sections: string[] = []
  for (const [name, [status, message]] of Object.entries(errorTable)) {
    const own = found.get(name) ?? []
    const statuses = [...new Set([String(status), ...own.map((each) => each.status)])]
    rows.push([`[${code(name)}](#${name})`, statuses.join(', '), message])
    const byCause = Map.groupBy(own, ({ status: sent, cause }) =>
      sent === String(status) ? cause : `${sent}: ${cause}`,
    )
    const list = [...byCause].map(([cause, group]) => {
      const operations = inWords([...new Set(group.map(({ operation }) => operation))], all)
      return `- ${cause === message ? '' : `${cause} `}${operations}\n`
    })
    sections.push(`### ${name}

${statuses.join(' or ')}. ${message}

${remark(name)}${list.join('') || 'No documented operation: routes that no document names, or responses before a route is found.\n'}`)
  }
  const jobs = Object.entries(jobErrors).map(([name, message]) => [
    code(name),
    [message, errorRemarks[name]].filter(Boolean).join(' '),
  ])
  const text = `An error is \`{"success": false, "code": …, "message": …, "data": {"status": …}}\`. Branch on \`code\`; \`message\` is a sentence for
people, and where a value is wrong it names that value. A 5xx has \`data.request_id\`, the id of the request in the log.`
  return `${pageHead('Errors', 'the table of errors and the routes', text)}
${table(['Code', 'Status', 'Message'], rows)}
A hook of the host that refuses with a 4xx keeps its status, headers, code and message; without a code of its own it gets
${code(hostRefusalCode)}.

## Errors of print jobs

The property \`error\` of a print job has one of the codes above or one of these:

${table(['Code', 'Meaning'], jobs)}
## Codes

${sections.join('\n')}`
}
