// Bodies are JSON under its own name; however the name is twisted, a body is checked or refused.
import { brotliCompressSync, createGunzip, gzipSync } from 'node:zlib'
import type { preParsingHookHandler } from 'fastify'
import t from 'tap'
import { build } from '../../support/hosts/build.ts'

const good = '{"title":"Cups"}'
const bad = '{"title":5}'

t.test('application/json is taken in any case and with parameters', async (t) => {
  const { call } = await build(t)
  const types = [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ]
  for (const [i, type] of types.entries()) {
    const { status } = await call('POST', '/categories', `{"title":"Cups ${i}"}`, { 'content-type': type })
    t.equal(status, 201, type)
    t.equal((await call('POST', '/categories', bad, { 'content-type': type })).status, 400, type)
  }
})

t.test('GET ignores a body, whatever its coding and charset', async (t) => {
  const { call } = await build(t)
  const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain; charset=iso-8859-1' }
  t.equal((await call('GET', '/categories', 'x', headers)).status, 200)
})

t.test('a twisted content type never lets a body through unchecked', async (t) => {
  const { call } = await build(t)
  const types = [
    'application/json\t',
    ' application/json',
    'application/json garbage',
    'application/json, text/plain',
    'application/json;',
    'application/json\u00a0',
    'application/jsonx',
    'application/json/',
    'Application/Json; charset',
  ]
  for (const type of types) {
    const { status, body } = await call('POST', '/categories', bad, { 'content-type': type })
    t.ok(status === 400 || status === 415, `${JSON.stringify(type)} ${status}`)
    t.match(body.code, /^(rest_invalid_param|svc_unsupported_media_type)$/)
    const sent = await call('POST', '/categories', '{"title":"x","evil":1}', { 'content-type': type })
    t.ok(sent.status === 400 || sent.status === 415)
  }
  t.equal((await call('GET', '/categories')).body.meta.total, 0)
})

t.test('other kinds of body are 415, forms and multipart among them', async (t) => {
  const { call } = await build(t)
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/vnd.api+json',
    'text/json',
    'application/merge-patch+json',
    '*/*',
    'json',
    '',
  ]
  for (const type of types) {
    const { status, body } = await call('POST', '/categories', good, { 'content-type': type })
    t.strictSame([status, body.code], [415, 'svc_unsupported_media_type'], type)
    t.match(body.message, /application\/json/)
  }
})

t.test('a body without a content type is 415, too', async (t) => {
  const { call } = await build(t)
  const { status, body } = await call('POST', '/categories', Buffer.from(good), { 'content-type': undefined })
  t.strictSame([status, body.code], [415, 'svc_unsupported_media_type'])
})

t.test(
  'parsers of the host, even one for everything, do not reach our routes, nor ours the host’s',
  async (t) => {
    const { app, call } = await build(t, {
      server: { ajv: { customOptions: { removeAdditional: true, coerceTypes: true } } },
    })
    t.match(await call('POST', '/categories', { title: 'x', evil: 1 }), { status: 400 })
    t.match(await call('POST', '/categories', { title: 5 }), { status: 400 })
    t.ok(app.hasContentTypeParser('text/plain'), 'the host keeps its own')
  },
)

t.test('a type without a body is no body: clearing and deleting work', async (t) => {
  const { call } = await build(t)
  await call('POST', '/categories', { title: 'Mugs' })
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  t.equal((await call('POST', '/categories/1/clear', undefined, headers)).status, 200)
  t.equal((await call('PATCH', '/categories/1', undefined, headers)).status, 400)
  t.equal((await call('DELETE', '/categories/1', undefined, headers)).status, 200)
})

t.test('a charset other than UTF-8 is 415 and names it', async (t) => {
  const { call } = await build(t)
  const send = (type: string) => call('POST', '/categories', good, { 'content-type': type })
  for (const charset of ['iso-8859-1', '"ISO-8859-1"', 'utf-16', 'windows-1252']) {
    const { status, body } = await send(`application/json; charset=${charset}`)
    t.strictSame([status, body.code], [415, 'svc_unsupported_media_type'], charset)
    t.match(
      body.message,
      `The charset ${charset.replaceAll('"', '')} is not supported; send the body in UTF-8.`,
    )
  }
  t.equal((await send('application/json; charset="utf-8"')).status, 201)
  t.equal((await send('application/json; charset=UTF8')).status, 409, 'the title is taken')
})

t.test('a compressed body is 415 with a sentence of its own; identity is no coding', async (t) => {
  const { call } = await build(t)
  for (const [coding, bytes] of [
    ['gzip', gzipSync(good)],
    ['br', brotliCompressSync(good)],
    ['gzip, br', Buffer.from(good)],
    ['deflate', Buffer.from(good)],
  ] as const) {
    const headers = { 'content-type': 'application/json', 'content-encoding': coding }
    const { status, body, headers: received } = await call('POST', '/categories', bytes, headers)
    t.strictSame([status, body.code], [415, 'svc_unsupported_media_type'], coding)
    t.match(body.message, `(Content-Encoding: ${coding})`)
    t.equal(received['accept-encoding'], 'identity')
  }
  const plain = { 'content-type': 'application/json', 'content-encoding': 'identity' }
  t.equal((await call('POST', '/categories', good, plain)).status, 201)
  t.equal((await call('GET', '/categories', undefined, { 'content-encoding': 'gzip' })).status, 200)
})

/** As @fastify/compress does it. */
const decompress: preParsingHookHandler = (_request, _reply, payload, done) =>
  done(null, Object.assign(payload.pipe(createGunzip()), { receivedEncodedLength: gzipSync(good).length }))

t.test('a body that a plugin of the host has decompressed is taken', async (t) => {
  const { call } = await build(t, {
    before: (app) =>
      app.addHook('onRoute', (route) => {
        route.preParsing = [decompress]
      }),
  })
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  t.equal((await call('POST', '/categories', gzipSync(good), headers)).status, 201)
})
