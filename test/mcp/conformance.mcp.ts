// POST /mcp of the example host, by the official conformance suite.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { exampleTools, openDoor } from '../support/hosts/mcp-example.ts'
import { mcpClients, run } from '../support/peers/mcp-clients.ts'

/** The suite calls the tools of a fixture; these of ours give what its checks look at. */
const fixtures: Record<string, { name: string; arguments: Record<string, unknown> }> = {
  test_simple_text: { name: 'get_system_info', arguments: {} },
  test_error_handling: { name: 'get_product', arguments: { id: 999 } },
  test_image_content: { name: 'get_product_preview', arguments: { id: 1, width: 60 } },
}

const noResources = 'The only resource is the schema of designs.'
const noPrompts = 'Looks for a prompt of the fixture; the only prompt is the rules of designs.'
const noStream = 'A response is one JSON body, so nothing is sent before it.'
const noQuestions = 'The server is stateless and never asks the client.'
const noSuchContent = 'No operation returns this.'

/** The scenarios that fail, each with the reason why it does not apply. */
const inapplicable: Record<string, string> = {
  'logging-set-level': 'The server declares no logging.',
  'completion-complete': 'The prompt and the resource take no arguments to complete.',
  'tools-call-audio': noSuchContent,
  'tools-call-embedded-resource': noSuchContent,
  'tools-call-mixed-content': noSuchContent,
  'tools-call-with-logging': noStream,
  'tools-call-with-progress': noStream,
  'server-sse-polling': 'There are no sessions and streams to come back to.',
  'server-sse-multiple-streams': 'There are no sessions and streams.',
  'tools-call-sampling': noQuestions,
  'tools-call-elicitation': noQuestions,
  'elicitation-sep1034-defaults': noQuestions,
  'elicitation-sep1330-enums': noQuestions,
  'json-schema-2020-12': 'Looks for a tool of the fixture; our schemas use none of its keywords.',
  'resources-read-text': noResources,
  'resources-read-binary': noResources,
  'resources-templates-read': noResources,
  'resources-subscribe': noResources,
  'resources-unsubscribe': noResources,
  'prompts-get-simple': noPrompts,
  'prompts-get-with-args': noPrompts,
  'prompts-get-embedded-resource': noPrompts,
  'prompts-get-with-image': noPrompts,
}

const passing = {
  'server-initialize': 1,
  ping: 1,
  'tools-list': 1,
  'tools-call-simple-text': 1,
  'tools-call-error': 1,
  'tools-call-image': 1,
  'resources-list': 1,
  'prompts-list': 1,
  'dns-rebinding-protection': 2,
}

/** A call of the fixture, as one of ours. */
function translated(body: Buffer): string | Buffer {
  const text = body.toString()
  if (!text.includes('tools/call')) return body
  const message = JSON.parse(text)
  const ours = fixtures[message.params.name]
  return JSON.stringify({ ...message, params: { ...message.params, ...ours } })
}

t.test('every scenario passes that is about something which the server has', async (t) => {
  const { conformance } = await mcpClients()
  const cwd = t.testdir({})
  const door = await openDoor(t)
  const { url } = await exampleTools(t, cwd, { SITE_URL: door.origin })
  door.lead(url, translated)
  const baseline = join(cwd, 'baseline.yml')
  await writeFile(
    baseline,
    `server:\n${Object.keys(inapplicable)
      .map((name) => `  - ${name}\n`)
      .join('')}`,
  )
  const args = ['server', '--url', `${door.origin}/mcp`, '--suite', 'all', '--expected-failures', baseline]
  const { code, stdout, stderr } = await run(conformance, args, { cwd })
  // 1 if a scenario fails that is not in the list, or passes although it is.
  t.equal(code, 0, `${stdout.split('SUMMARY').at(-1)}${stderr}`)
  for (const [name, checks] of Object.entries(passing))
    t.ok(stdout.includes(`✓ ${name}: ${checks} passed, 0 failed`), name)
})
