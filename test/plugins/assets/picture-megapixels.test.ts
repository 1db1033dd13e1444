// The setting with the largest picture: uploads, preflights and prints follow it, up to the option of the host.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { png } from '../../support/fixtures/make-png.ts'
import { storeOption } from '../../support/fixtures/rows.ts'
import type { TestHost } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { pictureElement, renderShop, uploadsUrl, viewWith } from '../../support/render/render-shop.ts'

const photo = png({ width: 1200, height: 1000 })
const design = [viewWith(pictureElement(`${uploadsUrl}/svc/uploads/2026/11/large.png`))]
const problem = (limit: number) =>
  `The picture has 1200 × 1000 pixels (1.2 megapixels); at most ${limit} megapixels are printed.`

async function set(host: TestHost, value: unknown) {
  return (await host.call('PATCH', '/settings', { svc_picture_megapixels: value })).status
}

t.test('POST /assets: 422 for a picture with more megapixels than svc_picture_megapixels', async (t) => {
  const { host } = await renderShop(t, 'SQLite', design, { renderer: { pictureMegapixels: 3 } })
  const uploaded = async () => (await upload(host, '/assets', 'a.png', photo)).status
  t.equal(await uploaded(), 201)
  t.equal(await set(host, 1), 200)
  t.match(await upload(host, '/assets', 'a.png', photo), { status: 422, body: { message: problem(1) } })
  t.equal(await set(host, null), 200)
  t.equal(await uploaded(), 201)
  for (const value of [0, 501, 'many']) t.equal(await set(host, value), 400)
})

t.test(
  'POST /orders/{id}/export, GET /orders/{id}/preflight: refuse what svc_picture_megapixels excludes',
  async (t) => {
    const { host, id, item, dir, order } = await renderShop(t, 'SQLite', design)
    await writeFile(join(dir, 'svc/uploads/2026/11/large.png'), photo)
    const refusals = async () => {
      const { body } = await host.call('GET', `/orders/${id}/preflight?item_id=${item}`)
      return body.data.findings
        .filter(({ level }: { level: string }) => level === 'refusal')
        .map(({ message }: { message: string }) => message)
    }
    t.equal(await set(host, 1), 200)
    t.strictSame(await refusals(), [problem(1)])
    t.match(await order(), { status: 422, body: { code: 'svc_render_refused' } })
    t.equal(await set(host, 2), 200)
    t.strictSame(await refusals(), [])
    t.equal((await order()).body.data.status, 'completed')
  },
)

t.test(
  'POST /assets: svc_picture_megapixels cannot exceed the option, and a value of other kinds has no effect',
  async (t) => {
    const { host } = await renderShop(t, 'SQLite', design, { renderer: { pictureMegapixels: 1 } })
    for (const stored of ['500', '-5', 'many', '']) {
      await storeOption(host, 'svc_picture_megapixels', stored)
      t.match(await upload(host, '/assets', 'a.png', photo), { status: 422, body: { message: problem(1) } })
    }
  },
)
