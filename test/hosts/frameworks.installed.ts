// Hosts other than a plain Fastify server: HTTP/2, an Express app, a serverless function, CommonJS.
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { build, token } from '../support/hosts/build.ts'
import { hostCode, hostStatuses, installedPackage, runPlainly } from '../support/hosts/installed-package.ts'

const folder = await installedPackage(t)
const authorization = `Bearer ${token}`
const products = '/wp-json/svc/v1/products'

t.test('over HTTP/2 no refusal names a connection', async (t) => {
  const { app } = await build(t, { server: { http2: true } as never, bodyLimits: { json: 1024, blob: 1024 } })
  const warnings: string[] = []
  const warned = (warning: Error) => warnings.push(warning.message)
  process.on('warning', warned)
  t.teardown(() => process.off('warning', warned))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = http2.connect(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
  t.teardown(() => client.close())
  const post = async (headers: http2.OutgoingHttpHeaders, body: string) => {
    const stream = client.request({ ':method': 'POST', ':path': products, authorization, ...headers })
    stream.end(body)
    const [received] = await once(stream, 'response')
    stream.resume()
    return [received[':status'], received.connection]
  }
  const json = { 'content-type': 'application/json' }
  const long = JSON.stringify({ title: 'a'.repeat(2000) })
  t.strictSame(await post(json, long), [413, undefined])
  t.strictSame(await post({ ...json, 'content-length': long.length }, long), [413, undefined])
  t.strictSame(await post({ 'content-type': 'text/plain' }, 'title'), [415, undefined])
  t.strictSame(await post({ ...json, expect: '100-continue' }, long), [413, undefined])
  t.strictSame(await post({ ...json, authorization: '', expect: '100-continue' }, '{}'), [401, undefined])
  await new Promise(setImmediate)
  t.strictSame(warnings, [])
})

/** What a script prints as JSON that begins with this app, a token and a database. */
async function printed(script: string, name = 'host.mjs'): Promise<unknown> {
  const begin = `
    import Fastify from 'fastify'
    import { ensureToken, svcApi } from 'svc-api'
    const database = 'sqlite:shop.sqlite'
    const app = Fastify()
    const options = { database, siteUrl: 'https://shop.example', migrate: true }
    const headers = async () =>
      ({ authorization: 'Bearer ' + (await ensureToken({ database })), 'content-type': 'application/json' })
    const body = '{"title":"Mug"}'
    const path = '${products}'
  `
  await rm(join(folder, 'shop.sqlite'), { force: true })
  await writeFile(join(folder, name), name.endsWith('.mjs') ? begin + script : script)
  const lines = (await runPlainly(folder, process.execPath, name)).trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '')
}

t.test('an Express app mounts it', async (t) => {
  const statuses = await printed(`
    import express from 'express'
    app.register(svcApi, options)
    await app.ready()
    const shop = express()
    shop.get('/', (_request, response) => response.send('shop'))
    shop.use('/wp-json', (request, response) => {
      request.url = request.originalUrl
      app.routing(request, response)
    })
    const server = shop.listen(0, '127.0.0.1', async () => {
      const url = 'http://127.0.0.1:' + server.address().port
      const status = async (path, init) => (await fetch(url + path, init)).status
      console.log(JSON.stringify([
        await status('/'), await status(path, { method: 'POST', headers: await headers(), body }), await status(path),
      ]))
      server.close()
      await app.close()
    })`)
  t.strictSame(statuses, [200, 201, 401])
})

t.test('what Express parsers read before it is a fault of the host, and said at once', async (t) => {
  const found = (path: string) =>
    printed(`
    import express from 'express'
    import fastifyExpress from '@fastify/express'
    let cause = ''
    app.addHook('onError', async (_request, _reply, error) => { cause = error.message })
    await app.register(fastifyExpress)
    app.use('${path}', express.json())
    await app.register(svcApi, options)
    const url = (await app.listen({ port: 0, host: '127.0.0.1' })) + path
    const { status } = await fetch(url, { method: 'POST', headers: await headers(), body })
    console.log(JSON.stringify([status, cause]))
    await app.close()`)
  t.strictSame(await found('/pages'), [201, ''])
  const sentence = 'Something in the host, such as express.json(), has read the body before this API.'
  t.strictSame(await found('/'), [500, sentence])
})

t.test('a serverless function serves it', async (t) => {
  const statuses = await printed(`
    import awsLambda from '@fastify/aws-lambda'
    app.register(svcApi, options)
    const handler = awsLambda(app)
    await app.ready()
    const call = async (httpMethod, sent, payload = null) =>
      (await handler({ httpMethod, path, headers: sent, body: payload, isBase64Encoded: false }, {})).statusCode
    console.log(JSON.stringify([
      await call('POST', await headers(), body), await call('GET', await headers()), await call('GET', {}),
    ]))
    await app.close()`)
  t.strictSame(statuses, [201, 200, 401])
})

t.test('CommonJS requires it', async (t) => {
  const code = hostCode.replaceAll(/^import (.*) from '(.*)'$/gm, "const $1 = require('$2')")
  t.strictSame(await printed(code, 'host.cjs'), hostStatuses)
})
