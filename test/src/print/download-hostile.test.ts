// What a stranger may write as file_url, and what must then not happen: no look-up, no connection, no file.
import { readdirSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Lookup } from '../../../src/outbound/guarded-request.ts'
import { downloader } from '../../../src/print/download.ts'
import { httpServer, tripwire } from '../../support/peers/servers.ts'

/** A downloader whose ports are those of the tripwire, so that only the address can be what stops it. */
function guarded(
  t: Test,
  port: number,
  { trusted = [], lookup }: { trusted?: string[]; lookup?: Lookup } = {},
) {
  const lookups: string[] = []
  const tempDir = t.testdir({})
  const policy = { trusted: new Set(trusted), allowedHosts: undefined, ports: [80, 443, 8080, port] }
  const { checkUrl, fetch, discard } = downloader({
    policy,
    tempDir,
    limits: { bytes: 1000, seconds: 20 },
    lookup: async (host) => {
      lookups.push(host)
      return lookup ? lookup(host) : []
    },
  })
  const code = async (text: string): Promise<string> => {
    try {
      await discard(await fetch(checkUrl(text), new AbortController().signal))
      return 'fetched'
    } catch (error) {
      return String(Reflect.get(Object(error), 'code'))
    } finally {
      t.same(readdirSync(tempDir), [], `nothing is left of ${text.slice(0, 80)}`)
    }
  }
  return { code, lookups }
}

t.test('downloader: an address of another form is refused before any look-up', async (t) => {
  const wire = await tripwire(t)
  const { code, lookups } = guarded(t, wire.port)
  const host = `router.example:${wire.port}`
  const texts = [
    '',
    ' ',
    'x',
    '/etc/passwd',
    'file:///etc/passwd',
    'file://localhost/x',
    'ftp://a/x',
    'gopher://a:70/_x',
    'data:,x',
    'javascript:1',
    'blob:http://a/x',
    'http:',
    'http:/',
    'http://',
    'http:///x',
    'http:x',
    'http:/x',
    '//a/x',
    'http:\\\\a\\x',
    'http://a\\@b/',
    'https://?x',
    'http://#x',
    'http://@/',
    'ws://a/',
    'jar:http://a!/',
    `http://user:pass@${host}/x`,
    `http://user@${host}/`,
    `http://:p@${host}/`,
    `http://a b/`,
    `http://a\t/x`,
    '\nhttp://a/',
    ' http://a/',
    'http://a/\r\nX: y',
    'http://a\0/',
    `http://a/${'x'.repeat(5000)}`,
    ...[22, 25, 3306, 6379, 0, 65_536, 81, 8443, 99_999].map((port) => `http://router.example:${port}/`),
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'http://1.2.3.4.5:x/',
    'http://256.1.1.1/',
    'http://a:-1/',
  ]
  for (const text of texts) t.equal(await code(text), 'svc_print_file_url_refused', JSON.stringify(text))
  t.same(lookups, [])
  t.equal(wire.seen.connections, 0)
  t.comment(`${texts.length} forms, ${wire.seen.connections} connections`)
})

t.test('downloader: no spelling of an inner address is dialled', async (t) => {
  const wire = await tripwire(t)
  const { code, lookups } = guarded(t, wire.port)
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.0.0.1.',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127．0．0．1',
    '%31%32%37.0.0.1',
    '%31%32%37%2e0%2e0%2e1',
    '0',
    '0.0.0.0',
    '127.255.255.254',
    '0x0',
    '00000177.0.0.1',
    '４.0.0.0'.replace('４', '10'),
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000::0001]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:7F00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::7f00:1]',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[2001::7f00:1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2606:4700::5efe:7f00:1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.88.99.1',
  ]
  for (const host of hosts) {
    t.equal(await code(`http://${host}:${wire.port}/x`), 'svc_print_file_unavailable', host)
    t.equal(await code(`https://${host}:${wire.port}/x`), 'svc_print_file_unavailable', `https ${host}`)
  }
  t.same(lookups, [], 'an address that stands in the URL needs no look-up')
  t.equal(wire.seen.connections, 0)
  t.comment(`${hosts.length * 2} spellings, ${wire.seen.connections} connections`)
})

t.test('a name that leads inside is not dialled, not even when it leads outside as well', async (t) => {
  const wire = await tripwire(t)
  const responses: Record<string, string[]> = {
    'inner.example': ['127.0.0.1'],
    'inner6.example': ['::1'],
    'mapped.example': ['::ffff:127.0.0.1'],
    'zone.example': ['fe80::1%lo'],
    'mixed.example': ['1.1.1.1', '127.0.0.1'],
    'mixed6.example': ['2606:4700::1111', '::1'],
    'odd.example': ['localhost'],
    'none.example': [],
  }
  const { code, lookups } = guarded(t, wire.port, {
    lookup: async (host) =>
      (responses[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })
  const names = [
    ...Object.keys(responses),
    'INNER.example',
    'inner.example.',
    'localhost',
    'localhost.localdomain',
  ]
  for (const name of names)
    t.equal(await code(`http://${name}:${wire.port}/`), 'svc_print_file_unavailable', name)
  t.equal(lookups.length, names.length)
  t.equal(wire.seen.connections, 0)
})

t.test('a name that changes its mind is looked up once, and that answer is the one dialled', async (t) => {
  const server = await httpServer(t, (_request, response) => response.end('%PDF-1.7'))
  let asked = 0
  const { code } = guarded(t, server.port, {
    trusted: [`rebind.example:${server.port}`],
    lookup: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
  })
  t.equal(await code(`http://rebind.example:${server.port}/`), 'fetched')
  t.equal(asked, 1)
  t.equal(server.hits.length, 1)
})

t.test('downloader: a redirect is followed by the same rules', async (t) => {
  const wire = await tripwire(t)
  const targets = [
    `http://127.0.0.1:${wire.port}/`,
    `http://[::1]:${wire.port}/`,
    `http://localhost:${wire.port}/`,
    `//0.0.0.0:${wire.port}/`,
    `http://2130706433:${wire.port}/`,
    `https://127.0.0.1:${wire.port}/`,
    `http://a:b@127.0.0.1:${wire.port}/`,
    'file:///etc/passwd',
    'data:,x',
    'gopher://127.0.0.1:70/',
    'http://router.example:22/',
    'http://[bad',
    '/loop',
    '',
    'loop',
  ]
  const server = await httpServer(t, (request, response) => {
    const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('to'))
    const location = request.url?.startsWith('/loop') ? '/loop' : (targets[at] ?? '')
    response.writeHead(302, { location }).end()
  })
  const { code } = guarded(t, wire.port, {
    trusted: [server.pair],
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  })
  for (const [at, target] of targets.entries()) {
    t.equal(await code(`${server.url}/?to=${at}`), 'svc_print_file_unavailable', target)
  }
  t.equal(wire.seen.connections, 0)
  t.ok(server.hits.length <= targets.length + 3 * 3, 'a circle ends after three redirects')
})

t.test('downloader: two places in one redirect are refused', async (t) => {
  const server = await httpServer(t, (request, response) => {
    if (request.url === '/file') response.end('%PDF-1.7')
    else response.writeHead(302, ['Location', '/file', 'Location', '/file']).end()
  })
  const { code } = guarded(t, 80, { trusted: [server.pair] })
  t.equal(await code(server.url), 'svc_print_file_unavailable')
  t.same(server.hits, ['/'])
})
