// The provider in memory keeps the contract.
import t from 'tap'
import { printProviderContract } from '../../../contract/print-provider.ts'
import { memoryProvider } from '../../../support/fixtures/memory-provider.ts'

printProviderContract(t, async () => {
  const provider = memoryProvider()
  return {
    provider,
    failNext: (how) => provider.failures.push(how),
    drafts: async () =>
      Object.fromEntries(
        [...provider.drafts].map(([order, items]) => [
          order,
          Object.fromEntries([...items].map(([id, { fileUrl }]) => [id, fileUrl])),
        ]),
      ),
  }
})
