// Changes of font families: files and the option that offers them are two writes, and a process may die between them.
import { randomUUID } from 'node:crypto'
import { type NotedChange, onBehalfOf, upkeep } from '../core/change.ts'
import { SvcError } from '../core/errors.ts'
import { readStoredJson } from '../db/stored-json.ts'
import { fromJson } from '../json/parse.ts'
import type { OptionsStore } from '../settings/option-rows.ts'

/**
 * Changes of families whose files may have changed while the option that offers them has not, to Unix seconds. Each has a key
 * of its own, because several may run at the same time: the name of the family, a slash, and a UUID.
 */
const unfinishedKey = 'svc_fonts_unfinished'
/** Seconds after which the change of a family counts as abandoned. */
const abandoned = 30
/** Milliseconds between two searches for them. */
const betweenRepairs = 900

interface Families {
  find(name: string): Promise<{ name: string } | undefined>
  /** Makes the option agree with the files of a family. */
  offer(name: string): Promise<void>
}

export const fontChange = (action: NotedChange['action'], id: string): NotedChange => ({
  resource: 'font',
  action,
  id,
})

/** @param now Unix seconds by the clock of the database: several hosts compare the notes */
export function fontChanges(options: OptionsStore, now: () => Promise<number>, { find, offer }: Families) {
  const unfinishedIn = (stored: string | undefined): [own: string, since: number][] => {
    const text = readStoredJson(stored ?? null, '{}')
    return Object.entries(Object(text === undefined ? {} : fromJson(text))).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    )
  }

  /** Remembers a change of a family under its key, until files and option agree again. */
  async function note(noteKey: string, since: number | undefined, change?: NotedChange): Promise<void> {
    await options.update(
      unfinishedKey,
      (stored) => {
        const others = unfinishedIn(stored).filter(([other]) => other !== noteKey)
        return JSON.stringify(
          Object.fromEntries(since === undefined ? others : [...others, [noteKey, since]]),
        )
      },
      change && { noted: () => change },
    )
  }

  /**
   * Runs a change of a family's files, then makes the option agree; if the process dies in between, a note remains.
   * @param changeOf what the result of the work has changed
   */
  async function change<T>(
    name: string,
    work: () => Promise<T>,
    changeOf: (result: T) => NotedChange | undefined,
  ): Promise<T> {
    const noteKey = `${name}/${randomUUID()}`
    await note(noteKey, await now())
    try {
      const result = await work()
      await offer(name)
      await note(noteKey, undefined, changeOf(result))
      return result
    } catch (error) {
      if (error instanceof SvcError && error.statusCode < 500) await note(noteKey, undefined)
      throw error
    }
  }

  let repairedAt = Number.NEGATIVE_INFINITY

  /** Makes files and option agree if a process died between the two writes. */
  async function repair(): Promise<void> {
    if (performance.now() - repairedAt < betweenRepairs) return
    repairedAt = performance.now()
    await onBehalfOf(upkeep(), async () => {
      const unfinished = unfinishedIn(await options.get(unfinishedKey))
      if (unfinished.length === 0) return
      const limit = (await now()) - abandoned
      for (const [noteKey, since] of unfinished) {
        // A clock that was set back must not keep a note forever.
        if (since > limit && since < limit + 2 * abandoned) continue
        const name = noteKey.replace(/\/[0-9a-f-]{36}$/, '')
        await offer(name)
        // Which part of the change was done is not known any more.
        const remaining = await find(name)
        await note(noteKey, undefined, fontChange(remaining ? 'updated' : 'deleted', remaining?.name ?? name))
      }
    })
  }

  return { change, repair }
}
