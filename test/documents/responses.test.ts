// The responses in the guide about requests are those that a fresh shop sends.
import t from 'tap'
import { build } from '../support/hosts/build.ts'
import { blocksOf, documentText } from '../support/hosts/documents.ts'

const guide = 'docs/guide/requests.md'
const { call } = await build(t)

interface Command {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body: unknown
  headers: Record<string, string>
}

/** The request of a curl command below `$API`. */
function requestOf(line: string): Command {
  const [, path = ''] = /\$API(\/[^"\s]*)/.exec(line) ?? []
  const [, json] = /-d '([^']*)'/.exec(line) ?? []
  const [, method = json === undefined ? 'GET' : 'POST'] = /-X (\w+)/.exec(line) ?? []
  const headers = [...line.matchAll(/-H '([^:]+): ([^']*)'/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value,
  ])
  const body = json === undefined ? undefined : JSON.parse(json)
  return { method: method as Command['method'], path, body, headers: Object.fromEntries(headers) }
}

t.test('GET, POST and PATCH /products: respond as the guide shows after each command', async (t) => {
  const blocks = blocksOf(guide)
  const pairs = blocks.flatMap((block, i) => {
    const next = blocks[i + 1]
    return block.language === 'sh' && next?.language === 'json'
      ? [{ command: block.code, response: next.code }]
      : []
  })
  t.equal(pairs.length, 3)
  for (const { command, response } of pairs) {
    const { method, path, body, headers } = requestOf(command.trimEnd().split('\n').at(-1) ?? '')
    const answer = await call(method, path, body, headers)
    t.strictSame(answer.body, JSON.parse(response), `${method} ${path}`)
    t.equal(answer.status, method === 'POST' ? 201 : 200)
  }
})

t.test('POST /products: the 400 of the guide', async (t) => {
  const [, body = '', shown = ''] =
    /`POST \/products` with the body `([^`]+)`:\n\n```json\n([\s\S]*?)```/.exec(documentText(guide)) ?? []
  const { status, body: answer } = await call('POST', '/products', JSON.parse(body))
  t.equal(status, 400)
  t.strictSame(answer, JSON.parse(shown))
})
