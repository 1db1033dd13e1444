// What every storage must do, as tests of tap.
import type { Test } from 'tap'
import { storageConformance } from '../../src/storage/conformance.ts'
import type { FileStorage } from '../../src/storage/storage.ts'

export function storageContract(t: Test, make: (t: Test) => Promise<FileStorage>): void {
  for (const { name, run } of storageConformance) {
    t.test(name, async (t) => {
      await run(await make(t))
      t.pass(name)
    })
  }
}
