// The app on an SQLite file of its own, without a port: requests are injected.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ensureToken } from 'svc-api'
import { buildApp } from '../src/app.ts'

const folder = await mkdtemp(join(tmpdir(), 'print-shop-'))
const database = `sqlite:${folder}/test.sqlite`
const siteUrl = 'https://shop.example'
const app = buildApp({
  database,
  siteUrl,
  uploadsDir: folder,
  adminPassword: 'correct horse',
  formSecret: 'f'.repeat(32),
})
await app.ready()
const token = await ensureToken({ database })
const api = '/wp-json/svc/v1'
const headers = { authorization: `Bearer ${token}` }
after(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('the API refuses requests without the token', async () => {
  const response = await app.inject(`${api}/products`)
  assert.equal(response.statusCode, 401)
})

test('a product can be created and read', async () => {
  const created = await app.inject({
    method: 'POST',
    url: `${api}/products`,
    headers,
    payload: { title: 'Mug' },
  })
  assert.equal(created.statusCode, 201)
  const { data } = (await app.inject({ url: `${api}/products`, headers })).json()
  assert.deepEqual(
    data.map(({ title }: { title: string }) => title),
    ['Mug'],
  )
})

test('the pages ask for the password', async () => {
  const login = { authorization: `Basic ${Buffer.from('admin:correct horse').toString('base64')}` }
  for (const url of ['/', '/desk/', '/settings/', '/reference/']) {
    assert.equal((await app.inject(url)).statusCode, 401, url)
    assert.ok((await app.inject({ url, headers: login })).statusCode < 400, url)
  }
})

test('an order is printed, and the URL of the file opens', async () => {
  const text = { left: 200, top: 150, fontFamily: 'Arial', fontSize: 30 }
  const view = {
    title: 'Front',
    elements: [{ type: 'text', title: 'Name', source: 'Ada', parameters: text }],
    options: {
      stageWidth: 400,
      stageHeight: 300,
      printingBox: { left: 50, top: 50, width: 300, height: 200 },
      output: { width: 75, height: 50, bleed: 3 },
    },
  }
  const send = async (url: string, payload: object) =>
    (await app.inject({ method: 'POST', url: `${api}${url}`, headers, payload })).json().data
  const { id } = await send('/shortcode-orders', { views: [view] })
  const job = await send(`/orders/${id}/export`, { type: 'shortcode' })
  assert.equal(job.status, 'completed')
  assert.ok(job.file_url.startsWith(siteUrl))
  const file = await app.inject(job.file_url.slice(siteUrl.length))
  assert.equal(file.statusCode, 200)
  assert.ok(file.body.startsWith('%PDF'))
})

test('the readiness route responds while the database does', async () => {
  assert.deepEqual((await app.inject('/ready')).json(), { ready: true })
})
