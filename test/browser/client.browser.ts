// The typed client in a real browser, as its compiled modules are published.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t from 'tap'
import { png } from '../support/fixtures/make-png.ts'
import { openPage } from '../support/hosts/browsing.ts'
import { build, token } from '../support/hosts/build.ts'
import { startChromium } from '../support/peers/chromium.ts'

const browser = await startChromium(t)
const published = resolve(import.meta.dirname, '../../dist/src')

t.test('it lists, edits, uploads and reports errors in a page', async (t) => {
  const dir = t.testdir({ uploads: {} })
  const { app, call } = await build(t, {
    uploads: { dir: `${dir}/uploads`, url: 'https://shop.example/uploads' },
    after: (host) => {
      host.get('/', async (_request, reply) =>
        reply.type('text/html').send('<!doctype html><title>Editor</title>'),
      )
      host.get<{ Params: Record<'folder' | 'name', string> }>(
        '/modules/:folder/:name',
        async ({ params: { folder, name } }, reply) =>
          reply.type('text/javascript').send(await readFile(`${published}/${folder}/${name}`)),
      )
    },
  })
  for (let n = 0; n < 3; n++) await call('POST', '/products', { title: `Mug ${n}` })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const page = await openPage(t, browser, origin)
  await page.goto('/')
  const found = await page.evaluate(
    async ([token, picture]) => {
      const { svcClient } = await import(String('/modules/client/client.js'))
      const shop = svcClient({ url: `${location.origin}/wp-json`, token })
      const titles: string[] = []
      for await (const { title } of shop.each('list_products', { limit: 2, order: 'asc' })) titles.push(title)
      const { data: edited } = await shop.edit('product', { id: 1 }, () => ({ title: 'Cup' }))
      const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0))
      const { data: asset } = await shop.uploadAsset({ body: { file: new File([bytes], 'a.png') } })
      const code = await shop.getProduct({ id: 99 }).catch((error: { code: string }) => error.code)
      return { titles, edited: edited.title, type: asset.mime_type, code }
    },
    [token, png().toString('base64')] as const,
  )
  t.strictSame(found, {
    titles: ['Mug 0', 'Mug 1', 'Mug 2'],
    edited: 'Cup',
    type: 'image/png',
    code: 'svc_product_not_found',
  })
})
