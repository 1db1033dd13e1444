// A print provider that keeps its drafts in memory: for tests and experiments.
import { type DraftItem, type PrintProvider, ProviderRefused, ProviderUnavailable } from './provider.ts'

export interface MemoryProvider extends PrintProvider {
  /** Items by item id, by order id. */
  drafts: Map<string, Map<number, DraftItem>>
  /** How often it was called. */
  calls: number
  /** Replacements for the next calls, in order. */
  failures: ('refuse' | 'be unavailable')[]
}

export function memoryProvider(): MemoryProvider {
  const provider: MemoryProvider = {
    drafts: new Map(),
    calls: 0,
    failures: [],
    async upsertDraft(item, signal) {
      provider.calls++
      signal.throwIfAborted()
      const failure = provider.failures.shift()
      if (failure === 'refuse') throw new ProviderRefused('The provider does not print this.')
      if (failure) throw new ProviderUnavailable('The provider is not there.')
      const draft = provider.drafts.get(item.orderId) ?? new Map<number, DraftItem>()
      provider.drafts.set(item.orderId, draft.set(item.itemId, item))
      return { providerOrder: `draft-${item.orderId}` }
    },
  }
  return provider
}
