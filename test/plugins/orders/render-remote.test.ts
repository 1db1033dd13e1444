// Pictures of designs that are in a remote storage which the public cannot read.
import sharp from 'sharp'
import t from 'tap'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'
import { shopOrder } from '../../support/fixtures/shop.ts'
import { type Engine, onEachDialect } from '../../support/hosts/build.ts'
import { upload } from '../../support/hosts/form.ts'
import { pictureElement, renderShop, viewWith } from '../../support/render/render-shop.ts'

const color = { r: 200, g: 30, b: 40 }

async function uploaded(t: Parameters<typeof renderShop>[0], engine: Engine) {
  const plain = memoryStorage('https://private.example/bucket')
  // Each URL is signed anew.
  const files = { ...plain, url: async (key: string) => `${await plain.url(key)}?signed=${Math.random()}` }
  const { host } = await renderShop(t, engine, [], { storage: { use: 'vault', own: { vault: files } } })
  const png = sharp({ create: { width: 300, height: 200, channels: 3, background: color } }).png()
  const { key, url } = (await upload(host, '/assets', 'red.png', await png.toBuffer())).body.data
  const printed = async (source: string) => {
    const design = JSON.stringify([viewWith(pictureElement(source))])
    const { id, items } = await shopOrder(host, 'posts', { items: [{ meta: [['_svc_data', design]] }] })
    return host.call('POST', `/orders/${id}/export`, { item_id: items[0], output_format: 'png', dpi: 96 })
  }
  return { host, plain, key, url, printed }
}

t.test('an upload in a remote storage is read there, not at its public URL', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { plain, url, printed } = await uploaded(t, engine)
    t.match(url, /^https:\/\/private\.example\/bucket\/svc\/uploads\/.*\?signed=/)
    const { status, body } = await printed(url)
    t.equal(status, 201, JSON.stringify(body))
    const key = new URL(body.data.file_url).pathname.replace('/bucket/', '')
    const bytes = Buffer.concat(await (await plain.open(decodeURIComponent(key))).toArray())
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = info.channels * (info.width * Math.floor(info.height / 2) + Math.floor(info.width / 2))
    t.same([...data.subarray(at, at + 3)], [color.r, color.g, color.b])
  }),
)

t.test('the same path at another host is not an upload', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { key, printed } = await uploaded(t, engine)
    const { status, body } = await printed(`https://private.invalid/bucket/svc/uploads/${key}`)
    t.match({ status, message: body.message }, { status: 422, message: /could not be fetched/ })
  }),
)

t.test('a file that is gone from the remote storage is named', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { plain, key, url, printed } = await uploaded(t, engine)
    await plain.remove(`svc/uploads/${key}`)
    const { status, body } = await printed(url)
    t.match({ status, message: body.message }, { status: 422, message: /The file is not in the storage\.$/ })
  }),
)
