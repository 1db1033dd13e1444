// Changes of font families. The files and the option that offers them to customers are two writes, and a process may die between
// them: a note in another option lets any process make both agree.
import { randomUUID } from 'node:crypto'
import { type NotedChange, onBehalfOf, upkeep } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import { membersOf } from '../core/foreign.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import type { OptionsStore } from '../settings/option-rows.ts'

/**
 * The option with the notes: when each change of a family began, in Unix seconds, by the key of the change: the name of the family,
 * a slash, and a UUID, because several changes of a family may run at the same time.
 */
const unfinishedKey = 'svc_fonts_unfinished'
/** Seconds after which the change of a family counts as abandoned. */
const abandonedAge = 30
/** Milliseconds between two searches for abandoned changes. */
const betweenRepairs = 900

/** The functions of fonts.ts on families. */
interface Families {
  find(name: string): Promise<{ name: string } | undefined>
  /** Makes the option agree with the files of a family. */
  offer(name: string): Promise<void>
}

/** The change of a family for the audit trail and webhooks. */
export const fontChange = (action: NotedChange['action'], id: string): NotedChange => ({
  resource: 'font',
  action,
  id,
})

/** The changes of one context. @param now Unix seconds by the clock of the database, because several hosts compare the notes */
export function fontChanges(options: OptionsStore, now: () => Promise<number>, { find, offer }: Families) {
  const unfinishedIn = (stored: string | undefined): [noteKey: string, since: number][] => {
    const text = readStoredJson(stored ?? null, '{}')
    return Object.entries(membersOf(text === undefined ? {} : fromJson(text))).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    )
  }

  /** Writes the note of a change, or removes it if `since` is undefined: files and option agree. */
  async function writeNote(noteKey: string, since: number | undefined, change?: NotedChange): Promise<void> {
    await options.update(
      unfinishedKey,
      (stored) => {
        const otherNotes = unfinishedIn(stored).filter(([otherKey]) => otherKey !== noteKey)
        const notes = since === undefined ? otherNotes : [...otherNotes, [noteKey, since]]
        return JSON.stringify(Object.fromEntries(notes))
      },
      change && { noted: () => change },
    )
  }

  /**
   * Runs a change of a family's files, then makes the option agree; if the process dies in between, the note remains.
   * @param work changes the files
   * @param changeOf the change to report, by the result of the work
   */
  async function change<T>(
    name: string,
    work: () => Promise<T>,
    changeOf: (result: T) => NotedChange | undefined,
  ): Promise<T> {
    const noteKey = `${name}/${randomUUID()}`
    await writeNote(noteKey, await now())
    try {
      const result = await work()
      await offer(name)
      await writeNote(noteKey, undefined, changeOf(result))
      return result
    } catch (error) {
      // A refused change has changed no file; after other errors, `repair` makes files and option agree.
      if (error instanceof SvcError && error.statusCode < 500) await writeNote(noteKey, undefined)
      throw error
    }
  }

  let repairedAt = Number.NEGATIVE_INFINITY

  /** Finishes changes whose process died between the two writes; looks for them at most every 0.9 seconds. */
  async function repair(): Promise<void> {
    if (performance.now() - repairedAt < betweenRepairs) return
    repairedAt = performance.now()
    await onBehalfOf(upkeep(), async () => {
      const unfinished = unfinishedIn(await options.get(unfinishedKey))
      if (unfinished.length === 0) return
      const limit = (await now()) - abandonedAge
      for (const [noteKey, since] of unfinished) {
        // A time far in the future is that of a clock that was set back, and counts as abandoned.
        if (since > limit && since < limit + 2 * abandonedAge) continue
        const name = noteKey.replace(/\/[0-9a-f-]{36}$/, '')
        await offer(name)
        // The note does not say which part of the change was done, so the remaining files decide what is reported.
        const remaining = await find(name)
        await writeNote(
          noteKey,
          undefined,
          fontChange(remaining ? 'updated' : 'deleted', remaining?.name ?? name),
        )
      }
    })
  }

  return { change, repair }
}
