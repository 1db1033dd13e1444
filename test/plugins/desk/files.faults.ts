// Downloads from the desk by clients that stop reading: they are disconnected, and the file is closed.
import { once } from 'node:events'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { svcDesk } from '../../../plugins/index.ts'
import { listen, rawRequest } from '../../support/hostile/raw-http.ts'
import { build } from '../../support/hosts/build.ts'
import { shortcodeOrder } from '../../support/hosts/desk.ts'

const size = 60_000_000

/** A host with a print file that exceeds what the system buffers. */
async function shop(t: Test) {
  const dir = t.testdir()
  const key = 'svc/print_files/ab/order-1.pdf'
  await mkdir(`${dir}/svc/print_files/ab`, { recursive: true })
  await writeFile(`${dir}/${key}`, '%PDF')
  await truncate(`${dir}/${key}`, size)
  const host = await build(t, {
    server: { connectionTimeout: 1000 },
    uploads: { dir, url: 'https://shop.example/uploads' },
    after: (app) => app.register(svcDesk, { prefix: '/desk', authorize: () => true }),
  })
  const id = await shortcodeOrder(host, { customer_name: 'Ada', customer_mail: 'a@b.example', views: [] })
  const details = JSON.stringify({ order_id: id, order_type: 'shortcode', item_id: null })
  const data = JSON.stringify({ local_file: `${dir}/${key}` })
  const job = { guid: 'a-job', status: 'completed', details, data }
  await host.db.insertInto(host.t.print_jobs).values(job).execute()
  return { ...host, port: await listen(host.app), id }
}

/** Waits until the server has closed the connection, for at most 20 seconds. */
async function isCut(app: Awaited<ReturnType<typeof shop>>['app']): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    const count = await new Promise((done) => app.server.getConnections((_, open) => done(open)))
    if (count === 0) return true
    await pause(100)
  }
  return false
}

async function started(t: Test, port: number, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(rawRequest('GET', path))
  await once(socket, 'readable')
  t.match(String(socket.read(12)), 'HTTP/1.1 200')
  return socket
}

t.test('a client that stops reading a file, or all files of an order, is disconnected', async (t) => {
  const { app, port, id } = await shop(t)
  for (const path of ['/desk/file?job=a-job', `/desk/files?type=shortcode&id=${id}`]) {
    await started(t, port, path)
    t.ok(await isCut(app), path)
  }
})

t.test('a client that reads steadily gets the whole file', async (t) => {
  const { port } = await shop(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(rawRequest('GET', '/desk/file?job=a-job'))
  let received = 0
  // Longer than a client may read nothing.
  for await (const chunk of socket) {
    received += chunk.length
    await pause(2)
  }
  t.ok(received > size)
})
