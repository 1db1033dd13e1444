// The webhook that takes print-ready files: who may announce what, and what is stored then.
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { build, onEachEngine } from '../../support/hosts/build.ts'
import { namesIn, pdf, printHost } from '../../support/hosts/print.ts'
import { tripwire } from '../../support/peers/servers.ts'

t.test('an announced file is stored unchanged and completes the job', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const { id, guid } = await host.newJob({ order_id: 17 })
    const { status, body } = await host.notify(guid)
    t.equal(status, 200, JSON.stringify(body))
    const [file = ''] = host.stored()
    t.match(file, /^svc\/print_files\/[0-9a-f]{32}\/order-7\.pdf$/)
    const url = `https://shop.example/wp-content/uploads/${file}`
    t.same(body, { success: true, data: { print_job_id: guid, status: 'completed', file_url: url } })
    t.equal(readFileSync(`${host.uploads}/${file}`, 'utf8'), pdf)
    t.equal(statSync(`${host.uploads}/${file}`).mode & 0o777, 0o644)
    t.same(namesIn(host.tempDir), [])
    const row = await host.db
      .selectFrom(host.t.print_jobs)
      .selectAll()
      .where('ID', '=', id)
      .executeTakeFirst()
    t.equal(row?.status, 'completed')
    t.same(JSON.parse(String(row?.data)), { local_file: `${host.uploads}/${file}` })
    t.equal((await host.job(guid)).file_url, url)
  })
})

t.test('POST, PUT and PATCH take parameters from JSON, a form or the query', async (t) => {
  const host = await printHost(t)
  const url = `${host.router.url}/x.pdf`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const [json, posted, query] = [await host.newJob(), await host.newJob(), await host.newJob()]
    t.equal((await host.notify(json.guid, { file_url: url, event: 'ready' }, { method })).status, 200)
    const text = `file_url=${encodeURIComponent(url)}`
    t.equal((await host.notify(posted.guid, text, { method, headers: form })).status, 200)
    t.equal((await host.notify(query.guid, null, { method, query: `?${text}` })).status, 200)
  }
  t.equal(host.stored().length, 9)
})

t.test('a body of another type is 415, with the types that are taken; an empty one is no body', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const headers = { 'content-type': 'text/xml' }
  t.match(await host.notify(guid, '<file_url/>', { headers }), {
    status: 415,
    body: { message: /application\/json or application\/x-www-form-urlencoded/ },
  })
  const query = `?file_url=${encodeURIComponent(`${host.router.url}/x.pdf`)}`
  t.equal(
    (await host.notify(guid, null, { headers: { ...headers, 'content-length': '0' }, query })).status,
    200,
  )
})

t.test('a job named in the body wins over the path', async (t) => {
  const host = await printHost(t)
  const [path, body] = [await host.newJob(), await host.newJob()]
  const answer = await host.notify(path.guid, { print_job_id: body.guid, file_url: `${host.router.url}/x` })
  t.equal(answer.body.data.print_job_id, body.guid)
  t.equal((await host.job(path.guid)).status, 'pending')
})

t.test('an unknown job is 404, all alike, and nothing is fetched for it', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const { id, guid } = await host.newJob({})
    await host.db
      .insertInto(host.t.print_jobs)
      .values({ guid: '5f3a9c1b2d4ef', status: 'pending', details: null, data: null })
      .execute()
    const tricks = [
      '0',
      'true',
      'null',
      "' OR 1=1 -- ",
      '%',
      '_',
      `${guid} `,
      ` ${guid}`,
      guid.toUpperCase(),
      `${id}`,
    ]
    tricks.push(
      '5F3A9C1B2D4EF',
      '5f3a9c1b2d4eg',
      '00000000-0000-4000-8000-000000000000',
      `${guid}\0`,
      guid.slice(0, -1),
    )
    const bodies = new Set<string>()
    for (const print_job_id of tricks) {
      const answer = await host.notify('x', { print_job_id, file_url: `${host.router.url}/x` })
      t.equal(answer.status, 404, JSON.stringify(print_job_id))
      bodies.add(answer.text)
    }
    t.equal(bodies.size, 1)
    t.match([...bodies][0], 'svc_print_job_not_found')
    t.same(host.router.hits, [])
    t.same(host.stored(), [])
  })
})

t.test('a parameter that is missing or no text is 400', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const url = `${host.router.url}/x`
  for (const body of [{}, { file_url: '' }, { file_url: null }, null]) {
    const answer = await host.notify(guid, body)
    t.equal(answer.status, 400)
    t.same(answer.body.data.params, ['file_url'])
  }
  for (const body of [{ file_url: [url] }, { file_url: 7 }, { file_url: { url } }, { file_url: true }]) {
    t.match(await host.notify(guid, body), {
      status: 400,
      body: { data: { params: { file_url: 'must be a string' } } },
    })
  }
  for (const print_job_id of [0, true, { guid }, [guid]]) {
    t.equal(
      (await host.notify(guid, { print_job_id, file_url: url })).status,
      400,
      JSON.stringify(print_job_id),
    )
  }
  t.equal((await host.notify(guid, [url])).status, 400)
  const json = { headers: { 'content-type': 'application/json' } }
  t.equal((await host.notify(guid, '{"file_url":', json)).status, 400)
  t.equal((await host.notify(guid, '{"__proto__":{"file_url":"x"}}', json)).status, 400)
  t.equal((await host.notify(guid, 'x', { headers: { 'content-type': 'text/plain' } })).status, 415)
  t.equal((await host.notify(guid, { file_url: url, x: 'y'.repeat(70_000) })).status, 413)
  t.same(host.router.hits, [])
})

t.test('only these routes exist in the namespace', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const other = await host.app.inject({ method: 'GET', url: '/wp-json/svc-export/v1.0/nothing' })
  t.equal(other.statusCode, 404)
  for (const method of ['GET', 'DELETE', 'HEAD', 'OPTIONS'] as const) {
    const answer = await host.app.inject({ method, url: `/wp-json/svc-export/v1.0/print_job/${guid}` })
    t.equal(answer.statusCode, 404, method)
    if (method !== 'HEAD') t.equal(answer.payload, other.payload, method)
  }
})

t.test('a file_url that leads inside is answered like a server that is not there', async (t) => {
  const host = await printHost(t, { printReady: { allow: [], maxSeconds: 20 } })
  const wire = await tripwire(t)
  const { guid } = await host.newJob()
  const forms = [
    'http://127.0.0.1/',
    'http://[::1]:8080/',
    'http://2130706433/',
    'http://localhost:8080/x.pdf',
  ]
  const texts = new Set<string>()
  for (const file_url of forms) {
    const answer = await host.notify(guid, { file_url })
    t.equal(answer.status, 502)
    delete answer.body.data.request_id
    texts.add(JSON.stringify(answer.body))
  }
  t.equal(texts.size, 1)
  t.notMatch([...texts][0], /127|localhost|ECONN|8080/)
  for (const file_url of [
    `http://127.0.0.1:${wire.port}/`,
    'file:///etc/passwd',
    'http://a:b@c/',
    'http:///x',
  ]) {
    t.match(await host.notify(guid, { file_url }), {
      status: 422,
      body: { code: 'svc_print_file_url_refused' },
    })
  }
  t.equal(wire.seen.connections, 0)
  t.same(host.stored(), [])
})

t.test('a completed job answers again without a second download, whatever it is told', async (t) => {
  await onEachEngine(t, async (t, engine) => {
    const host = await printHost(t, { engine })
    const { guid } = await host.newJob()
    const first = await host.notify(guid)
    const path = `${host.uploads}/${host.stored()[0]}`
    const facts = () => [
      statSync(path).mtimeMs,
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]
    const before = facts()
    for (let i = 0; i < 20; i++) t.equal((await host.notify(guid)).text, first.text)
    const other = await host.notify(guid, { file_url: `${host.router.url}/another.pdf` })
    t.equal(other.text, first.text)
    t.same(facts(), before)
    t.equal(host.router.hits.length, 1)
    t.equal(host.stored().length, 1)
  })
})

t.test('a file of another kind is 422 and may be announced again', async (t) => {
  let body = '<html>'
  const host = await printHost(t, {}, (_request, response) => response.end(body))
  const { guid } = await host.newJob()
  t.match(await host.notify(guid), { status: 422, body: { code: 'svc_print_file_rejected' } })
  t.same(host.stored(), [])
  t.match(await host.job(guid), {
    status: 'pending',
    error: { code: 'svc_print_file_rejected' },
    file_url: null,
  })
  body = pdf
  t.equal((await host.notify(guid)).status, 200)
  t.match(await host.job(guid), { status: 'completed', error: null })
})

t.test('a file over the limit is 413', async (t) => {
  const host = await printHost(t, { printReady: { maxBytes: 5 } })
  const { guid } = await host.newJob()
  t.match(await host.notify(guid), { status: 413, body: { code: 'svc_print_file_too_large' } })
  t.same(host.stored(), [])
  t.same(namesIn(host.tempDir), [])
})

t.test('without an uploads folder a known job is 503 and nothing is fetched', async (t) => {
  const host = await printHost(t)
  const { guid } = await host.newJob()
  const { app } = await build(t, { address: host.address, printReady: { allow: [host.router.pair] } })
  const url = `/wp-json/svc-export/v1.0/print_job/${guid}`
  const answer = await app.inject({ method: 'POST', url, payload: { file_url: host.router.url } })
  t.equal(answer.statusCode, 503)
  t.same(host.router.hits, [])
})
