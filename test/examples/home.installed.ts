// The first page of the example host: what it shows, and what it never shows.
import { connect } from 'node:net'
import t from 'tap'
import { banner } from '../../examples/host/banner.ts'
import { readEnvironment } from '../../examples/host/environment.ts'
import { start, tokenIn } from '../support/hosts/example-host.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'

t.test('it says what works, shows the demo, and leads to pages that are there', async (t) => {
  const running = await start(t, t.testdir({}))
  const response = await running.get('/')
  const text = await response.text()
  t.equal(response.status, 200)
  t.match(response.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/)
  for (const part of ['Database</strong> responds', 'can be written', 'Renderer</strong> draws'])
    t.match(text, part)
  t.match(text, 'Classic T-Shirt')
  t.match(text, '<link rel="icon" href="favicon.ico">')
  t.equal((await running.get('/favicon.ico')).headers.get('content-type'), 'image/svg+xml')
  const own = [...text.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)].map(([, path]) => path)
  t.ok(own.length > 10)
  for (const path of own as string[]) {
    const { status } = await running.get(`/${path}`)
    t.equal(status, /^(settings|desk)$/.test(path) ? 401 : 200, path)
  }
})

t.test('it never holds the token, and its commands work without', async (t) => {
  const running = await start(t, t.testdir({}), { SVC_RENDERER: '0' })
  const text = await (await running.get('/')).text()
  const token = tokenIn(running) ?? ''
  t.equal(token.length, 64)
  t.notMatch(text, token)
  t.match(text, 'Renderer</strong> is off')
  const [, line = ''] = /<textarea[^>]*>([^<]+)</.exec(text) ?? []
  const command = line.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  t.equal(JSON.parse(await running.shell(`${command} -s`)).data.length, 8)
})

t.test('whoever pipelines hundreds of requests for it is disconnected', async (t) => {
  const running = await start(t, t.testdir({}), { SVC_DEMO: '0' })
  const { port, hostname } = new URL((await running.get('/')).url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(300))
  let received = ''
  for await (const part of socket) received += part
  t.ok(received.split('HTTP/1.1 200').length < 100)
})

t.test('a product that cannot be drawn does not make the renderer look broken', async (t) => {
  const running = await start(t, t.testdir({}), { SVC_DEMO: '0' })
  const authorization = `Bearer ${tokenIn(running)}`
  const post = (path: string, body: object) =>
    running.get(`/wp-json/svc/v1${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const { data } = await (await post('/products', { title: 'Mug' })).json()
  const view = viewWith(textElement('Ahoy', { fontFamily: 'Lobster' }))
  t.equal((await post(`/products/${data.id}/views`, view)).status, 201)
  t.match(await (await running.get('/')).text(), 'Renderer</strong> draws')
})

t.test('without a demo it says how to get one, and shows nothing of the shop', async (t) => {
  const running = await start(t, t.testdir({}), { SVC_DEMO: '0' })
  const text = await (await running.get('/')).text()
  t.match(text, 'SVC_DEMO=1')
  t.notMatch(text, '<img')
})

t.test(
  'the banner names the page to open first, and the token only where the host is for this machine',
  async (t) => {
    const token = 'ab'.repeat(32)
    const shown = (HOST: string) =>
      banner(
        {
          env: readEnvironment({ HOST }),
          own: 'http://host.example:3000',
          api: '/wp-json/svc/v1',
          uploadsUrl: '/uploads',
          token,
          admin: { user: 'admin', password: 'secret' },
          hasRenderer: true,
        },
        1,
      )
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) t.match(shown(host), token, host)
    for (const host of ['0.0.0.0', '::', '192.0.2.7', 'localhost.example']) {
      t.notMatch(shown(host), token, host)
      t.match(shown(host), /^curl -H "Authorization: Bearer \$\(/m)
    }
    t.match(shown('127.0.0.1'), /^Open first +http:\/\/host\.example:3000\/$/m)
  },
)
