// The settings screen of the example host: behind a password, and on this machine only unless one was chosen.
import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { administrator } from '../../examples/host/administrator.ts'
import { start } from '../support/hosts/example-host.ts'

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
  const first = told((await start(t, cwd)).printed)
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
