// `svc-api mcp`: the tools of an API at a URL, over stdin and stdout, by the official client.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { font } from '../../support/fixtures/make-font.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { type BuildOptions, build, operationOf, token } from '../../support/hosts/build.ts'
import { commandEnvironment, commandIn, program } from '../../support/hosts/command.ts'
import { makeToken } from '../../support/hosts/named-tokens.ts'
import { freePort } from '../../support/peers/free-port.ts'

async function served(t: Test, options: BuildOptions = {}) {
  const dir = t.testdir({
    uploads: {},
    files: { 'front.png': png({ width: 20, height: 10 }), 'note.txt': 'text' },
  })
  const host = await build(t, {
    uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
    ...options,
  })
  await host.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = host.app.server.address() as AddressInfo
  return { ...host, dir, url: `http://127.0.0.1:${port}/wp-json` }
}

interface Result {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: { data: Record<string, unknown> }
}

async function connected(t: Test, url: string, args: string[] = [], key = token, cwd = process.cwd()) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: commandEnvironment({ SVC_API_URL: url, SVC_API_TOKEN: key }),
    stderr: 'ignore',
    cwd,
  })
  t.teardown(() => client.close())
  await client.connect(transport)
  const call = async (name: string, params: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: params })) as unknown as Result
  return { client, call, pid: transport.pid }
}

t.test(
  'it offers one tool for each operation, and --mode leaves out those that write or delete',
  async (t) => {
    const { url, routes } = await served(t)
    const operations = new Set(routes.filter(({ method }) => method !== 'HEAD').map(operationOf))
    // The same notification by other methods.
    for (const repeated of ['put_print_file', 'patch_print_file']) operations.delete(repeated)
    const names = async (...args: string[]) =>
      (await (await connected(t, url, args)).client.listTools()).tools.map(({ name }) => name)
    t.strictSame((await names()).sort(), [...operations].sort())
    const reading = await names('--mode', 'read')
    t.ok(reading.includes('list_products') && reading.every((name) => /^(get|list)_/.test(name)))
    const writing = await names('--mode=write')
    t.ok(writing.includes('update_product') && !writing.some((name) => /^(delete|clear)_/.test(name)))
    const { call } = await connected(t, `${url}/svc/v1/`, ['--mode', 'read'])
    t.match(await call('delete_product', { id: 1 }), { isError: true, content: [{ text: /no tool/ }] })
    t.match(await call('get_system_info'), { structuredContent: { data: { version: String } } })
  },
)

t.test('it offers what its token may do, whatever the mode', async (t) => {
  const host = await served(t)
  const key = await makeToken(host, 'agent', ['fonts:read', 'color_library:write'])
  const { client, call } = await connected(t, host.url, ['--mode', 'full'], key)
  const { tools } = await client.listTools()
  t.strictSame(tools.map(({ name }) => name).sort(), [
    'get_color_library',
    'get_color_library_usages',
    'list_fonts',
    'save_color_library',
  ])
  t.match(await call('delete_product', { id: 1 }), { isError: true, content: [{ text: /no tool/ }] })
  t.match(await call('list_fonts'), { structuredContent: { data: [] } })
})

t.test('a tool gives the same data as REST', async (t) => {
  const { url, call: rest } = await served(t)
  const { client, call } = await connected(t, url)
  await client.listTools()
  const created = await call('create_product', { title: 'Mug ✓', options: { width: 10 } })
  const id = Number(created.structuredContent?.data.id)
  const read = await call('get_product', { id })
  t.strictSame(read.structuredContent?.data, (await rest('GET', `/products/${id}`)).body.data)
  t.match(await call('get_product', { id: 77 }), { isError: true, content: [{ text: /list_products/ }] })
})

t.test('an upload takes the path of a file', async (t) => {
  const { url, dir, call: rest } = await served(t)
  const { client, call } = await connected(t, url, ['--files', `${dir}/files`])
  const { tools } = await client.listTools()
  const schema = tools.find(({ name }) => name === 'upload_asset')?.inputSchema
  t.ok(schema?.required?.includes('path') && !schema.properties?.file)
  for (const path of [`${dir}/files/front.png`, 'front.png', './sub/../front.png', 'inner.png']) {
    if (path === 'inner.png') await symlink('front.png', `${dir}/files/inner.png`)
    const result = await call('upload_asset', { path })
    t.match(result.structuredContent?.data, { width: 20, height: 10 }, path)
  }
  t.equal((await rest('GET', '/assets')).body.data.length, 4)
  await writeFile(`${dir}/files/Shop.ttf`, font())
  t.match((await call('upload_font', { path: 'Shop.ttf' })).structuredContent?.data, { name: 'Shop' })
})

t.test('nothing but files of the folder, of the right type, is read', async (t) => {
  const requests: string[] = []
  const { url, dir } = await served(t, {
    before: (app) =>
      app.addHook('onRequest', async ({ method, url }) => void requests.push(`${method} ${url}`)),
  })
  const files = `${dir}/files`
  await mkdir(`${files}/folder.png`)
  await mkdir(`${dir}/files2`)
  for (const name of ['secret.png', 'files2/beside.png'])
    await writeFile(`${dir}/${name}`, png({ width: 1, height: 1 }))
  await symlink(`${dir}/secret.png`, `${files}/link.png`)
  await symlink(dir, `${files}/up`)
  await symlink('/proc/self/environ', `${files}/environ.svg`)
  await symlink('/etc/passwd', `${files}/passwd.pdf`)
  await symlink('loop.png', `${files}/loop.png`)
  await writeFile(`${files}/passwd.png`, 'root:x:0:0')
  await writeFile(`${files}/page.svg`, '<html><svg/></html>')
  await writeFile(`${files}/Other.ttf`, png({ width: 1, height: 1 }))
  await writeFile(`${files}/huge.png`, '')
  await truncate(`${files}/huge.png`, 300 * 1024 * 1024)
  await promisify(execFile)('mkfifo', [`${files}/pipe.png`])
  const { client, call } = await connected(t, url, ['--files', files])
  await client.listTools()
  const refused = async (path: unknown, tool = 'upload_asset') => {
    const { isError, content } = await call(tool, { path })
    t.ok(isError, String(path))
    return content[0]?.text
  }
  t.match(await refused('none.png'), /none\.png cannot be read \(ENOENT\)/)
  t.match(await refused('loop.png'), /cannot be read \(ELOOP\)/)
  t.match(await refused('folder.png'), /folder\.png is not a file/)
  t.match(await refused('pipe.png'), /pipe\.png is not a file/)
  t.match(await refused('huge.png'), /larger than any upload limit/)
  t.match(await refused(''), /path must be/)
  t.match(await refused('front.png\0'), /path must be/)
  for (const path of ['note.txt', '/etc/passwd', '/proc/self/environ', '/dev/zero', files])
    t.match(await refused(path), /Only PNG/, path)
  const outside = [
    'link.png',
    'up/secret.png',
    'environ.svg',
    'passwd.pdf',
    '../secret.png',
    '../files2/beside.png',
  ]
  for (const path of [...outside, `${dir}/secret.png`, '/etc/none.png', '/dev/zero.png'])
    t.match(await refused(path), /is outside of the folder for uploads/, path)
  t.match(await refused('passwd.png'), /The file name says PNG, but the content is of another type/)
  t.match(await refused('page.svg'), /The file name says SVG, but the content is HTML/)
  t.match(await refused('Other.ttf', 'upload_font'), /The file name says TTF, but the content is PNG/)
  t.match(await refused('front.png', 'upload_font'), /Only TrueType/)
  t.strictSame(
    requests.filter((request) => !request.startsWith('GET ')),
    [],
    'nothing was sent',
  )
})

t.test(
  'without --files the working directory counts, unless it is the root of the file system',
  async (t) => {
    const { url, dir } = await served(t)
    const here = await connected(t, url, [], token, `${dir}/files`)
    t.match((await here.call('upload_asset', { path: 'front.png' })).structuredContent?.data, { width: 20 })
    t.match(await here.call('upload_asset', { path: `${dir}/front.png` }), { isError: true })
    const root = await connected(t, url, [], token, '/')
    const { content } = await root.call('upload_asset', { path: `${dir}/files/front.png` })
    t.match(content[0]?.text, /start svc-api mcp with --files DIR/)
    const run = commandIn(t, dir)
    const gone = await run(['mcp', '--files', 'nowhere'], { SVC_API_URL: url, SVC_API_TOKEN: token })
    t.match(gone, { code: 2, stderr: /there is no folder .*nowhere/ })
  },
)

t.test('an API that refuses, redirects or is not there gives a sentence to the agent', async (t) => {
  const { url } = await served(t)
  const problem = async (at: string, key?: string) => {
    const { client } = await connected(t, at, [], key)
    return client.listTools().then(
      () => 'tools',
      (error: Error) => error.message,
    )
  }
  t.match(await problem(url, 'wrong'), /token/i)
  const moved = createServer((_request, response) =>
    response.writeHead(301, { location: 'https://shop.example/' }).end(),
  )
  await new Promise<void>((listens) => moved.listen(0, '127.0.0.1', listens))
  const { port } = moved.address() as AddressInfo
  t.match(await problem(`http://127.0.0.1:${port}`), /redirects to https:\/\/shop\.example\//)
  await new Promise((closed) => moved.close(closed))
  t.match(await problem(`http://127.0.0.1:${await freePort()}`), /cannot be reached \(ECONNREFUSED\)/)
})

t.test('it ends when the client goes away', async (t) => {
  const { url } = await served(t)
  const { client, pid } = await connected(t, url)
  await client.listTools()
  await client.close()
  const isRunning = () => {
    try {
      return process.kill(Number(pid), 0)
    } catch {
      return false
    }
  }
  const end = performance.now() + 20_000
  while (isRunning() && performance.now() < end) await new Promise((over) => setTimeout(over, 50))
  t.notOk(isRunning())
})

t.test('names and numbers of arguments arrive as they were sent, whatever was sent before', async (t) => {
  const host = await served(t)
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: commandEnvironment({ SVC_API_URL: host.url, SVC_API_TOKEN: token }),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill())
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  const send = async (method: string, params: string) => {
    child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}\r\n`)
    return String((await answers.next()).value)
  }
  const hello = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`
  t.match(await send('initialize', hello), '"name":"svc-api"')
  child.stdin.write('this is no message\n')
  t.match(
    await send('tools/call', `[${'[],'.repeat(500_000)}0]`),
    /"id":null,"error":\{"code":-32600,.*500,000 values/,
  )
  const create = (options: string) =>
    send('tools/call', `{"name":"create_product","arguments":{"title":"x","options":${options}}}`)
  await create('{"size":1,"Gr\\\\u0":1,"z":1}')
  t.match(await create('{"size":12345678901234567890,"Gr\\u00f6\\u00dfe":"M","\\"":1}'), /"Größe\\?":/)
  const { options } = await host.db
    .selectFrom(host.t.products)
    .select('options')
    .where('ID', '=', 2)
    .executeTakeFirstOrThrow()
  t.equal(options, '{"size":12345678901234567890,"Größe":"M","\\"":1}')
  await host.db
    .updateTable(host.t.products)
    .set({ options: '{"size":1,"Gr\\u00f6\\u00dfe":"L","z":1}' })
    .execute()
  t.match(await send('tools/call', '{"name":"get_product","arguments":{"id":2}}'), '"Größe":"L"')
  child.stdin.end()
  t.equal((await once(child, 'exit'))[0], 0)
})
