// Ends and removes the events that a host left in the outbox when it removed all of its webhooks.
import type { Connection } from '../db/connect.ts'
import { betweenSweeps } from './changes.ts'
import { outbox } from './outbox.ts'

/**
 * Looks for them after each pause, until none is left. Needs the table. The first pause comes first, so that neither a
 * start nor a process that soon ends, such as a command, costs anything or writes.
 */
export function leftEvents(
  connection: Pick<Connection, 'db' | 'dialect' | 't'>,
  warn: (details: object, message: string) => void,
  pause = betweenSweeps,
) {
  const queue = outbox(connection)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isStopped = false

  function stop(): void {
    isStopped = true
    clearInterval(timer)
    resolve()
  }

  async function look(): Promise<void> {
    try {
      if (await queue.hasRows()) await queue.sweep([])
      else stop()
    } catch (error) {
      if (!isStopped) warn({ err: error }, 'The webhook events that were left could not be removed.')
    }
  }

  const timer = setInterval(look, pause).unref()
  return { stop, ended }
}
