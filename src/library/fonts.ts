// Font families: files in svc/fonts, and the option that names those offered to customers.
import { randomUUID } from 'node:crypto'
import { type NotedChange, onBehalfOf, upkeep } from '../core/change.ts'
import { SvcError, unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { type PhpEntry, writePhp } from '../db/php-value.ts'
import { readStoredArray, readStoredJson } from '../db/stored-json.ts'
import type { AcceptedFont } from '../files/accept.ts'
import { svcFolders } from '../files/folders.ts'
import { type FontFamily, filesOfFamily, fontFamilies } from '../files/font/families.ts'
import { familyKey, fontFile, fontOfFile } from '../files/names.ts'
import { fromJson } from '../json/parse.ts'
import { keyedQueue } from '../settings/keyed-queue.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { LocalStorage } from '../storage/local.ts'

interface Font {
  name: string
  file: string
  url: string
  /** URLs of the existing variants. */
  variants: { bold?: string; italic?: string; bolditalic?: string }
}

export const folder = svcFolders.fonts
const offeredKey = 'svc_fonts_directory'
/**
 * Changes of families whose files may have changed while the option that offers them has not, to Unix seconds. Each has a key
 * of its own, because several may run at the same time: the name of the family, a slash, and a UUID.
 */
const unfinishedKey = 'svc_fonts_unfinished'
/** Seconds after which the change of a family counts as abandoned. */
const abandoned = 30
/** Milliseconds between two searches for them. */
const betweenRepairs = 900

/** A stored family, and the name by which a repeated request finds it. */
export interface FoundFont {
  font: Font
  found_by: string
}

export function fontsRepository(database: Database, options: OptionsStore, storage: LocalStorage) {
  const { t, dialect, transaction } = database
  // Serialized in this process, so that waiting writers hold no connection.
  const inTurn = keyedQueue()

  const pathOf = (file: string) => `${folder}/${file}`

  function toFont({ name, file, variants }: FontFamily): Font {
    const urls = Object.entries(variants).map(([variant, own]) => [variant, storage.url(pathOf(own))])
    return { name, file, url: storage.url(pathOf(file)), variants: Object.fromEntries(urls) }
  }

  /**
   * Runs what changes files while nobody else does. An embedded database would make all its writers wait for the disk; there,
   * only this process takes turns.
   */
  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(folder, () =>
      dialect.locksRows
        ? transaction(async (trx) => {
            await guard(database, trx, 'fonts')
            return work()
          })
        : work(),
    )

  async function find(name: string): Promise<FontFamily | undefined> {
    const key = familyKey(name.replaceAll('_', ' '))
    return fontFamilies(await storage.list(folder)).find((family) => familyKey(family.name) === key)
  }

  async function foundOf(name: string): Promise<FoundFont | undefined> {
    const family = await find(name)
    return family && { font: toFont(family), found_by: family.name }
  }

  async function removeAll(files: readonly string[]): Promise<void> {
    for (const file of files) await storage.remove(pathOf(file))
  }

  /** @throws SvcError 500 when what is stored cannot be read, and so could not be kept */
  function offeredIn(stored: string | undefined): readonly PhpEntry[] {
    const entries = readStoredArray(stored ?? null)
    if (!entries) throw unreadableValue({ table: t.options, row: offeredKey, column: 'option_value' })
    return entries
  }

  /** Makes the option name exactly the base file, or none, of the family; entries of others stay as they are. */
  async function offer(name: string): Promise<void> {
    const key = familyKey(name)
    const isOwn = ([, file]: PhpEntry) =>
      typeof file === 'string' && familyKey(fontOfFile(file)?.family ?? '') === key
    const there = async () => (await find(name))?.file
    let file = await there()
    for (let before: unknown = null; before !== file; file = await there()) {
      before = file
      const selection = file === undefined ? [] : [file]
      await options.update(offeredKey, (stored) => {
        const offered = offeredIn(stored)
        const own = offered.filter(isOwn).map(([, file]) => file)
        if (own.join('/') === selection.join('/')) return undefined
        const others = offered.filter((entry) => !isOwn(entry))
        let next = 0n
        const entries = [...others, ...selection.map((file) => [0n, file] as const)].map(
          ([key, value]) => [typeof key === 'bigint' ? next++ : key, value] as const,
        )
        return writePhp({ entries })
      })
    }
  }

  /**
   * Old files are removed once the new one is complete: a failure leaves the old family, the new one, or both.
   */
  async function replace(files: readonly string[], file: string, bytes: Uint8Array): Promise<void> {
    await storage.put(pathOf(file), bytes)
    await removeAll(files.filter((old) => old !== file))
    // Another process may have deleted it as an old file.
    if (!(await storage.stat(pathOf(file)))) await storage.put(pathOf(file), bytes)
  }

  /** Stores a variant next to the base file, under the base file's name. */
  async function storeVariant(
    files: readonly string[],
    { family, variant, bytes }: AcceptedFont,
  ): Promise<void> {
    const base = fontFamilies(files)[0]?.file
    if (!base) {
      throw new SvcError('svc_upload_rejected', {
        message: `There is no font family "${family}"; upload its base file first.`,
      })
    }
    const before = files.filter((file) => fontOfFile(file)?.variant === variant)
    await replace(before, fontFile(base.slice(0, -'.ttf'.length), variant), bytes)
  }

  const unfinishedIn = (stored: string | undefined): [own: string, since: number][] => {
    const text = readStoredJson(stored ?? null, '{}')
    return Object.entries(Object(text === undefined ? {} : fromJson(text))).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number',
    )
  }

  /** Remembers a change of a family under its key, until files and option agree again. */
  async function note(own: string, since: number | undefined, change?: NotedChange): Promise<void> {
    await options.update(
      unfinishedKey,
      (stored) => {
        const others = unfinishedIn(stored).filter(([other]) => other !== own)
        return JSON.stringify(Object.fromEntries(since === undefined ? others : [...others, [own, since]]))
      },
      change && { noted: () => change },
    )
  }

  const changed = (action: NotedChange['action'], id: string): NotedChange => ({
    resource: 'font',
    action,
    id,
  })

  /**
   * Runs a change of a family's files, then makes the option agree; if the process dies in between, a note remains.
   * @param changeOf what the result of the work has changed
   */
  async function change<T>(
    name: string,
    work: () => Promise<T>,
    changeOf: (result: T) => NotedChange | undefined,
  ): Promise<T> {
    const own = `${name}/${randomUUID()}`
    await note(own, Math.floor(Date.now() / 1000))
    try {
      const result = await work()
      await offer(name)
      await note(own, undefined, changeOf(result))
      return result
    } catch (error) {
      if (error instanceof SvcError && error.statusCode < 500) await note(own, undefined)
      throw error
    }
  }

  let repairedAt = Number.NEGATIVE_INFINITY

  /** Makes files and option agree if a process died between the two writes. */
  async function repair(): Promise<void> {
    if (performance.now() - repairedAt < betweenRepairs) return
    repairedAt = performance.now()
    await onBehalfOf(upkeep(), repairAll)
  }

  async function repairAll(): Promise<void> {
    const limit = Date.now() / 1000 - abandoned
    for (const [own, since] of unfinishedIn(await options.get(unfinishedKey))) {
      // A clock that was set back must not keep a note forever.
      if (since > limit && since < limit + 2 * abandoned) continue
      const name = own.replace(/\/[0-9a-f-]{36}$/, '')
      await offer(name)
      // Which part of the change was done is not known any more.
      const left = await find(name)
      await note(own, undefined, changed(left ? 'updated' : 'deleted', left?.name ?? name))
    }
  }

  return {
    repair,

    async list(): Promise<Font[]> {
      // Reads ignore repair errors.
      await repair().catch(() => {})
      return fontFamilies(await storage.list(folder)).map(toFont)
    },

    find: foundOf,

    /** @throws SvcError 422 for a variant of a family that is not there */
    async store(accepted: AcceptedFont): Promise<FoundFont> {
      offeredIn(await options.get(offeredKey))
      const { family, variant, file, bytes } = accepted
      let isNew = false
      const store = () =>
        alone(async () => {
          const before = filesOfFamily(await storage.list(folder), family)
          isNew = before.length === 0
          await (variant === undefined ? replace(before, file, bytes) : storeVariant(before, accepted))
          return foundOf(family)
        })
      const stored = await change(
        family,
        store,
        (found) => found && changed(isNew ? 'created' : 'updated', found.found_by),
      )
      if (!stored) throw new Error('A font that was just stored is gone.')
      return stored
    },

    /** Removes the family with its variants. Returns its name; undefined if there is none. */
    async remove(name: string): Promise<string | undefined> {
      offeredIn(await options.get(offeredKey))
      const family = (await find(name))?.name
      if (family === undefined) return undefined
      const remove = () =>
        alone(async () => {
          const found = await find(family)
          if (found) await removeAll(filesOfFamily(await storage.list(folder), found.name))
          return found?.name
        })
      return change(family, remove, (removed) =>
        removed === undefined ? undefined : changed('deleted', removed),
      )
    },
  }
}
