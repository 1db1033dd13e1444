// The storages that tests use keep the contract, too.
import t from 'tap'
import { storageContract } from '../../contract/storage.ts'
import { failingStorage, memoryStorage } from '../../support/fixtures/memory-storage.ts'

t.test('in memory', async (t) => storageContract(t, async () => memoryStorage()))

t.test('one that could fail, but does not', async (t) =>
  storageContract(t, async () => failingStorage(memoryStorage()).storage),
)

t.test('a storage fails as it is told, and works again afterwards', async (t) => {
  const { storage, failing } = failingStorage(memoryStorage())
  failing.add('put')
  await t.rejects(storage.put('a/b', Buffer.from('x')), { code: 'ENOSPC' })
  t.equal(await storage.stat('a/b'), undefined)
  failing.clear()
  await storage.put('a/b', Buffer.from('x'))
  t.match(await storage.stat('a/b'), { size: 1 })
})
