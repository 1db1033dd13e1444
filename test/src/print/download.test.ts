// Fetching a print file: what arrives, and how every failure ends.
import { readdirSync, readFileSync, utimesSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:net'
import t, { type Test } from 'tap'
import { SvcError } from '../../../src/core/errors.ts'
import { downloader } from '../../../src/print/download.ts'
import { hostPort } from '../../../src/print/file-url.ts'
import { selfSigned } from '../../support/peers/self-signed.ts'
import { httpServer, httpsServer } from '../../support/peers/servers.ts'

const pdf = '%PDF-1.7\nbody'

interface Outcome {
  code: string
  body?: string
  name?: string
  message?: string
}

/** Fetches from a trusted loopback address and tells what came of it. */
async function get(
  t: Test,
  url: string,
  {
    bytes = 100_000,
    seconds = 20,
    trusted = [new URL(url).host],
    allowedHosts = undefined as string[] | undefined,
  } = {},
): Promise<Outcome> {
  const tempDir = t.testdir({})
  const { checkUrl, fetch } = downloader({
    policy: { trusted: new Set(trusted), allowedHosts, ports: [80, 443, 8080] },
    tempDir,
    limits: { bytes, seconds },
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  try {
    const { path, name } = await fetch(checkUrl(url), new AbortController().signal)
    return { code: 'fetched', body: readFileSync(path, 'latin1'), name }
  } catch (error) {
    t.same(readdirSync(tempDir), [], 'a failure leaves no file')
    if (!(error instanceof SvcError)) throw error
    return { code: error.code, message: error.message }
  }
}

async function served(
  t: Test,
  answer: RequestListener,
  options?: Parameters<typeof get>[2],
): Promise<Outcome> {
  const server = await httpServer(t, answer)
  return get(t, `${server.url}/dir/order-7.pdf`, options)
}

t.test('downloader: a file arrives with its bytes unchanged and a safe name', async (t) => {
  const bytes = `${pdf}\0\xff\r\n`
  const outcome = await served(t, (_request, response) => response.end(Buffer.from(bytes, 'latin1')))
  t.same(outcome, { code: 'fetched', body: bytes, name: 'order-7.pdf' })
})

t.test('downloader: the request carries nothing of ours and asks for no coding', async (t) => {
  let seen: Record<string, unknown> = {}
  await served(t, (request, response) => {
    seen = request.headers
    response.end(pdf)
  })
  t.equal(seen['accept-encoding'], 'identity')
  t.same(Object.keys(seen).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
})

t.test('downloader: relative redirects are followed three times, not four', async (t) => {
  const hops = (count: number) =>
    served(t, (request, response) => {
      const at = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0)
      if (at === count) response.end(pdf)
      else response.writeHead([301, 302, 303][at] ?? 308, { location: `/hop/${at + 1}` }).end()
    })
  t.equal((await hops(3)).code, 'fetched')
  t.equal((await hops(4)).code, 'svc_print_file_unavailable')
})

t.test('downloader: whatever fails between us and the file has one answer that tells nothing', async (t) => {
  const refused = createServer()
  const port = await new Promise<number>((resolve) =>
    refused.listen(0, '127.0.0.1', () => resolve((refused.address() as { port: number }).port)),
  )
  await new Promise((resolve) => refused.close(resolve))
  const { key, cert } = await selfSigned(t)
  const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  const tls = await httpsServer(t, pem, (_request, response) => response.end(pdf))
  const outcomes = {
    refused: await get(t, `http://127.0.0.1:${port}/`),
    blocked: await get(t, 'http://127.0.0.1/', { trusted: [] }),
    timeout: await served(t, () => {}, { seconds: 0.2 }),
    'certificate of its own making': await get(t, tls.url),
    'certificate of another host': await get(t, `https://other.example:${tls.port}/`),
    'reset at once': await served(t, (request) => request.socket.destroy()),
    'cut in the body': await served(t, (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write(pdf, () => response.destroy())
    }),
    'a coding': await served(t, (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(pdf),
    ),
    'a header without end': await served(t, (_request, response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`)
    }),
    'no HTTP': await served(t, (_request, response) => response.socket?.end('SSH-2.0-OpenSSH_9\r\n')),
  }
  for (const status of [201, 204, 206, 301, 304, 400, 401, 403, 404, 410, 429, 500, 503]) {
    const outcome = await served(t, (_request, response) => response.writeHead(status).end())
    t.equal(outcome.code, 'svc_print_file_unavailable', `${status}`)
  }
  const [first, ...others] = Object.entries(outcomes)
  for (const [name, outcome] of others) t.same(outcome, first?.[1], name)
  t.equal(first?.[1].code, 'svc_print_file_unavailable')
  t.same(tls.hits, [], 'no request goes to a server whose certificate is not trusted')
})

t.test('a file over the limit is refused with 413, whether its length is told or not', async (t) => {
  const over = (declared: boolean) =>
    served(
      t,
      (_request, response) => {
        response.on('error', () => {})
        if (declared) response.writeHead(200, { 'content-length': 1001 })
        response.write(pdf.padEnd(1001))
      },
      { bytes: 1000 },
    )
  t.equal((await over(true)).code, 'svc_print_file_too_large')
  t.equal((await over(false)).code, 'svc_print_file_too_large')
  const exact = await served(t, (_request, response) => response.end(pdf.padEnd(1000)), { bytes: 1000 })
  t.equal(exact.code, 'fetched')
})

t.test('downloader: a body that trickles ends with the time for the whole', async (t) => {
  const outcome = await served(
    t,
    (_request, response) => {
      response.write(pdf)
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    },
    { seconds: 0.4 },
  )
  t.equal(outcome.code, 'svc_print_file_unavailable')
})

t.test('what is no print file is refused for its content, whatever it calls itself', async (t) => {
  for (const body of ['', '<html></html>', '<?php system($_GET[0]);', 'GIF89a', 'MZ\0']) {
    const outcome = await served(t, (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/pdf',
          'content-disposition': 'attachment; filename="../../x.pdf"',
        })
        .end(body),
    )
    t.equal(outcome.code, 'svc_print_file_rejected', JSON.stringify(body))
  }
})

t.test('downloader: a proxy of the environment is not asked', async (t) => {
  const proxy = await httpServer(t, (_request, response) => response.end('%PDF-proxy'))
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  const before = names.map((name) => [name, process.env[name]] as const)
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  for (const name of names) process.env[name] = name.startsWith('NODE') ? '1' : proxy.url
  t.equal((await served(t, (_request, response) => response.end(pdf))).body, pdf)
  t.same(proxy.hits, [])
})

t.test('downloader: with a list of hosts, only those are asked', async (t) => {
  const allowedHosts = ['*.router.example', 'Files.example']
  const code = async (host: string) => (await get(t, `http://${host}/x`, { trusted: [], allowedHosts })).code
  for (const host of [
    'evilrouter.example',
    'router.example.evil',
    'router.example',
    'a.router.example.evil',
    'x.files.example',
    '.router.example',
  ]) {
    t.equal(await code(host), 'svc_print_file_url_refused', host)
  }
  for (const host of ['a.router.example', 'A.B.Router.Example', 'files.example', 'files.example.']) {
    t.equal(await code(host), 'svc_print_file_unavailable', `${host} passes the list`)
  }
})

t.test('downloader: a stop from outside ends a download', async (t) => {
  const stop = new AbortController()
  const server = await httpServer(t, () => stop.abort())
  const { checkUrl, fetch } = downloader({
    policy: { trusted: new Set([server.pair]), allowedHosts: undefined, ports: [] },
    tempDir: t.testdir({}),
    limits: { bytes: 1000, seconds: 60 },
  })
  await t.rejects(fetch(checkUrl(server.url), stop.signal), { code: 'svc_print_file_unavailable' })
})

t.test('downloader: what a killed process left is swept once nobody can be writing it', async (t) => {
  const tempDir = t.testdir({ 'svc-print-old': 'x', 'svc-print-young': 'x', 'another-old': 'x' })
  const old = new Date(Date.now() - 500_000)
  for (const name of ['svc-print-old', 'another-old']) utimesSync(`${tempDir}/${name}`, old, old)
  const policy = { trusted: new Set<string>(), allowedHosts: undefined, ports: [] }
  await downloader({ policy, tempDir, limits: { bytes: 1, seconds: 300 } }).sweep()
  t.same(readdirSync(tempDir).sort(), ['another-old', 'svc-print-young'])
})

t.test('downloader: a trusted pair is a host and a port and nothing more', async (t) => {
  t.equal(hostPort('Router.Internal:9000'), 'router.internal:9000')
  t.equal(hostPort('[::1]:80'), '::1:80')
  for (const pair of [
    'router',
    'http://router:80',
    'router:80/x',
    'a:b@c:80',
    ':80',
    'router:99999',
    '*:80 ',
  ]) {
    t.throws(() => hostPort(pair), /must be a pair/, pair)
  }
})
