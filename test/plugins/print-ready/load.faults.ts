// The webhook under strangers who want to wear it out: what a body costs, and how many requests are in flight.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { listen } from '../../support/hostile/raw-http.ts'
import { printHost } from '../../support/hosts/print.ts'

const json = { 'content-type': 'application/json' }
const most = 64

t.test('a body costs no more for the length of a number in it', async (t) => {
  const host = await printHost(t)
  const body = (number: string) => `{"file_url":"http://x.example/","n":[${'7,'.repeat(30_000)}${number}]}`
  const cost = async (text: string) => {
    const before = process.cpuUsage()
    for (let i = 0; i < 40; i++) t.equal((await host.notify('none', text, { headers: json })).status, 404)
    return process.cpuUsage(before).user
  }
  await cost(body('7'))
  // In turns, and all of them count: what else the machine does falls upon both.
  let [short, long] = [0, 0]
  for (let round = 0; round < 3; round++) {
    short += await cost(body('7'))
    long += await cost(body('7'.repeat(20)))
  }
  const ratio = long / short
  t.ok(ratio <= 3, `${ratio.toFixed(1)} times`)
})

t.test('deep nesting and other members are of no interest', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const file_url = JSON.stringify(`${host.router.url}/x.pdf`)
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const body = `\ufeff{"file_url":${file_url},"n":1e999,"deep":${deep},"__proto__":{"print_job_id":"x"}}`
  t.equal((await host.notify(guid, body, { headers: json })).status, 200)
  const names = '{"\\u0061":'.repeat(4000)
  const escaped = `{"file_url":${file_url},"deep":${names}1${'}'.repeat(4001)}`
  t.match(await host.notify(guid, escaped, { headers: json }), { status: 200 })
  for (const other of ['null', '[]', '"x"', '7'])
    t.match(await host.notify(guid, other, { headers: json, query: `?file_url=${host.router.url}/x.pdf` }), {
      status: 400,
      body: { message: /must be a JSON object/ },
    })
  t.match(await host.notify(guid, Buffer.from('{"file_url":"\xff"}', 'latin1'), { headers: json }), {
    status: 400,
    body: { code: 'rest_invalid_json' },
  })
})

t.test('requests that are still being sent give way to new ones, and all others go on', async (t) => {
  const host = await printHost(t)
  const port = await listen(host.app)
  const { guid } = await host.newJob()
  // One after the other more than may be in flight at once.
  for (let i = 0; i <= most; i++) t.equal((await host.notify('none')).status, 404)
  const head = `POST /wp-json/svc-export/v1.0/print_job/${guid} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{`
  const sockets: Socket[] = Array.from({ length: most + 1 }, () => connect(port, '127.0.0.1'))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  // One more than there is room for: when one gets its response, all others are in flight.
  const one = Promise.race(sockets.map((socket) => once(socket, 'data')))
  for (const socket of sockets) socket.write(head)
  const refused = String(await one)
  t.match(refused, /^HTTP\/1.1 503 [\s\S]*retry-after: \d[\s\S]*Too many notifications/i)
  t.equal((await host.notify(guid, { file_url: 'ftp://x/' })).status, 422)
  t.equal((await host.call('GET', '/print-jobs')).status, 200)
  t.equal((await host.notify(guid)).status, 200)
})

t.test('work that goes on after its notifier hung up still counts', async (t) => {
  const host = await printHost(t, { printReady: { downloads: 1000 } }, () => {})
  const port = await listen(host.app)
  const jobs = await Promise.all(Array.from({ length: most }, () => host.newJob()))
  const body = JSON.stringify({ file_url: `${host.router.url}/x.pdf` })
  const sockets = jobs.map(({ guid }) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /wp-json/svc-export/v1.0/print_job/${guid} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    return socket
  })
  while (host.router.hits.length < most) await new Promise(setImmediate)
  const closed = sockets.map((socket) => new Promise((resolve) => socket.on('close', resolve).destroy()))
  await Promise.all(closed)
  const late = await host.notify('none')
  t.match(late, { status: 503, body: { code: 'svc_unavailable', message: /Too many notifications/ } })
  t.ok(Number(late.headers['retry-after']) > 0)
})
