// The library of the desk: uploaded files as a grid, where each is used, uploaded and deleted by those who may.
import t from 'tap'
import type { Scope } from '../../../src/core/scopes.ts'
import { pdf } from '../../support/fixtures/make-pdf.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { filePart, form, formHeaders } from '../../support/hosts/form.ts'
import { type ScreenClient, type ScreenPage, sameOrigin } from '../../support/hosts/screen.ts'
import { photoUrl, pictureElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(pictureElement(photoUrl))] }
const photo = 'asset?key=2026%2F11%2Fphoto.jpg'

const fieldsOf = ({ document }: ScreenPage, action: string) =>
  [...document.querySelectorAll(`form[action=${action}] [type=hidden]`)].map((field) => ({
    name: field.getAttribute('name') ?? '',
    content: field.getAttribute('value') ?? '',
  }))

const upload = (client: ScreenClient, parts: Parameters<typeof form>[0]) =>
  client.send('POST', 'add-asset', form(parts), { ...formHeaders(), ...sameOrigin })

t.test('GET library: pictures with the names of their files, by name and type', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design)
  const parts = [...fieldsOf(await client.get('library'), 'add-asset'), filePart('My logo.png', png())]
  const sent = await upload(client, parts)
  t.equal(sent.status, 303)
  t.match((await client.get(sent.headers.location ?? '')).texts('.notice'), ['The file was uploaded.'])
  const page = await client.get('library')
  t.same(page.texts('.gallery .name').sort(), ['My logo.png', 'photo.jpg'])
  t.match(page.texts('.gallery .remark').join(), /JPEG, 240 × 160 pixels, \d+ kB/)
  await upload(client, [...fieldsOf(page, 'add-asset'), filePart('Sheet.pdf', pdf())])
  t.match((await client.get('library?type=pdf')).texts('.gallery .remark').join(), /^PDF, \d+ kB/)
  t.same((await client.get('library?type=jpeg')).texts('.gallery .name'), ['photo.jpg'])
  t.same((await client.get('library?q=LOGO&type=x')).texts('.gallery .name'), ['My logo.png'])
  const src = page.document.querySelector('.gallery img')?.getAttribute('src') ?? ''
  const drawn = await client.get(src)
  t.match([drawn.status, drawn.headers['content-type']], [200, 'image/png'])
  t.equal((await client.get(src, { 'if-none-match': drawn.headers.etag })).status, 304)
  for (const wrong of [src.replace('240', '4000'), 'asset-preview?key=x&width=240', 'asset?key=x'])
    t.equal((await client.get(wrong)).status, 404, wrong)
})

t.test(
  'POST add-asset: the page of the new file shows what its check changed and the renderer finds',
  async (t) => {
    const { client } = await deskShop(t, 'SQLite', design)
    const fields = fieldsOf(await client.get('library'), 'add-asset')
    const text =
      '<text x="5" y="30" font-family="Nowhere Sans" font-size="20">&lt;b&gt;</text><script>alert(1)</script>'
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">${text}</svg>`
    const sent = await upload(client, [...fields, filePart('Sign.svg', drawing)])
    const page = await client.get(sent.headers.location ?? '')
    t.equal(page.texts('.notice[role=status]').join(), 'The file was uploaded.')
    const warnings = page.texts('[aria-labelledby=asset-warnings] li').join('\n')
    t.match(warnings, /active content/)
    t.match(warnings, /The font "Nowhere Sans" is not uploaded/)
    const plain = await upload(client, [...fields, filePart('Plain.png', png())])
    t.same((await client.get(plain.headers.location ?? '')).texts('#asset-warnings'), [])
    t.same((await client.get(photo)).texts('.notice, #asset-warnings'), [])
  },
)

t.test('GET asset: where a file is used, whatever the database', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host, id } = await deskShop(t, engine, design)
    const { body } = await host.call('POST', '/products', { title: 'Mug', thumbnail: photoUrl })
    t.ok(body.data.id)
    await host.call('POST', '/products', { title: 'Cup', thumbnail: photoUrl })
    await client.get('library')
    const page = await client.get(photo)
    t.same(page.texts('[aria-labelledby=asset-usages] dl > *'), [
      'Products',
      'Mug, Cup',
      'Orders',
      `Shop ${id}`,
    ])
    t.match(page.texts('[aria-labelledby=asset-picture] dd'), ['photo.jpg', '2026/11/photo.jpg'])
  }),
)

t.test('POST delete-asset: once it is confirmed', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design, { audit: true })
  await client.get('library')
  const page = await client.get(photo)
  t.match(page.texts('form[action=delete-asset] label'), ['although it is used'])
  t.equal((await client.submit(page, 'delete-asset')).status, 400)
  t.equal((await client.submit(page, 'delete-asset', { confirmed: 'yes', _form: 'x' })).status, 403)
  const sent = await client.submit(page, 'delete-asset', { confirmed: 'yes' })
  t.match([sent.status, sent.headers.location], [303, 'library?deleted=1'])
  t.match((await client.get('library?deleted=1')).texts('.notice'), ['The file was deleted.'])
  t.same((await host.call('GET', '/assets')).body.data, [])
  t.match((await client.get('audit')).texts('main tr').join(), 'delete_asset')
})

t.test('who may only read assets sees no buttons; with the toggle off nobody finds the page', async (t) => {
  let scopes: Scope[] = ['assets:read']
  const { client, host } = await deskShop(t, 'SQLite', design, {
    desk: { authorize: () => ({ name: 'anna', scopes }) },
  })
  t.same((await client.get('library')).texts('.columns > nav a'), ['Library'])
  for (const path of ['library', photo])
    t.equal((await client.get(path)).document.querySelector('form[method=post]'), null, path)
  t.equal((await client.post('delete-asset', [['confirmed', 'yes']])).status, 403)
  t.equal((await upload(client, [filePart('a.png', png())])).status, 403)
  scopes = ['orders:read']
  for (const path of ['library', photo, 'asset-preview?key=2026/11/photo.jpg&width=240'])
    t.equal((await client.get(path)).status, 403, path)
  scopes = ['assets:write']
  await host.call('PATCH', '/settings', { svc_api_assets_enabled: false })
  for (const path of ['library', photo]) t.equal((await client.get(path)).status, 404, path)
})

t.test('POST add-asset: what is no picture is refused', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design)
  const fields = fieldsOf(await client.get('library'), 'add-asset')
  t.equal((await upload(client, [...fields, filePart('a.png', 'no picture')])).status, 422)
  t.equal((await upload(client, [filePart('a.png', png())])).status, 403, 'without the token of the form')
  t.equal((await host.call('GET', '/assets')).body.data.length, 1)
})
