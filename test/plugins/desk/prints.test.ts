// What the buttons of an order print: in which colors, how far it is, and what is sent to the provider.
import t from 'tap'
import { memoryProvider } from '../../support/fixtures/memory-provider.ts'
import { onEachDialect } from '../../support/hosts/build.ts'
import { deskShop, jobRow } from '../../support/hosts/desk.ts'
import { textElement, viewWith } from '../../support/render/render-shop.ts'

const design = { product: [viewWith(textElement('Ada Lovelace'))] }

t.test('where no profile is configured the form offers no color, and cmyk is refused', async (t) => {
  const { client, id, order } = await deskShop(t, 'SQLite', design)
  const page = await client.get(`order?type=wc&id=${id}`)
  t.notOk(page.document.querySelector('[name=color]'))
  const refused = await order({ color: 'cmyk' })
  t.match([refused.status, refused.body.data.params.color], [400, /no color profile/])
  const made = await order({ color: 'rgb' })
  t.equal(made.body.data.status, 'completed')
})

t.test('a failed job shows no progress, one that is being stored shows it in percent', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', design)
  const stored = await jobRow(host, {
    type: 'wc',
    id,
    item,
    status: 'processing',
    step: 'downloaded',
    isHeld: true,
  })
  const waiting = await jobRow(host, { type: 'wc', id, item, status: 'pending' })
  const page = await client.get('queue')
  const bars = [...page.document.querySelectorAll('progress')].map((bar) => [
    bar.getAttribute('aria-label'),
    bar.getAttribute('value'),
    bar.getAttribute('max'),
  ])
  t.same(
    new Set(bars.map((bar) => bar.join())),
    new Set([`Progress of job ${stored.id},80,100`, `Progress of job ${waiting.id},0,100`]),
  )
  t.match(page.texts('.progress').join(), 'Being stored, 80 %')
  t.match(page.texts('.state').join(), 'Running')
})

t.test('an item of the provider is sent to it by a button of its own, and once more after it failed', (t) =>
  onEachDialect(t, async (t, engine) => {
    const provider = memoryProvider()
    provider.failures.push('refuse')
    const sold = { ...design, variation_printful: '4012' }
    const { client, host, id, item } = await deskShop(t, engine, sold, { printProvider: provider })
    const ended = async (count: number) => {
      while (
        provider.calls < count ||
        (await host.call('GET', '/print-jobs?status=processing')).body.meta.total > 0
      )
        await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const page = await client.get(`order?type=wc&id=${id}`)
    t.match(page.texts('main button').join(), 'Send to the print provider')
    t.match(page.texts('main').join(), 'The print provider prints this: each new file is sent to it.')
    await client.submit(page, 'print')
    await ended(1)
    const queue = await client.get('queue')
    const failed = queue.texts('[aria-labelledby=section-failed] li').join()
    t.match(failed, 'The provider does not print this.')
    t.match(failed, 'Correct in the order what the provider names')
    t.match(queue.texts('[aria-labelledby=section-failed] button').join(), 'Send again')
    t.equal(provider.drafts.size, 0)
    t.equal((await client.submit(queue, 'retry')).headers.location, 'queue?said=retried')
    await ended(2)
    t.match(provider.drafts.get(String(id))?.get(item), { variation: '4012', orderType: 'wc' })
    t.equal(provider.calls, 2)
    t.match((await client.get(`order?type=wc&id=${id}`)).texts(`#item-${item}`).join(), 'Ready')
  }),
)

t.test('an item that the shop prints has no such button', async (t) => {
  const { client, id } = await deskShop(t, 'SQLite', design)
  t.notMatch((await client.get(`order?type=wc&id=${id}`)).texts('main').join(), 'Send to the print provider')
})

t.test('what the provider is asked to print is changed on the page of the order, or taken back', (t) =>
  onEachDialect(t, async (t, engine) => {
    const sold = { ...design, variation_printful: '4012' }
    const { client, host, id, item } = await deskShop(t, engine, sold, { printProvider: memoryProvider() })
    const change = async (variation: string) => {
      const page = await client.get(`order?type=wc&id=${id}`)
      const form = page.document.querySelector('form[action=variation]')
      const hidden = [...(form?.querySelectorAll('[type=hidden]') ?? [])].map((field): [string, string] => [
        field.getAttribute('name') ?? '',
        field.getAttribute('value') ?? '',
      ])
      return client.post('variation', [...hidden, ['variation', variation]])
    }
    const stored = async () =>
      (await host.call('GET', `/orders/${id}?item_id=${item}`)).body.data.items[0].variation_printful
    t.equal((await change(' 4013 ')).headers.location, `order?type=wc&id=${id}&item=${item}&said=variation`)
    t.equal(await stored(), '4013')
    t.equal((await change('x'.repeat(101))).status, 400)
    t.equal((await change('')).headers.location, `order?type=wc&id=${id}&item=${item}&said=here`)
    const page = await client.get(`order?type=wc&id=${id}`)
    t.notMatch(page.texts('main').join(), 'Send to the print provider')
    t.equal((await change('4014')).status, 303)
    t.equal(await stored(), '4014')
  }),
)

t.test('where no provider is set up, the queue leads to the settings', async (t) => {
  const error = { code: 'svc_print_provider_not_configured', message: 'No print provider is configured.' }
  const { client, host, id, item } = await deskShop(t, 'SQLite', design, { desk: { settingsUrl: '/admin' } })
  await jobRow(host, { type: 'wc', id, item, status: 'failed', error })
  const { document } = await client.get('queue')
  const link = document.querySelector('[aria-labelledby=section-failed] li .remark a')
  t.match([link?.getAttribute('href'), link?.textContent], ['/admin', 'Open the settings'])
})

t.test('the queue: a font whose substitute is not installed is to be uploaded or installed', async (t) => {
  const { client, host, id, item } = await deskShop(t, 'SQLite', design)
  const message =
    'The font "Arial" is not uploaded. The package @expo-google-fonts/arimo, which has a substitute, is not installed.'
  const error = { code: 'svc_render_refused', message, refusals: ['font', 'picture'] }
  await jobRow(host, { type: 'wc', id, item, status: 'failed', error })
  const queue = await client.get('queue')
  t.match(
    queue.texts('[aria-labelledby=section-failed] li').join(),
    /upload the font there, or ask .* to install the package/,
  )
})
