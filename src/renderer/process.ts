// The process of the renderer: receives one task, requests the files it needs, reports the outcome, exits.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { render } from './render.ts'
import type { FromProcess, Gifts, Outcome, Task, ToProcess } from './task.ts'

// Nothing is reused in this process: no cache, and one thread.
sharp.cache(false)
sharp.concurrency(1)

const { promise: gifts, resolve: given } = Promise.withResolvers<Gifts>()

process.on('message', async (message: ToProcess) => {
  if ('gifts' in message) {
    given(message.gifts)
    return
  }
  const outcome = await work(message.task).catch(
    (error: unknown): Outcome => ({
      kind: 'failed',
      message: error instanceof Error ? (error.stack ?? error.message) : 'unknown',
    }),
  )
  process.send?.({ outcome } satisfies FromProcess, () => process.exit(0))
})

async function work(task: Task): Promise<Outcome> {
  const design = await readFile(join(task.folder, 'design.json'), 'utf8')
  return render({ ...task, design }, (needs) => {
    process.send?.({ needs } satisfies FromProcess)
    return gifts
  })
}

// If the host exits, nobody needs the file. This thread is blocked while it draws, so another one checks.
const watch = `const parent = process.ppid
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watch, { eval: true, env: {}, execArgv: [] }).unref()

process.on('disconnect', () => process.exit(0))
