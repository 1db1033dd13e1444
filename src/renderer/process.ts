// The child process of the renderer: draws one task at a time, and requests the files that it needs.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { serve } from '../workers/child.ts'
import { render } from './render.ts'
import type { Gifts, Outcome, Task } from './task.ts'

// Nothing that was decoded is kept, and one thread draws.
sharp.cache(false)
sharp.concurrency(1)

serve({
  draw: async () => async (task: Task, ask) => {
    try {
      const design = await readFile(join(task.folder, 'design.json'), 'utf8')
      // The host answers needs with gifts.
      return await render({ ...task, design }, async (needs) => (await ask(needs)) as Gifts)
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : 'unknown'
      return { kind: 'failed', message } satisfies Outcome
    }
  },
})
