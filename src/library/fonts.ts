// Font families: files in svc/fonts, and the option that names those offered to customers.
import { SvcError, unreadableValue } from '../core/errors.ts'
import type { Database } from '../db/connect.ts'
import { guard } from '../db/guard.ts'
import { type PhpEntry, writePhp } from '../db/php-value.ts'
import { readStoredArray } from '../db/stored-json.ts'
import { databaseTime } from '../db/time.ts'
import type { AcceptedFont } from '../files/accept.ts'
import { svcFolders } from '../files/folders.ts'
import { type FontFamily, filesOfFamily, fontFamilies } from '../files/font/families.ts'
import { familyKey, fontFile, fontOfFile } from '../files/names.ts'
import { keyedQueue } from '../settings/keyed-queue.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { LocalStorage } from '../storage/local.ts'
import { fontChange, fontChanges } from './font-changes.ts'

interface Font {
  name: string
  file: string
  url: string
  /** URLs of the existing variants. */
  variants: { bold?: string; italic?: string; bolditalic?: string }
}

export const folder = svcFolders.fonts
const offeredKey = 'svc_fonts_directory'
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
    const urls = Object.entries(variants).map(([variant, variantFile]) => [
      variant,
      storage.url(pathOf(variantFile)),
    ])
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
        const ownFiles = offered.filter(isOwn).map(([, file]) => file)
        if (ownFiles.join('/') === selection.join('/')) return undefined
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

  const { change, repair } = fontChanges(options, () => databaseTime(database), { find, offer })

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
        (found) => found && fontChange(isNew ? 'created' : 'updated', found.found_by),
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
        removed === undefined ? undefined : fontChange('deleted', removed),
      )
    },
  }
}
