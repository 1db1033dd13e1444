// The script of the renderer's child processes, with two jobs: `read` finds the pictures that a design needs, `draw` draws it, and asks
// the host for the fonts that it needs. task-runner.ts starts both.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { errorCode } from '../core/foreign.ts'
import { serve } from '../workers/child.ts'
import { neededPictures } from './design-pages.ts'
import { render } from './render.ts'
import { answerOf } from './report.ts'
import type { Answer, LoadedFonts, Needs, PreviewTask, PrintTask, Task } from './task.ts'

// sharp caches no decoded pictures, and uses one thread.
sharp.cache(false)
sharp.concurrency(1)

/** Characters of an error with its stack that are sent to the host. */
const maxMessage = 10_000

// Large texts are passed as files in the folder of the task.
const designIn = (folder: string) => readFile(join(folder, 'design.json'), 'utf8')

const ticketIn = (task: Task) =>
  task.kind === 'print' && task.hasTicket ? readFile(join(task.folder, 'ticket.html'), 'utf8') : undefined

serve({
  // Returns the URLs of the pictures; none for a design that cannot be read: `draw` reports why.
  read: async () => async (task: (PrintTask | PreviewTask) & { folder: string }) => {
    try {
      return neededPictures({ ...task, design: await designIn(task.folder) })
    } catch {
      return []
    }
  },
  draw: async () => async (task: Task, ask) => {
    try {
      const [design, ticket] = await Promise.all([designIn(task.folder), ticketIn(task)])
      let lastReported = 0
      // Twenty messages are enough for a progress bar.
      const progress = async (done: number) => {
        if (done - lastReported < 0.05) return
        lastReported = done
        await ask({ done })
      }
      // The host answers with the paths of files.
      const fetch = async (needs: Needs) => (await ask(needs)) as LoadedFonts
      return answerOf(
        await render({ ...task, design, ...(ticket !== undefined && { ticket }) }, fetch, progress),
      )
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : 'unknown'
      const code: unknown = errorCode(error)
      return {
        kind: 'failed',
        message: message.slice(0, maxMessage),
        ...(typeof code === 'string' && { code: code.slice(0, maxMessage) }),
      } satisfies Answer
    }
  },
})
