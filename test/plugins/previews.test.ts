// Previews of orders, products and views: PNG of bounded size, conditional, refused where the renderer is off.
import sharp from 'sharp'
import t from 'tap'
import { build, onEachDialect } from '../support/hosts/build.ts'
import { photoUrl, pictureElement, renderShop, textElement, viewWith } from '../support/render/render-shop.ts'

const view = viewWith(pictureElement(photoUrl, { excludeFromExport: true }), textElement('Ada'))

t.test('a preview of an order is a PNG of the whole stage in the wanted width', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host, id, item } = await renderShop(t, engine, { product: [view, viewWith(textElement('Back'))] })
    const get = (query: string, headers = {}) =>
      host.app.inject({
        url: `/wp-json/svc/v1/orders/${id}/preview?item_id=${item}${query}`,
        headers: { authorization: `Bearer ${'0123456789abcdef'.repeat(4)}`, ...headers },
      })
    const first = await get('&width=200')
    t.match(
      { status: first.statusCode, type: first.headers['content-type'] },
      { status: 200, type: 'image/png' },
    )
    const { width, height } = await sharp(first.rawPayload).metadata()
    t.same({ width, height }, { width: 200, height: 150 })
    const [r = 0, g = 0, b = 0] = await sharp(first.rawPayload)
      .extract({ left: 60, top: 50, width: 1, height: 1 })
      .raw()
      .toBuffer()
    t.ok(
      Math.abs(r - 0x44) + Math.abs(g - 0x88) + Math.abs(b - 0xcc) < 12,
      'the product is there, which is not printed',
    )
    const etag = first.headers.etag ?? ''
    t.equal((await get('&width=200', { 'if-none-match': etag })).statusCode, 304)
    const other = await get('&width=200&view=1')
    t.not(other.headers.etag, etag)
    t.notSame(other.rawPayload, first.rawPayload)
    t.equal((await get('&view=2')).statusCode, 422)
    t.equal((await get('&width=5000')).statusCode, 400)
  }),
)

t.test('products and views have previews under their own routes', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { host } = await renderShop(t, engine, [view])
    const product = (await host.call('POST', '/products', { title: 'Mug' })).body.data.id
    t.match(await host.call('GET', `/products/${product}/preview`), {
      status: 404,
      body: { code: 'svc_view_not_found' },
    })
    const own = (await host.call('POST', `/products/${product}/views`, view)).body.data.id
    for (const path of [`/products/${product}/preview`, `/views/${own}/preview?width=100`]) {
      const { status, headers, text } = await host.call('GET', path)
      t.match({ status, headers }, { status: 200, headers: { 'content-type': 'image/png' } })
      t.ok(text.startsWith('\ufffdPNG') || text.includes('PNG'), path)
      t.equal((await host.call('GET', path, undefined, { 'if-none-match': headers.etag })).status, 304)
    }
    const changed = await host.call('PATCH', `/views/${own}`, {
      elements: [textElement('X', { fontFamily: 'Nowhere' })],
    })
    t.equal(changed.status, 200)
    const refused = await host.call('GET', `/views/${own}/preview`)
    t.match(refused, {
      status: 422,
      body: { code: 'svc_render_refused', message: /"Nowhere" is not uploaded/ },
    })
    t.equal(refused.headers.etag, undefined)
    t.equal((await host.call('GET', '/views/999/preview')).status, 404)
  }),
)

t.test('without the renderer previews are 501, and their group still decides', async (t) => {
  const host = await build(t)
  const { id } = (await host.call('POST', '/products', { title: 'Mug' })).body.data
  t.match(await host.call('GET', `/products/${id}/preview`), {
    status: 501,
    body: { code: 'svc_renderer_off' },
  })
  await host.call('PATCH', '/settings', { svc_api_products_enabled: false })
  t.equal((await host.call('GET', `/products/${id}/preview`)).status, 404)
})
