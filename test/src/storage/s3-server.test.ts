// Servers that speak S3 badly: what they send and how long they take is limited.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { s3Times } from '../../../src/storage/s3-client.ts'
import { type S3Settings, s3Storage } from '../../../src/storage/s3-files.ts'
import { httpServer } from '../../support/peers/servers.ts'

async function storageAt(t: Test, respond: RequestListener, settings: Partial<S3Settings> = {}) {
  const sockets = new Set<Socket>()
  const { url: endpoint } = await httpServer(t, (request, response) => {
    sockets.add(request.socket)
    respond(request, response)
  })
  const access = { region: 'us-east-1', accessKeyId: 'AK', secretAccessKey: 'SK' }
  const storage = s3Storage({ ...access, bucket: 'shop', root: '', endpoint, ...settings })
  t.teardown(() => storage.close())
  /** Resolves when no connection is left. */
  const unconnected = () => Promise.all([...sockets].map((socket) => socket.closed || once(socket, 'close')))
  return { storage, unconnected }
}

const chunk = 'A'.repeat(64 * 1024)

t.test('s3Storage: an error without end is read as far as 8 MiB', async (t) => {
  let sent = 0
  const { storage } = await storageAt(t, (request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/xml' }).write('<Error><Code>')
    const more = () => {
      if (response.destroyed || sent > 128 * 1024 * 1024) return void response.destroy()
      sent += chunk.length
      if (response.write(chunk)) setImmediate(more)
      else response.once('drain', more)
    }
    more()
  })
  await t.rejects(storage.put('svc/uploads/a.png', Buffer.from('a')), {
    message: 'S3 failed: its response is too long.',
  })
  const keys = storage.keys('svc/uploads')[Symbol.asyncIterator]()
  await t.rejects(keys.next(), { name: 'StorageFailure' })
  t.ok(sent < 64 * 1024 * 1024, `${sent} bytes`)
})

t.test('a file that nobody waits for any more keeps no connection, and is not sent again', async (t) => {
  const stop = new AbortController()
  let requests = 0
  const { storage, unconnected } = await storageAt(t, (request) => {
    requests++
    request.resume().once('end', () => stop.abort())
  })
  const putting = storage.put('svc/uploads/a.png', Buffer.from('a'), { signal: stop.signal })
  await t.rejects(putting, { name: 'StorageFailure' })
  await unconnected()
  t.equal(requests, 1)
})

t.test('s3Storage: a server that falls silent keeps no connection', async (t) => {
  const { idle } = s3Times
  s3Times.idle = 200
  t.teardown(() => Object.assign(s3Times, { idle }))
  const { storage, unconnected } = await storageAt(t, (request) => void request.resume())
  await t.rejects(storage.put('svc/uploads/a.png', Buffer.from('a')), { name: 'StorageFailure' })
  await unconnected()
})

t.test(
  's3Storage: put: each object is sent with the canned ACL, also in parts; without one, none is sent',
  async (t) => {
    for (const acl of ['public-read', undefined] as const) {
      const sent: unknown[] = []
      const respond: RequestListener = (request, response) => {
        if (request.method === 'POST' || !request.url?.includes('uploadId'))
          sent.push(request.headers['x-amz-acl'])
        const upload = '<R><Bucket>shop</Bucket><Key>k</Key><UploadId>1</UploadId><ETag>"e"</ETag></R>'
        request.resume().once('end', () => response.writeHead(200, { etag: '"e"' }).end(upload))
      }
      const { storage } = await storageAt(t, respond, { acl })
      await storage.put('svc/uploads/a.png', Buffer.from('a'))
      await storage.put('svc/uploads/b.png', Buffer.alloc(9 * 1024 * 1024))
      // The object, the start of the parts, and their end, which needs none.
      t.same(sent, [acl, acl, undefined])
    }
  },
)
