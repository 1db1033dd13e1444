// Behind a refusal the rest of a body is not waited for.
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { newProduct, newView } from '../../support/fixtures/rows.ts'
import { listen, parseResponses, rawRequest } from '../../support/hostile/raw-http.ts'
import { build, token } from '../../support/hosts/build.ts'

const json = { 'content-type': 'application/json', connection: 'keep-alive' }
const right = { ...json, authorization: `Bearer ${token}` }

t.test('behind a refusal the body is not waited for', async (t) => {
  const host = await build(t, { bodyLimits: { json: 1000 } })
  await newView(host, await newProduct(host))
  const port = await listen(host.app)
  const base = '/wp-json/svc/v1'
  const length = (bytes: number) => ({ 'content-length': String(bytes) })
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  await Promise.all(
    (
      [
        [401, 'POST', `${base}/products`, { ...json, ...length(500) }],
        [403, 'POST', `${base}/products`, { ...json, ...length(500), authorization: 'Bearer wrong' }],
        [403, 'POST', `${base}/assets`, { ...json, ...form, ...length(500), authorization: 'Bearer wrong' }],
        [401, 'PATCH', `${base}/views/1`, { ...json, 'transfer-encoding': 'chunked' }],
        [404, 'POST', `${base}/nothing`, { ...json, ...length(500) }],
        [404, 'DELETE', `${base}/products`, { ...right, ...length(500) }],
        [413, 'POST', `${base}/categories`, { ...right, ...length(5000) }],
        [415, 'POST', `${base}/categories`, { ...right, ...length(500), 'content-type': 'text/plain' }],
      ] as const
    ).map(async ([status, method, path, headers]) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      t.teardown(() => socket.destroy())
      socket.write(rawRequest(method, path, headers))
      const [text] = await once(socket, 'data')
      t.equal(parseResponses(String(text))[0]?.status, status, `${method} ${path}`)
    }),
  )
})
