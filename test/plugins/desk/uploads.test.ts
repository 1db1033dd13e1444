// What a design lacks is uploaded on the desk: a font, a picture.
import { sql } from 'kysely'
import t from 'tap'
import type { Scope } from '../../../src/core/scopes.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { png } from '../../support/fixtures/make-png.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { filePart, form, formHeaders } from '../../support/hosts/form.ts'
import { type ScreenClient, type ScreenPage, sameOrigin } from '../../support/hosts/screen.ts'
import { pictureElement, textElement, uploadsUrl, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ahoy', { fontFamily: 'Lobster' }))] }

const lost = `${uploadsUrl}/svc/uploads/2026/11/lost.jpg`

/** The fields of the first form for a font or a picture, as they stand on the page. */
const fieldsOf = ({ document }: ScreenPage, action = 'font') =>
  [...(document.querySelector(`form[action=${action}]`)?.querySelectorAll('[type=hidden]') ?? [])].map(
    (field) => ({
      name: field.getAttribute('name') ?? '',
      content: field.getAttribute('value') ?? '',
    }),
  )

const upload = (
  client: ScreenClient,
  parts: Parameters<typeof form>[0],
  { headers = sameOrigin, path = 'font' } = {},
) => client.send('POST', path, form(parts), { ...formHeaders(), ...headers })

t.test('the check of an order takes the font that is missing, and what it is called', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', design, { audit: true })
  const check = `check?type=wc&id=${id}&item=${item}`
  const page = await client.get(check)
  t.match(page.texts('form[action=font] label'), ['Font Lobster (.ttf)'])
  const sent = await upload(client, [...fieldsOf(page), filePart('downloaded.ttf', font())])
  t.match([sent.status, sent.headers.location], [303, check])
  const fonts = await host.call('GET', '/fonts')
  t.ok(fonts.body.data.some(({ name }: { name: string }) => name === 'Lobster'))
  t.match((await client.get('audit')).texts('main tr').join(), 'desk')
  t.equal((await client.get(check)).document.querySelector('form[action=font]'), null)
})

t.test('a file that is no font, a foreign form and a site that is not this one are refused', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', design)
  const page = await client.get(`check?type=wc&id=${id}&item=${item}`)
  const good = filePart('Lobster.ttf', font())
  const wrong = await upload(client, [...fieldsOf(page), filePart('Lobster.ttf', 'no font')])
  t.equal(wrong.status, 422)
  t.match(wrong.texts('.notice').join(), 'the content is of another type')
  const forged = fieldsOf(page).map((field) => (field.name === '_form' ? { ...field, content: 'x' } : field))
  t.equal((await upload(client, [...forged, good])).status, 403)
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  t.equal((await upload(client, [...fieldsOf(page), good], { headers: elsewhere })).status, 403)
  t.notMatch(JSON.stringify((await host.call('GET', '/fonts')).body), 'Lobster')
})

t.test('whoever may not write fonts sees no form, and is refused', async (t) => {
  const { client, id, item } = await deskShop(t, 'SQLite', design, {
    desk: { authorize: () => ({ name: 'anna', scopes: ['orders:write', 'print_jobs:write'] }) },
  })
  const page = await client.get(`check?type=wc&id=${id}&item=${item}`)
  t.match(page.texts('main').join(), 'nothing: upload it')
  t.equal(page.document.querySelector('main form'), null)
  t.equal((await upload(client, [filePart('Lobster.ttf', font())])).status, 403)
})

t.test('a picture that is lost is replaced in the design, in the size that it had', (t) =>
  onEachDialect(t, async (t, engine) => {
    const placed = { left: 200, top: 150, width: 32, height: 24, scaleX: 2, scaleY: 2 }
    const ordered = {
      product: [viewWith(pictureElement(lost, placed), pictureElement(lost, { left: 80, top: 80 }))],
      serial: '@',
    }
    const text = JSON.stringify(ordered).replace('"@"', '12345678901234567890')
    const { client, host, id, item } = await deskShop(t, engine, text, { audit: true })
    const check = `check?type=wc&id=${id}&item=${item}`
    const page = await client.get(check)
    t.same(page.texts('form[action=picture] label'), ['Front, Photo lost.jpg (.png, .jpg, .svg)'])
    const file = filePart('sent by mail.png', png({ width: 64, height: 48 }))
    const sent = await upload(client, [...fieldsOf(page, 'picture'), file], { path: 'picture' })
    t.match([sent.status, sent.headers.location], [303, check])
    const order = await host.call('GET', `/orders/${id}?item_id=${item}`)
    const [asset] = (await host.call('GET', '/assets')).body.data
    t.match(order.body.data.items[0].product[0].elements, [
      { source: asset.url, parameters: { width: 64, height: 48, scaleX: 1, scaleY: 1, left: 200 } },
      { source: asset.url, parameters: { left: 80 } },
    ])
    t.match(order.text, '"serial":12345678901234567890')
    t.match((await client.get(check)).texts('.notice'), ['Ready to print.'])
    t.match((await client.get('audit')).texts('main tr').join(), /wc order 1 updated ?desk ?replace_picture/)
  }),
)

t.test(
  'GET /desk/check: the advice and the field of a lost picture name all views that it repairs',
  async (t) => {
    const view = viewWith(pictureElement(lost))
    const design = {
      product: [
        { ...view, title: 'Left' },
        { ...view, title: 'Right' },
      ],
    }
    const { client, id, item } = await deskShop(t, 'SQLite', design)
    const page = await client.get(`check?type=wc&id=${id}&item=${item}`)
    t.match(
      page.texts('.finding.refusal .remark').join(),
      'Upload the picture below; it replaces lost.jpg in Left and Right.',
    )
    t.same(page.texts('form[action=picture] label'), [
      'Left, Photo; Right, Photo lost.jpg (.png, .jpg, .svg)',
    ])
  },
)

t.test('a lost picture of a product is replaced in its views', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design)
  const { id } = (await host.call('POST', '/products', { title: 'Mug' })).body.data
  const { elements, options } = viewWith(pictureElement(lost))
  await host.call('POST', `/products/${id}/views`, { title: 'Front', elements, options })
  const page = await client.get(`check?type=product&id=${id}`)
  const parts = [...fieldsOf(page, 'picture'), filePart('new.png', png())]
  t.equal((await upload(client, parts, { path: 'picture' })).status, 303)
  const { data } = (await host.call('GET', `/products/${id}/views`)).body
  t.match(data[0].elements[0].source, /\.png$/)
  t.match((await client.get(`check?type=product&id=${id}`)).texts('.notice'), ['Ready to print.'])
})

t.test(
  'POST /desk/picture: keeps a picture that the first view shows when the second view cannot be written',
  async (t) => {
    const { client, host } = await deskShop(t, 'SQLite', design)
    const { id } = (await host.call('POST', '/products', { title: 'Mug' })).body.data
    const { elements, options } = viewWith(pictureElement(lost))
    for (const title of ['Front', 'Back'])
      await host.call('POST', `/products/${id}/views`, { title, elements, options })
    const page = await client.get(`check?type=product&id=${id}`)
    await sql`create trigger refused before update on wp_svc_views when new.title = 'Back'
    begin select raise(abort, 'refused'); end`.execute(host.db)
    const parts = [...fieldsOf(page, 'picture'), filePart('new.png', png())]
    t.equal((await upload(client, parts, { path: 'picture' })).status, 500)
    const [front, back] = (await host.call('GET', `/products/${id}/views`)).body.data
    t.equal(back.elements[0].source, lost)
    const { data } = (await host.call('GET', '/assets')).body
    t.ok(data.some(({ url }: { url: string }) => url === front.elements[0].source))
  },
)

t.test('what is no picture, or for no picture of the design, leaves neither asset nor change', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', {
    product: [viewWith(pictureElement(lost))],
  })
  const page = await client.get(`check?type=wc&id=${id}&item=${item}`)
  const fields = fieldsOf(page, 'picture')
  const other = fields.map((field) => (field.name === 'picture' ? { ...field, content: 'x' } : field))
  const sending = (parts: Parameters<typeof form>[0]) => upload(client, parts, { path: 'picture' })
  t.equal((await sending([...other, filePart('a.png', png())])).status, 404)
  t.equal((await sending([...fields, filePart('a.png', 'no picture')])).status, 422)
  t.equal((await sending([filePart('a.png', png())])).status, 403)
  const { data } = (await host.call('GET', '/assets')).body
  t.match(data, [{ key: '2026/11/photo.jpg' }])
  t.equal(data.length, 1)
  t.match((await host.call('GET', `/orders/${id}`)).text, 'lost.jpg')
})

t.test('to replace a picture needs the rights to upload files and to change the order', async (t) => {
  let scopes: Scope[] = ['orders:write']
  const { client, host, id, item } = await deskShop(
    t,
    'SQLite',
    { product: [viewWith(pictureElement(lost))] },
    { desk: { authorize: () => ({ name: 'anna', scopes }) } },
  )
  const check = `check?type=wc&id=${id}&item=${item}`
  const isOffered = async () =>
    (await client.get(check)).document.querySelector('form[action=picture]') !== null
  t.notOk(await isOffered())
  scopes = ['orders:read', 'assets:write']
  t.notOk(await isOffered())
  scopes = ['orders:write', 'assets:write']
  const parts = [...fieldsOf(await client.get(check), 'picture'), filePart('a.png', png())]
  for (scopes of [['orders:write'], ['orders:read', 'assets:write']] satisfies Scope[][])
    t.equal((await upload(client, parts, { path: 'picture' })).status, 403, scopes.join())
  t.match((await host.call('GET', `/orders/${id}`)).text, 'lost.jpg')
})
