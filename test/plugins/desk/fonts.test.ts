// The fonts of the desk: shown, checked by the renderer, uploaded and deleted by those who may.
import t from 'tap'
import type { Scope } from '../../../src/core/scopes.ts'
import { font } from '../../support/fixtures/make-font.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { deskShop } from '../../support/hosts/desk.ts'
import { filePart, form, formHeaders } from '../../support/hosts/form.ts'
import { type ScreenClient, type ScreenPage, sameOrigin, store } from '../../support/hosts/screen.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ahoy'))] }

const fieldsOf = ({ document }: ScreenPage, action: string) =>
  [...document.querySelectorAll(`form[action=${action}] [type=hidden]`)].map((field) => ({
    name: field.getAttribute('name') ?? '',
    content: field.getAttribute('value') ?? '',
  }))

const upload = (client: ScreenClient, parts: Parameters<typeof form>[0]) =>
  client.send('POST', 'add-font', form(parts), { ...formHeaders(), ...sameOrigin })

t.test('GET fonts: every family in its own letters, found by a part of its name', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design)
  const page = await client.get('fonts')
  t.same(page.texts('.specimens .name'), ['Liberation Sans'])
  t.same(page.texts('.specimens .remark'), ['Regular, Bold'])
  t.equal(page.document.querySelector('[aria-current=page]')?.textContent, 'Fonts')
  const sheet = await client.get('font-faces.css')
  t.match(sheet.headers['content-type'], 'text/css')
  const [face = ''] = page.document.querySelector('.specimens .specimen')?.className.match(/face-\w+/) ?? []
  t.match(sheet.text, `font-family: ${face}; src: url("font-file?file=Liberation_Sans.ttf")`)
  const file = await client.get('font-file?file=Liberation_Sans.ttf')
  t.match([file.status, file.headers['content-type']], [200, 'font/ttf'])
  const again = await client.get('font-file?file=Liberation_Sans.ttf', { 'if-none-match': file.headers.etag })
  t.equal(again.status, 304)
  for (const path of ['../uploads/2026/11/photo.jpg', 'Lobster.ttf', ''])
    t.equal((await client.get(`font-file?file=${encodeURIComponent(path)}`)).status, 404, path)
  t.same((await client.get('fonts?q=LIBER')).texts('.specimens .name'), ['Liberation Sans'])
  t.same((await client.get('fonts?q=x')).texts('.specimens .name'), [])
})

t.test('GET font: designs that name it, whatever the database', (t) =>
  onEachDialect(t, async (t, engine) => {
    const { client, host, id } = await deskShop(t, engine, design)
    const create = async (title: string, fontFamily: string) => {
      const { body } = await host.call('POST', '/products', { title })
      await host.call('POST', `/products/${body.data.id}/views`, viewWith(textElement('x', { fontFamily })))
    }
    await create('Mug', 'Liberation Sans')
    await create('Bag', 'Liberation Serif')
    await store(host, { svc_font: 'Liberation Sans' })
    const page = await client.get('font?name=Liberation%20Sans')
    const usages = page.texts('[aria-labelledby=font-usages] dl > *')
    t.same(usages, ['Products', 'Mug', 'Orders', `Shop ${id}`, 'Settings', 'svc_font'])
    t.match(page.texts('form[action=delete-font] label'), ['although it is used'])
    t.equal((await client.get('font?name=Lobster')).status, 404)
  }),
)

t.test('GET font: the letters that the renderer cannot print', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design)
  const good = await client.get('font?name=Liberation%20Sans')
  t.same(good.texts('[aria-labelledby=font-check] p'), ['The renderer prints all letters of the sample.'])
  const parts = [...fieldsOf(await client.get('fonts'), 'add-font'), filePart('Three.ttf', font())]
  const sent = await upload(client, parts)
  t.match([sent.status, sent.headers.location], [303, 'font?name=Three&uploaded=1'])
  const page = await client.get(sent.headers.location ?? '')
  t.match(page.texts('.notice'), ['The font was uploaded.'])
  t.match(page.texts('[aria-labelledby=font-check] .finding').join(), 'The font "Three" lacks')
  t.match(page.texts('[aria-labelledby=font-usages]').join(), 'Not used in this shop.')
  const { body } = await host.call('GET', '/fonts')
  t.ok(body.data.some(({ name }: { name: string }) => name === 'Three'))
})

t.test('POST add-font: the field "name" names the family; a file that is no font is refused', async (t) => {
  const { client } = await deskShop(t, 'SQLite', design, { audit: true })
  const fields = fieldsOf(await client.get('fonts'), 'add-font')
  const name = { name: 'name', content: 'Great Vibes' }
  const sent = await upload(client, [...fields, name, filePart('download.ttf', font())])
  t.equal(sent.headers.location, 'font?name=Great%20Vibes&uploaded=1')
  t.match((await client.get('audit')).texts('main tr').join(), 'upload_font')
  const wrong = await upload(client, [...fields, filePart('Lobster.ttf', 'no font')])
  t.match([wrong.status, wrong.texts('.notice').join()], [422, 'the content is of another type'])
  t.equal(
    (await upload(client, [filePart('Lobster.ttf', font())])).status,
    403,
    'without the token of the form',
  )
})

t.test('POST delete-font: once it is confirmed', async (t) => {
  const { client, host } = await deskShop(t, 'SQLite', design, { audit: true })
  const page = await client.get('font?name=Liberation%20Sans')
  t.equal((await client.submit(page, 'delete-font')).status, 400)
  t.equal((await client.submit(page, 'delete-font', { confirmed: 'yes', _form: 'x' })).status, 403)
  const sent = await client.submit(page, 'delete-font', { confirmed: 'yes' })
  t.match([sent.status, sent.headers.location], [303, 'fonts?deleted=1'])
  t.match((await client.get('fonts?deleted=1')).texts('.notice'), ['The font was deleted.'])
  t.same((await host.call('GET', '/fonts')).body.data, [])
  t.match((await client.get('audit')).texts('main tr').join(), 'delete_font')
  t.equal((await client.submit(page, 'delete-font', { confirmed: 'yes' })).status, 404)
})

t.test(
  'who may only read fonts sees them without buttons; who may not, and with the toggle off, finds none',
  async (t) => {
    let scopes: Scope[] = ['fonts:read']
    const { client, host } = await deskShop(t, 'SQLite', design, {
      desk: { authorize: () => ({ name: 'anna', scopes }) },
    })
    const names = async () => (await client.get('fonts')).texts('.columns > nav a')
    t.same(await names(), ['Fonts'])
    for (const path of ['fonts', 'font?name=Liberation%20Sans'])
      t.equal((await client.get(path)).document.querySelector('form[method=post]'), null, path)
    t.equal(
      (
        await client.post('delete-font', [
          ['name', 'Liberation Sans'],
          ['confirmed', 'yes'],
        ])
      ).status,
      403,
    )
    t.equal((await upload(client, [filePart('Lobster.ttf', font())])).status, 403)
    scopes = ['orders:read']
    for (const path of [
      'fonts',
      'font?name=Liberation%20Sans',
      'font-faces.css',
      'font-file?file=Liberation_Sans.ttf',
    ])
      t.equal((await client.get(path)).status, 403, path)
    scopes = ['fonts:write', 'orders:read']
    await host.call('PATCH', '/settings', { svc_api_fonts_enabled: false })
    t.same((await client.get('orders')).texts('.columns > nav a'), ['Orders'])
    for (const path of ['fonts', 'font?name=Liberation%20Sans', 'font-faces.css'])
      t.equal((await client.get(path)).status, 404, path)
  },
)

t.test('GET font: text templates are a usage with a link to their page of the settings', async (t) => {
  const templates = JSON.stringify([{ text: 'Ahoy', fontFamily: 'Liberation Sans', fontSize: 12 }])
  const usageOf = async (settingsUrl?: string) => {
    const { client, host } = await deskShop(t, 'SQLite', design, settingsUrl ? { desk: { settingsUrl } } : {})
    await store(host, { svc_text_templates: templates })
    const page = await client.get('font?name=Liberation%20Sans')
    const place = '[aria-labelledby=font-usages] dl > dd:last-child'
    const link = page.document.querySelector(`${place} a`)
    return [page.texts(place).join(), link?.getAttribute('href')]
  }
  t.same(await usageOf('/settings/'), ['Text templates', '/settings/edit-text-templates'])
  t.same(await usageOf(), ['Text templates', undefined])
})
