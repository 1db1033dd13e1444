// The tools of the example host, by the command line of the official inspector: over HTTP, and by `svc-api mcp` over stdio.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { token } from '../support/hosts/build.ts'
import { program } from '../support/hosts/command.ts'
import type { Result } from '../support/hosts/mcp.ts'
import { exampleTools } from '../support/hosts/mcp-example.ts'
import { mcpClients, run } from '../support/peers/mcp-clients.ts'

interface Tools {
  tools: { name: string; inputSchema: { required?: string[] } }[]
}

/** Inspectors of one host: each runs a method and returns the exit code, the result and what was said beside it. */
async function inspectors(t: Test) {
  const { inspector } = await mcpClients()
  const cwd = t.testdir({ home: {}, 'front.png': png({ width: 20, height: 10 }) })
  const { root, url } = await exampleTools(t, cwd)
  const inspect = (server: string[]) => async (args: string[]) => {
    const all = ['--cli', ...server, '--format', 'json', ...args]
    const { code, stdout, stderr } = await run(inspector, all, { cwd, env: { HOME: join(cwd, 'home') } })
    const { result } = stdout.startsWith('{') ? JSON.parse(stdout) : { result: undefined }
    return { code, result, stderr }
  }
  const header = ['--header', `Authorization: Bearer ${token}`]
  const variables = ['-e', `SVC_API_URL=${root}`, '-e', `SVC_API_TOKEN=${token}`]
  return {
    cwd,
    http: inspect([url, ...header]),
    modern: inspect([url, ...header, '--protocol-era', 'modern']),
    stdio: inspect([...variables, process.execPath, program, 'mcp']),
    stranger: inspect([url, '--stored-auth-only']),
  }
}

const call = (name: string, args: Record<string, unknown> = {}) => [
  '--method',
  'tools/call',
  '--tool-name',
  name,
  '--tool-args-json',
  JSON.stringify(args),
]

t.test(
  'each way in lists the same tools, and the inspector has nothing to say about their schemas',
  async (t) => {
    const { http, modern, stdio } = await inspectors(t)
    const names = []
    for (const inspect of [http, modern, stdio]) {
      const { code, result, stderr } = await inspect(['--method', 'tools/list', '--strict'])
      t.equal(code, 0, stderr)
      names.push((result as Tools).tools.map(({ name }) => name))
      // Values of settings are of any type; a schema that said so would say nothing else.
      const findings = stderr.match(/Path: .*/g)?.filter((path) => !/\.(default|value)$/.test(path))
      t.strictSame(findings ?? [], [], stderr)
    }
    t.ok((names[0]?.length ?? 0) > 70)
    t.strictSame(names[1], names[0])
    t.strictSame(names[2], names[0])
  },
)

t.test('tools read, write, fail and cut, over HTTP as over stdio', async (t) => {
  const { http, modern, stdio } = await inspectors(t)
  for (const inspect of [http, modern, stdio]) {
    const ran = async (name: string, args: Record<string, unknown> = {}) => {
      const { code, result, stderr } = await inspect(call(name, args))
      t.equal(code, 0, `${name} ${stderr}`)
      return result as Result
    }
    t.match((await ran('get_system_info')).structuredContent, { data: { plugin: 'svc-api' } })
    const made = await ran('create_product', { title: 'Mug ✓', options: { note: 'x'.repeat(60_000) } })
    const id = made.structuredContent?.data.id
    const whole = await ran('get_product', { id })
    t.match(whole.structuredContent, { data: { title: 'Mug ✓' }, meta: { truncated: /options.*fields/ } })
    t.match((await ran('update_product', { id, title: 'Cup' })).structuredContent, { data: { title: 'Cup' } })
    t.match((await ran('get_product_preview', { id: 1, width: 60 })).content, [
      { type: 'image', mimeType: 'image/png' },
    ])
    t.match((await ran('delete_product', { id })).structuredContent, { data: { deleted: true } })
    // 5: the tool ran and reports an error.
    const gone = await inspect(call('get_product', { id }))
    t.equal(gone.code, 5)
    t.match(gone.result, { isError: true, content: [{ text: /list_products/ }] })
    t.match((await inspect(call('create_product', { title: '' }))).result, {
      content: [{ text: /title must/ }],
    })
  }
})

t.test('an upload takes base64 over HTTP and a path over stdio', async (t) => {
  const { cwd, http, stdio } = await inspectors(t)
  const file = png({ width: 20, height: 10 }).toString('base64')
  const size = { structuredContent: { data: { width: 20, height: 10, mime_type: 'image/png' } } }
  t.match((await http(call('upload_asset', { file, filename: 'front.png' }))).result, size)
  t.match((await stdio(call('upload_asset', { path: join(cwd, 'front.png') }))).result, size)
  await writeFile(join(cwd, 'note.txt'), 'text')
  const refused = await stdio(call('upload_asset', { path: join(cwd, 'note.txt') }))
  t.match(refused, { code: 5, result: { content: [{ text: /Only PNG/ }] } })
})

t.test('there are no resources and prompts, and nothing at all without the token', async (t) => {
  const { http, stranger } = await inspectors(t)
  t.match(await http(['--method', 'resources/list']), { code: 0, result: { resources: [] } })
  t.match(await http(['--method', 'prompts/list']), { code: 0, result: { prompts: [] } })
  const refused = await stranger(['--method', 'tools/list'])
  t.not(refused.code, 0)
  t.match(refused.stderr, /auth|401/i)
})
