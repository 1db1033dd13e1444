// The settings screen of the example host: behind a password, and on this machine only unless one was chosen.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { administrator } from '../../examples/host/administrator.ts'
import { start, stop } from '../support/hosts/example-host.ts'

const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
})

interface Told {
  url: string
  password: string
}

function told(printed: string): Told {
  const [, url = '', password = ''] = /^Settings +(\S+), user admin, password (.+)$/m.exec(printed) ?? []
  return { url, password }
}

t.test('each start prints a new password, with which alone the settings are open', async (t) => {
  const cwd = t.testdir({})
  const running = await start(t, cwd)
  const first = told(running.printed)
  t.match(first.password, /^[\w-]{16}$/)
  const asked = await fetch(`${first.url}/api`)
  t.strictSame(
    [asked.status, asked.headers.get('www-authenticate')],
    [401, 'Basic realm="Settings", charset="UTF-8"'],
  )
  for (const wrong of ['', 'x', `${first.password}x`, first.password.toUpperCase()])
    t.equal((await fetch(`${first.url}/api`, { headers: basic(wrong) })).status, 401, wrong)
  const open = await fetch(first.url, { headers: basic(first.password) })
  t.strictSame([open.status, new URL(open.url).pathname], [200, '/settings/general'])
  await stop(running, 'SIGTERM')
  const second = told((await start(t, cwd)).printed)
  t.not(second.password, first.password)
})

t.test('a password of the environment is taken and not printed; a short one ends the start', async (t) => {
  const password = 'correct horse, battery ✓'
  const running = await start(t, t.testdir({}), { SVC_ADMIN_PASSWORD: password })
  t.notMatch(running.printed, password)
  const { url } = told(running.printed)
  t.equal((await fetch(`${url}/api`, { headers: basic(password) })).status, 200)
  await t.rejects(
    start(t, t.testdir({}), { SVC_ADMIN_PASSWORD: 'short' }),
    /SVC_ADMIN_PASSWORD must have at least 12/,
  )
})

t.test('from other machines only a password that was chosen opens the settings', async (t) => {
  const password = 'a password of my own'
  for (const given of [undefined, password]) {
    const admin = administrator(given)
    const from = (ip: string, secret = admin.password) =>
      admin.authorize({ ip, headers: basic(secret) } as FastifyRequest, {} as FastifyReply)
    for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) t.equal(from(ip), 'admin', ip)
    for (const ip of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '1270.0.0.1'])
      t.equal(from(ip), given === undefined ? false : 'admin', ip)
    t.throws(
      () => from('127.0.0.1', 'wrong'),
      Object.assign(new Error(), { message: /log in/, statusCode: 401 }),
    )
  }
})

t.test('SVC_AUDIT and SVC_WEBHOOK_URL add the pages of changes and deliveries to the desk', async (t) => {
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()))
  t.teardown(() => receiver.close())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const delivered = once(receiver, 'request')
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const running = await start(t, t.testdir({}), {
    SVC_AUDIT: '1',
    SVC_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    SVC_WEBHOOK_SECRET: secret,
  })
  const headers = basic(told(running.printed).password)
  const page = async (path: string) => (await running.get(`/desk/${path}`, { headers })).text()
  t.match(await page('audit'), /create_product/)
  t.match(await page('orders'), /href="deliveries"/)
  await delivered
  await t.rejects(
    start(t, t.testdir({}), { SVC_WEBHOOK_URL: `http://127.0.0.1:${port}/` }),
    /SVC_WEBHOOK_SECRET must be set beside SVC_WEBHOOK_URL/,
  )
})
