// Which page of a design a print provider gets, where pages before it are left out.
import t from 'tap'
import type { DraftItem } from '../../../src/print/providers/provider.ts'
import { renderShop, textElement, viewWith } from '../../support/render/render-shop.ts'

const back = { ...viewWith(textElement('Back')), title: 'Back' }
const locked = { ...viewWith(textElement('Sleeve')), title: 'Sleeve', locked: true }
const blank = viewWith()

/** Exports a design of these views, and returns what the provider was given, and the job. */
async function ordered(t: Parameters<typeof renderShop>[0], product: unknown[], format: string) {
  const items: DraftItem[] = []
  const { order, host } = await renderShop(
    t,
    'SQLite',
    { product, variation_printful: '4012' },
    {
      printProvider: {
        async upsertDraft(item) {
          items.push(item)
          return { providerOrder: '1' }
        },
      },
    },
  )
  const { body } = await order({ output_format: format })
  const job = (await host.call('GET', `/print-jobs/${body.data.print_job_id}`)).body.data
  return { item: items[0], job }
}

t.test(
  'POST /orders/{id}/export: the provider learns which page is printed after a blank view',
  async (t) => {
    const { item, job } = await ordered(t, [blank, back], 'png')
    t.same(item?.positions, [1])
    t.notOk('positions' in job || 'refusals' in job, 'the job shows neither')
  },
)

t.test('POST /orders/{id}/export: the provider learns the pages around a locked view', async (t) => {
  const { item } = await ordered(t, [viewWith(textElement('Front')), locked, back], 'png')
  t.same(item?.positions, [0, 2])
})

t.test('POST /orders/{id}/export: pages of a whole design have no other places', async (t) => {
  const { item } = await ordered(t, [viewWith(textElement('Front')), back], 'png')
  t.equal(item?.positions, undefined)
})
