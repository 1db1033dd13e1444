// Requests to the provider: what can be tried again, what is final, what is bounded, and what is never told.
import { inspect } from 'node:util'
import t, { type Test } from 'tap'
import { printfulApi } from '../../../../src/print/providers/printful-api.ts'
import { ProviderRefused, ProviderUnavailable } from '../../../../src/print/providers/provider.ts'
import { type Fault, printful, status, token } from '../../../support/peers/printful.ts'
import { rawServer, silentServer } from '../../../support/peers/servers.ts'

const path = '/orders/@17'

async function make(t: Test, signal = new AbortController().signal) {
  const remote = await printful(t)
  return { remote, api: printfulApi({ url: remote.url, token, signal }) }
}

t.test('printfulApi: an order that is not there is undefined', async (t) => {
  const { api } = await make(t)
  t.equal(await api.get(path), undefined)
})

t.test('printfulApi: 5xx, redirects and responses that make no sense can be tried again', async (t) => {
  const { remote, api } = await make(t)
  const faults: Fault[] = [
    status(500),
    status(503),
    status(302, '', { location: `${remote.url}/elsewhere` }),
    status(307, '', { location: `${remote.url}/elsewhere` }),
    (_request, { send }) => send(200, '<html>'),
    (_request, { send }) => send(200, { code: 200, result: [] }),
    (_request, { send }) => send(200, 'null'),
    (_request, { send }) => send(200, ''),
    (_request, { response }) => void response.destroy(),
  ]
  for (const fault of faults) {
    remote.faults.push(fault)
    await t.rejects(api.get(path), ProviderUnavailable)
  }
  t.notOk(
    remote.requests.some(({ path }) => path.includes('elsewhere')),
    'no redirect is followed',
  )
})

t.test('printfulApi: other 4xx are final, with the words of the provider in one line', async (t) => {
  const { remote, api } = await make(t)
  for (const code of [400, 401, 403, 409, 422]) {
    remote.faults.push(status(code, 'The zip code\n\tis wrong'))
    await t.rejects(api.put(path, {}), {
      name: 'ProviderRefused',
      message: `The print provider refused the order (${code}): The zip code is wrong.`,
    })
  }
  remote.faults.push(status(404, 'Not Found'))
  await t.rejects(api.post('/orders', {}), ProviderRefused)
  remote.faults.push((_request, { send }) => send(400, '<html>'))
  await t.rejects(api.put(path, {}), { message: /400.*no reason was given/ })
  remote.faults.push(status(400, 'x'.repeat(100_000)))
  const error = await api.put(path, {}).catch((reason: Error) => reason)
  t.ok(error instanceof ProviderRefused && error.message.length < 1200)
})

t.test('printfulApi: a short rate limit is waited for, a long one is told to the caller', async (t) => {
  const { remote, api } = await make(t)
  remote.faults.push(status(429, 'Slow down', { 'retry-after': '1' }))
  const since = performance.now()
  t.equal(await api.get(path), undefined)
  t.ok(performance.now() - since >= 950)
  for (const [header, seconds] of [
    // Together with the wait before it is too long.
    ['20', 20],
    ['60', 60],
    ['999999999', 3600],
    [new Date(Date.now() + 90_000).toUTCString(), 90],
  ] as const) {
    remote.faults.push(status(429, 'Slow down', { 'retry-after': header }))
    const error = await api.get(path).catch((reason: unknown) => reason)
    t.ok(error instanceof ProviderUnavailable && Math.abs((error.retryAfter ?? 0) - seconds) <= 2, header)
  }
  remote.faults.push(status(429))
  await t.rejects(api.get(path), { name: 'ProviderUnavailable', retryAfter: 60 })
  remote.faults.push(status(503, 'Down', { 'retry-after': '7' }))
  await t.rejects(api.get(path), { name: 'ProviderUnavailable', retryAfter: 7 })
})

t.test('printfulApi: no wait outlives the deadline', async (t) => {
  const silent = `http://127.0.0.1:${await silentServer(t)}`
  await t.rejects(
    printfulApi({ url: silent, token, signal: AbortSignal.timeout(200) }).get(path),
    ProviderUnavailable,
  )
  const { remote, api } = await make(t, AbortSignal.timeout(300))
  remote.faults.push(status(429, 'Slow down', { 'retry-after': '20' }))
  await t.rejects(api.get(path), { name: 'AbortError' }, 'the wait began')
  t.equal(remote.requests.length, 1)
  await t.rejects(api.put(path, {}))
  t.equal(remote.requests.length, 1, 'after the deadline nothing is sent any more')
  const drip = await rawServer(t, (socket) => {
    socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const timer = setInterval(() => socket.write('1\r\n \r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const dripping = printfulApi({ url: drip.url, token, signal: AbortSignal.timeout(300) })
  await t.rejects(dripping.get(path), ProviderUnavailable)
})

t.test('printfulApi: a response without end is cut off', async (t) => {
  const { remote, api } = await make(t)
  let sent = 0
  remote.faults.push((_request, { response }) => {
    const block = Buffer.alloc(64 * 1024, 32)
    const more = () => {
      while (!response.destroyed && response.write(block)) sent += block.length
    }
    response.writeHead(200).on('drain', more)
    more()
  })
  await t.rejects(api.get(path), ProviderUnavailable)
  t.ok(sent < 64 * 1024 * 1024)
})

t.test('printfulApi: a response that would take long to parse is not parsed', async (t) => {
  const { remote, api } = await make(t)
  const shapes = [
    `{},{"a":"x"},`.repeat(100_000),
    '{"\\"":1},'.repeat(30_000),
    '['.repeat(600) + ']'.repeat(600),
  ]
  for (const items of shapes.map((shape) => shape.replace(/,$/, ''))) {
    remote.faults.push((_request, { send }) => send(200, `{"result":{"id":1,"items":[${items}]}}`))
    await t.rejects(api.get(path), ProviderUnavailable, items.slice(0, 20))
    remote.faults.push((_request, { send }) => send(400, `{"result":"no","items":[${items}]}`))
    await t.rejects(api.put(path, {}), { message: /no reason was given/ }, items.slice(0, 20))
  }
  const item = JSON.stringify({ id: 1, external_id: '5', files: [{ id: 2, url: 'https://x.example/a.pdf' }] })
  remote.faults.push((_request, { send }) =>
    send(200, `{"result":{"id":1,"items":[${`${item},`.repeat(10_000)}0]}}`),
  )
  t.match(await api.get(path), { id: 1 }, 'one of many items is')
})

t.test('printfulApi: the token is in no error, whatever the provider or the network says', async (t) => {
  const { remote, api } = await make(t)
  const faults: Fault[] = [
    status(401, `The token ${token} is wrong, Bearer ${token}`),
    status(500, token),
    status(429, token, { 'retry-after': '99' }),
    (_request, { send }) => send(200, token),
    (_request, { response }) => void response.destroy(),
  ]
  for (const fault of faults) {
    remote.faults.push(fault)
    const error = await api.get(path).catch((reason: unknown) => reason)
    t.type(error, Error)
    t.notMatch(inspect(error, { depth: 10 }), token)
  }
  for (const odd of ['with space', 'line\nbreak', 'ümlaut', 'x'.repeat(501)]) {
    const { signal } = new AbortController()
    try {
      printfulApi({ url: remote.url, token: odd, signal })
      t.fail('such a token cannot be sent')
    } catch (error) {
      t.type(error, ProviderRefused)
      t.notMatch(inspect(error), odd)
    }
  }
})
