// A process that holds the write lock of an SQLite file from a line on its input to the next one.
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
