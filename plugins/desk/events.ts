// Live pages: server-sent events that tell browsers when the queue, the progress of a job or the check of all products has changed.
// script.ts loads the page again then.
import { PassThrough } from 'node:stream'
import { withoutDeadline } from '../../src/core/deadline.ts'
import { tryAgain } from '../../src/core/unavailable.ts'
import { hidden } from '../../src/http/schema.ts'
import { assertNotForeign } from '../../src/pages/forgery.ts'
import type { Desk } from './desk.ts'

/** Maximum number of listeners, and milliseconds after which each is closed; browsers then connect again. */
const maxListeners = 50
const maxTime = 5 * 60_000
/** Milliseconds between two polls, while a page listens. */
const interval = 1000
/** Number of polls after which a line is sent that keeps proxies from closing the connection. */
const pollsPerLine = 15

/** The route of the events. One timer polls for all listeners, and stops with the last of them. */
export function eventRoutes({ app, context, jobs, checks, assertMay }: Desk): void {
  const listeners = new Set<PassThrough>()
  /** Runs while there are listeners. */
  let timer: NodeJS.Timeout | undefined
  /** The state at the last poll; undefined before the first one. */
  let lastSignature: string | undefined
  let isPolling = false
  let polls = 0
  let isClosing = false

  /** What this process draws, in steps of five percent. */
  const progress = () =>
    [...context.exporter.drawing].map(([id, done]) => `${id}:${Math.floor(done * 20)}`).join()

  /** Reads the state, and notifies all listeners if it has changed since the last poll. Never rejects. */
  async function poll(): Promise<void> {
    // Polls do not overlap when the database is slow.
    if (isPolling) return
    isPolling = true
    try {
      const signature = `${await jobs.signature()} ${progress()} ${checks.signature()}`
      const hasChanged = lastSignature !== undefined && signature !== lastSignature
      lastSignature = signature
      polls++
      const line = hasChanged
        ? 'event: queue\ndata: changed\n\n'
        : polls % pollsPerLine === 0
          ? ': still here\n\n'
          : ''
      if (line !== '') for (const listener of listeners) listener.write(line)
    } catch {
      // The next poll may succeed; each listener is closed after `maxTime`.
    } finally {
      isPolling = false
    }
  }

  /** Removes a listener that has disconnected; the last one stops the timer. */
  function remove(listener: PassThrough): void {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    lastSignature = undefined
  }

  app.get('/events', { schema: hidden }, async (request, reply) => {
    assertNotForeign(request)
    assertMay(request, 'orders:read')
    if (isClosing || listeners.size >= maxListeners)
      throw tryAgain({
        reason: 'pages',
        message: isClosing
          ? 'The server is closing; reload later.'
          : 'Too many pages are live; reload instead.',
        seconds: 60,
      })
    // The client disconnected during admission: `close` was emitted before, so it would never remove the listener.
    if (reply.raw.destroyed) return reply.hijack()
    const listener = new PassThrough()
    listeners.add(listener)
    const limit = setTimeout(() => listener.end(), maxTime).unref()
    reply.raw.once('close', () => {
      clearTimeout(limit)
      remove(listener)
      listener.destroy()
    })
    timer ??= withoutDeadline(() => {
      // The first poll only records the state to compare with; at once, so that changes of the first second are reported.
      void poll()
      return setInterval(() => void poll(), interval).unref()
    })
    listener.write('retry: 5000\n\n')
    return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(listener)
  })

  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(timer)
    for (const listener of listeners) listener.end()
  })
}
