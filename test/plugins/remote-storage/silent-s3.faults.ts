// An S3 that accepts requests and never completes its responses: each wait ends in time, and the response names the storage.
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { upload } from '../../support/hosts/form.ts'
import { printHost } from '../../support/hosts/print.ts'
import { deleteAsset, saveRows } from '../../support/hosts/remote-shop.ts'
import { rawServer } from '../../support/peers/servers.ts'

/** Milliseconds in which a request must be answered: its own limit, that of the removal of what was stored, and a busy machine. */
const inTime = 30_000
const keys = { svc_ae_s3_access_key: 'AK', svc_ae_s3_access_secret: 'SK', svc_ae_s3_region: 'us-east-1' }

/** Writes a character every second, for ever. */
function drip(socket: Socket, first: string) {
  socket.write(first)
  const timer = setInterval(() => socket.write('x'), 1000)
  socket.on('close', () => clearInterval(timer))
}

/** What it does instead of a response. */
const silences: Record<string, (socket: Socket) => void> = {
  'nothing is sent': () => {},
  'it stops within the head': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-le'),
  'it stops after the head': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'),
  'the head drips': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-name: '),
  'the body drips': (socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'),
  'an error drips': (socket) => drip(socket, 'HTTP/1.1 500 x\r\ncontent-length: 100000\r\n\r\n<Error><Code>'),
}

/** A shop with one asset in an S3, which then falls silent in this manner. */
async function silentShop(t: Test, silence: (socket: Socket) => void) {
  let isSilent = false
  const server = await rawServer(t, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      if (!/HTTP\/1\.1\r\n/.test(chunk.toString('latin1'))) return
      if (isSilent) silence(socket)
      else socket.write('HTTP/1.1 200 OK\r\netag: "e"\r\ncontent-length: 0\r\n\r\n')
    })
  })
  const host = await printHost(t, { storage: { s3: { endpoint: `http://${server.pair}` } } })
  await saveRows(host, { ...keys, svc_ae_cloud: 's3', svc_ae_s3_bucket: 'shop' })
  const { key } = (await upload(host, '/assets', 'a.png', png())).body.data
  isSilent = true
  return { host, key, server }
}

const timed = async <T>(t: Test, name: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const result = await work()
  const milliseconds = Math.round(performance.now() - started)
  t.ok(milliseconds < inTime, `${name}: ${milliseconds} ms`)
  return result
}

t.setTimeout(180_000)
t.jobs = Object.keys(silences).length
for (const [name, silence] of Object.entries(silences))
  t.test(
    `POST /assets, DELETE /assets/{key}, print to S3: ${name}: 502 in time`,
    { buffered: true },
    async (t) => {
      const { host, key, server } = await silentShop(t, silence)
      const failed = { status: 502, body: { code: 'svc_storage_unavailable', message: /file storage/ } }
      const { guid } = await host.newJob()
      const [added, deleted, printed] = await Promise.all([
        timed(t, 'POST', () => upload(host, '/assets', 'b.png', png())),
        timed(t, 'DELETE', () => deleteAsset(host, key)),
        timed(t, 'print', () => host.notify(guid)),
      ])
      for (const response of [added, deleted, printed]) t.match(response, failed)
      t.match(await host.call('GET', '/assets'), { body: { data: [{ key }], meta: { total: 1 } } })
      t.match(await host.job(guid), { file_url: null, error: { code: 'svc_storage_unavailable' } })
      t.ok(server.open.size < 20, `${server.open.size} connections`)
    },
  )
