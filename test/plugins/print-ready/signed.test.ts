// Signed notifications: which count, and for which job.
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { printReadySettings } from '../../../src/print/options.ts'
import { printHost } from '../../support/hosts/print.ts'

t.test('with a secret only a rightly signed notification counts', async (t) => {
  const key = randomBytes(24)
  const host = await printHost(t, { printReady: { secret: `whsec_${key.toString('base64')}` } })
  const now = Math.floor(Date.now() / 1000)
  const { guid } = await host.newJob()
  const payload = JSON.stringify({ print_job_id: guid, file_url: `${host.router.url}/x.pdf` })
  const sign = (body: string, time: number, by = key) =>
    `v1,${createHmac('sha256', by).update(`msg_1.${time}.${body}`).digest('base64')}`
  const send = (
    signature: string | undefined,
    { time = now, body = payload, id = 'msg_1', query = '' } = {},
  ) =>
    host.notify(guid, body, {
      query,
      headers: {
        'content-type': 'application/json',
        ...(id && { 'webhook-id': id }),
        'webhook-timestamp': String(time),
        ...(signature === undefined ? {} : { 'webhook-signature': signature }),
      },
    })
  const bad = {
    missing: await send(undefined),
    empty: await send(''),
    wrong: await send(sign(payload, now, randomBytes(24))),
    'no version': await send(sign(payload, now).slice(3)),
    'another version': await send(sign(payload, now).replace('v1,', 'v2,')),
    'six minutes old': await send(sign(payload, now - 360), { time: now - 360 }),
    'six minutes ahead': await send(sign(payload, now + 360), { time: now + 360 }),
    'another time': await send(sign(payload, now), { time: now - 1 }),
    'another id': await send(sign(payload, now), { id: 'msg_2' }),
    'body changed by one byte': await send(sign(payload, now), { body: payload.replace('x.pdf', 'y.pdf') }),
    'header twice': await sendTwice(host.app, guid, payload, now, sign(payload, now)),
  }
  for (const [name, answer] of Object.entries(bad)) {
    t.match(answer, { status: 401, body: { code: 'svc_webhook_signature_invalid' } }, name)
  }
  t.equal(
    (await send(sign('{}', now), { body: '{}', query: `?file_url=${host.router.url}` })).status,
    400,
    'the query is not signed',
  )
  t.same(host.router.hits, [])
  const two = `${sign(payload, now, randomBytes(24))} ${sign(payload, now)}`
  t.equal((await send(two)).status, 200, 'two signatures with one good')
})

/** Over a socket, since only there a header can stand twice. */
async function sendTwice(app: FastifyInstance, guid: string, body: string, time: number, signature: string) {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const call = request(`${address}/wp-json/svc-export/v1.0/print_job/${guid}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': [signature, signature],
    },
  }).end(body)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: await json(response) }
}

t.test('a signed notification counts for the job alone that its body and its path name', async (t) => {
  const key = randomBytes(24)
  const host = await printHost(t, { printReady: { secret: `whsec_${key.toString('base64')}` } })
  const [mine, another] = [await host.newJob(), await host.newJob()]
  const file_url = `${host.router.url}/x.pdf`
  const send = (guid: string, said: object) => {
    const body = JSON.stringify(said)
    const time = String(Math.floor(Date.now() / 1000))
    const digest = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${digest}`,
    }
    return host.notify(guid, body, { headers, query: `?print_job_id=${guid}` })
  }
  t.match(await send(another.guid, { file_url }), {
    status: 400,
    body: { code: 'rest_missing_callback_param', data: { params: ['print_job_id'] } },
  })
  t.match(await send(another.guid, { print_job_id: mine.guid, file_url }), {
    status: 400,
    body: { data: { params: { print_job_id: 'must be the GUID that the path names' } } },
  })
  t.same(host.router.hits, [])
  t.equal((await host.job(another.guid)).status, 'pending')
  t.equal((await send(mine.guid, { print_job_id: mine.guid, file_url })).status, 200)
})

t.test('a body that is no UTF-8, or a time that is no number, is not signed', async (t) => {
  const key = randomBytes(24)
  const host = await printHost(t, { printReady: { secret: key.toString('base64') } })
  const { guid } = await host.newJob()
  const send = (body: Buffer, signedAs: string, time: string) => {
    const digest = createHmac('sha256', key).update(signedAs).digest('base64')
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'm',
      'webhook-timestamp': time,
      'webhook-signature': `v1,${digest}`,
    }
    return host.notify(guid, body, { headers })
  }
  const now = Math.floor(Date.now() / 1000)
  const said = JSON.stringify({ print_job_id: guid, file_url: `${host.router.url}/x.pdf`, note: '\ufffd' })
  const broken = Buffer.from(said.replace('\ufffd', '\xff'), 'latin1')
  t.equal((await send(broken, `m.${now}.${said}`, String(now))).status, 401)
  t.equal((await send(Buffer.from(said), `m.${now}.${said}`, `${now} apples`)).status, 401)
  t.equal((await send(Buffer.from(said), `m.${now}.${said}`, String(now))).status, 200)
})

t.test('a secret that is too short or not base64 ends the start with a sentence', async (t) => {
  for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_this is no base64 of any kind!', 'short']) {
    t.throws(() => printReadySettings({ secret }), /printReady\.secret: must be "whsec_"/, secret)
  }
  for (const secret of ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
    t.ok(printReadySettings({ secret }).secret)
  }
})
