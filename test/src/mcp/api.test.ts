// The tools of an API behind a transport: made from its document, and kept as long as it is the same.
import t from 'tap'
import { apiTools, type RawRequest } from '../../../src/mcp/api.ts'
import { resultOf, type ToolResponse } from '../../../src/mcp/results.ts'

const bytes = (text: string) => Buffer.from(text)

t.test('apiTools: tools are kept by the tag of their document, those of the last 16 documents', async (t) => {
  const sent: RawRequest[] = []
  let tag = ''
  const transport = async (request: RawRequest): Promise<ToolResponse> => {
    sent.push(request)
    const isKnown = request.headers['if-none-match']?.includes(tag) === true
    return {
      status: isKnown ? 304 : 200,
      headers: new Headers({ etag: tag }),
      bytes: bytes(isKnown ? '' : '{"openapi":"3.1.0","paths":{}}'),
    }
  }
  const tools = apiTools('full', { takesPath: false })
  const of = (name: string) => {
    tag = `"${name}"`
    return tools(transport)
  }
  const first = await of('first')
  t.equal(await of('first'), first)
  t.strictSame(
    sent.map(({ headers }) => headers),
    [{}, { 'if-none-match': '"first"' }],
  )
  for (let i = 0; i < 16; i++) await of(`other-${i}`)
  t.not(await of('first'), first)
  const known = sent.at(-1)?.headers['if-none-match']?.split(', ')
  t.equal(known?.length, 16)
  t.equal(known?.[0], '"other-0"')
})

t.test('apiTools: an API without a document is an error with its words', async (t) => {
  const transport = async () => ({
    status: 503,
    headers: new Headers(),
    bytes: bytes('{"message":"Later."}'),
  })
  await t.rejects(apiTools('full', { takesPath: false })(transport), /^Later\.$/)
  const silent = async () => ({ status: 502, headers: new Headers(), bytes: bytes('<html>') })
  await t.rejects(apiTools('full', { takesPath: false })(silent), /responded 502/)
})

t.test('apiTools: the beginning of a response that is no JSON is shown to the agent', (t) => {
  const called = { restHint: '', listTool: undefined, isSelected: false }
  const { isError, content } = resultOf(called, {
    status: 502,
    headers: new Headers(),
    bytes: bytes(`<html>${'x'.repeat(300)}`),
  })
  t.equal(isError, true)
  t.match(content[0], { text: `The API responded 502: <html>${'x'.repeat(194)}` })
  t.notMatch(content[0], { text: 'x'.repeat(195) })
  t.end()
})
