// Optional views that the customer did not unlock, and what an export answers about its order.
import t from 'tap'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

const front = viewWith(textElement('Front text'))
const sleeve = { ...viewWith(textElement('Sleeve text')), title: 'Sleeve', locked: true }
const message = 'The customer did not unlock this optional view; it is not printed.'

t.test(
  'POST /orders/{id}/export: a locked view is not printed, and the answer and the job say so',
  async (t) => {
    const back = { ...viewWith(textElement('Back text')), title: 'Back' }
    const inOptions = { ...back, options: { ...back.options, locked: '1' } }
    const { order, host, only } = await renderShop(t, 'SQLite', { product: [front, sleeve, inOptions] })
    const { body } = await order()
    const expected = ['Sleeve', 'Back'].map((view) => ({ level: 'warning', code: 'page', view, message }))
    t.match(body.data.findings, expected)
    t.equal((await only()).toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
    const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
    t.match(job.preflight, expected)
  },
)

t.test('POST /orders/{id}/export: 422 when all views are locked', async (t) => {
  const { order } = await renderShop(t, 'SQLite', { product: [sleeve] })
  t.match(await order(), { status: 422, body: { message: 'The design holds nothing to print.' } })
})

t.test('POST /orders/{id}/export: a view that is not locked is printed without a finding', async (t) => {
  const { order } = await renderShop(t, 'SQLite', { product: [front, { ...sleeve, locked: false }] })
  t.strictSame((await order()).body.data.findings, [])
})

t.test('POST /orders/{id}/export: the answer names the state of an order that is not paid', async (t) => {
  const { order, host, id } = await renderShop(t, 'SQLite', { product: [front] })
  await host.db
    .updateTable('wp_posts' as never)
    .set({ post_status: 'wc-on-hold' } as never)
    .where('ID' as never, '=', id as never)
    .execute()
  const finding = { code: 'order-status', message: 'The order is on-hold, which is not a printable state.' }
  t.match((await order()).body.data.findings, [finding])
  t.match((await order({}, { prefer: 'respond-async' })).body.data.findings, [finding])
})
