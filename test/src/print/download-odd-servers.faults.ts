// Whatever a server of print files does, a download is over by its deadline and leaves nothing behind.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { downloader } from '../../../src/print/download.ts'
import { behave, chunksOfOneByte, type OddServer, oddServers } from '../../support/hostile/odd-servers.ts'
import { rawServer } from '../../support/peers/servers.ts'

/** Seconds that a download may take, and milliseconds after which a test calls it hung. */
const cap = 1
const ceiling = 15_000

/** Fetches from such a server, and tells what came of it. */
async function outcomeOf(t: Test, name: string, odd: OddServer, limits = { bytes: 100_000, seconds: cap }) {
  const server = await rawServer(t, (socket) => behave(socket, odd))
  const tempDir = await mkdtemp(join(tmpdir(), 'svc-test-'))
  t.teardown(() => rm(tempDir, { recursive: true }))
  const { checkUrl, fetch, discard } = downloader({
    policy: { trusted: new Set([server.pair]), allowedHosts: undefined, ports: [] },
    tempDir,
    limits,
  })
  const url = odd.tls ? server.url.replace('http:', 'https:') : server.url
  const outcome = await Promise.race([
    fetch(checkUrl(url), new AbortController().signal).then(
      async (file) => {
        await discard(file)
        return 'fetched'
      },
      (error) => String(error.code),
    ),
    delay(ceiling, 'hangs', { ref: false }),
  ])
  t.same(await readdir(tempDir), [], `${name}: no file is left`)
  const deadline = performance.now() + ceiling
  for (const socket of server.open) socket.resume()
  while (server.open.size > 0 && performance.now() < deadline) await delay(10)
  t.equal(server.open.size, 0, `${name}: the connection is closed from our side`)
  return outcome
}

t.test('whatever the server does, the download settles and leaves no socket and no file', async (t) => {
  const servers = Object.entries(oddServers)
  await Promise.all(
    servers.map(async ([name, odd]) => {
      const outcome = await outcomeOf(t, name, odd)
      t.ok([...(odd.or ?? []), 'svc_print_file_unavailable'].includes(outcome), `${name}: ${outcome}`)
    }),
  )
  t.ok(servers.length > 60, `${servers.length} servers`)
})

t.test('a body that is mostly framing of chunks is given up long before its deadline', async (t) => {
  const limits = { bytes: 100_000_000, seconds: 60 }
  const started = performance.now()
  t.equal(await outcomeOf(t, 'chunks of one byte', chunksOfOneByte, limits), 'svc_print_file_unavailable')
  t.ok(performance.now() - started < ceiling)
})

t.test('downloader: a small file in chunks of one byte is taken', async (t) => {
  const body = `%PDF-1.7\n${'x'.repeat(10_000)}`
  const odd: OddServer = {
    do: (socket) => {
      const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
    },
  }
  t.equal(await outcomeOf(t, 'a small file', odd), 'fetched')
})
