// Ends and removes the events that a host left in the outbox when it removed all of its webhooks.
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from '../db/connect.ts'
import { betweenSweeps } from './changes.ts'
import { outbox } from './outbox.ts'

/**
 * Resolves once it is known whether there are any; they are ended in the background, and then nothing is left to run.
 * Needs the table.
 */
export async function leftEvents(
  connection: Pick<Connection, 'db' | 'dialect' | 't'>,
  warn: (details: object, message: string) => void,
  pause = betweenSweeps,
) {
  const queue = outbox(connection)
  const stopping = new AbortController()
  const { signal } = stopping

  /** Tried again later. */
  function failed(error: unknown): true {
    if (!signal.aborted) warn({ err: error }, 'The webhook events that were left could not be removed.')
    return true
  }

  async function endAll(): Promise<void> {
    do {
      await queue.sweep([]).catch(failed)
      await delay(pause, undefined, { signal, ref: false })
    } while (await queue.hasRows().catch(failed))
  }

  const hasSome = await queue.hasRows().catch(failed)
  return {
    /** Resolves when none is left, or after `stop`. */
    ended: hasSome ? endAll().catch(() => {}) : Promise.resolve(),
    stop: () => stopping.abort(),
  }
}
