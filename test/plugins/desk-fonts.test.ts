// A font that an order needs is uploaded on the desk.
import t from 'tap'
import { deskShop } from '../support/desk.ts'
import { filePart, form, formHeaders } from '../support/form.ts'
import { font } from '../support/make-font.ts'
import { textElement, viewWith } from '../support/render/render-shop.ts'
import { type ScreenClient, type ScreenPage, sameOrigin } from '../support/screen.ts'

const design = { product: [viewWith(textElement('Ahoy', { fontFamily: 'Lobster' }))] }

/** The fields of the form for a font, as they stand on the page. */
const fieldsOf = ({ document }: ScreenPage) =>
  [...document.querySelectorAll('form[action=font] [type=hidden]')].map((field) => ({
    name: field.getAttribute('name') ?? '',
    content: field.getAttribute('value') ?? '',
  }))

const upload = (client: ScreenClient, parts: Parameters<typeof form>[0], headers = sameOrigin) =>
  client.send('POST', 'font', form(parts), { ...formHeaders(), ...headers })

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
  t.equal((await upload(client, [...fieldsOf(page), good], elsewhere)).status, 403)
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
