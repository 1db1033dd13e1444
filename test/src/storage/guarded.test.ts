// A remote storage that responds too late: nobody waits for it, and what it gives then ends nothing.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { within } from '../../../src/core/deadline.ts'
import { guarded } from '../../../src/storage/guarded.ts'
import { memoryStorage } from '../../support/fixtures/memory-storage.ts'

t.test(
  'open: a stream that arrives after the time is closed, and its failure does not end the process',
  async (t) => {
    const late = new Readable({ read: () => {} })
    const slow = { ...memoryStorage(), open: () => delay(50, late) }
    const opened = within(260, () => guarded(slow).open('a/b.pdf'))
    await t.rejects(opened, { code: 'svc_storage_unavailable' })
    await delay(100)
    t.equal(late.destroyed, true)
    late.emit('error', new Error('The connection was reset.'))
  },
)
