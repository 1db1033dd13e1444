// What every print provider must do, whatever stands behind it.
import type { Test } from 'tap'
import {
  type DraftItem,
  type PrintProvider,
  ProviderRefused,
  ProviderUnavailable,
} from '../../src/print/providers/provider.ts'

/** A provider to be tried, with a way to look at its drafts and to make it fail. */
export interface ProviderUnderTest {
  provider: PrintProvider
  /** Item ids of each draft with the file they print, by the shop's order id. */
  drafts(): Promise<Record<string, Record<string, string>>>
  /** Makes the next call fail: for good, or because nobody is there. */
  failNext(how: 'refuse' | 'be unavailable'): void
}

const fileUrl = 'https://shop.example/a.pdf'
const item = {
  orderId: '17',
  orderType: 'wc',
  itemId: 5,
  variation: '4012',
  fileUrl,
  jobGuid: 'g',
  printedUrls: async () => [fileUrl],
} satisfies DraftItem
const other = 'https://shop.example/b.pdf'
const changed: DraftItem = { ...item, fileUrl: other, printedUrls: async () => [other] }
const signal = () => new AbortController().signal

export function printProviderContract(t: Test, make: (t: Test) => Promise<ProviderUnderTest>): void {
  t.test('a repeat updates the draft and adds no other', async (t) => {
    const { provider, drafts } = await make(t)
    const first = await provider.upsertDraft(item, signal())
    const second = await provider.upsertDraft(changed, signal())
    t.equal(first.providerOrder, second.providerOrder)
    t.same(await drafts(), { 17: { 5: other } })
  })

  t.test('items of the same order come to one draft, other orders to their own', async (t) => {
    const { provider, drafts } = await make(t)
    await provider.upsertDraft(item, signal())
    await provider.upsertDraft({ ...item, itemId: 6 }, signal())
    await provider.upsertDraft({ ...item, orderId: '18' }, signal())
    t.same(await drafts(), { 17: { 5: item.fileUrl, 6: item.fileUrl }, 18: { 5: item.fileUrl } })
  })

  t.test('a refusal for good can be told from a provider that is not there', async (t) => {
    const { provider, drafts, failNext } = await make(t)
    failNext('refuse')
    await t.rejects(provider.upsertDraft(item, signal()), ProviderRefused)
    failNext('be unavailable')
    await t.rejects(provider.upsertDraft(item, signal()), ProviderUnavailable)
    t.same(await drafts(), {})
    await provider.upsertDraft(item, signal())
    t.same(await drafts(), { 17: { 5: item.fileUrl } })
  })

  t.test('a call that is given up changes nothing', async (t) => {
    const { provider, drafts } = await make(t)
    await t.rejects(provider.upsertDraft(item, AbortSignal.abort()))
    t.same(await drafts(), {})
  })
}
