// A process that holds the write lock of an SQLite file between two lines on its input.
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'

const file = new DatabaseSync(String(process.argv[2]), { timeout: 5000 })
for (;;) {
  await once(process, 'message')
  file.exec('begin immediate')
  process.send?.('held')
  await once(process, 'message')
  file.exec('rollback')
  process.send?.('free')
}
