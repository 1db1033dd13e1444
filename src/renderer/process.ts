// The child process of the renderer: draws one task at a time, and requests the files that it needs.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { serve } from '../workers/child.ts'
import { render } from './render.ts'
import { answerOf } from './report.ts'
import type { Answer, LoadedFiles, Needs, Task } from './task.ts'

// Nothing that was decoded is kept, and one thread draws.
sharp.cache(false)
sharp.concurrency(1)

/** Characters of an error with its stack. */
const maxMessage = 10_000

serve({
  draw: async () => async (task: Task, ask) => {
    try {
      const design = await readFile(join(task.folder, 'design.json'), 'utf8')
      // The host answers needs with the paths of loaded files.
      let told = 0
      // A few messages are enough for people.
      const progress = async (done: number) => {
        if (done - told < 0.05) return
        told = done
        await ask({ done })
      }
      const fetch = async (needs: Needs) => (await ask(needs)) as LoadedFiles
      return answerOf(await render({ ...task, design }, fetch, progress))
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : 'unknown'
      const code: unknown = Reflect.get(Object(error), 'code')
      return {
        kind: 'failed',
        message: message.slice(0, maxMessage),
        ...(typeof code === 'string' && { code: code.slice(0, maxMessage) }),
      } satisfies Answer
    }
  },
})
