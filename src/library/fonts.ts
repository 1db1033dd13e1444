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
import { familyKey, fontFile, fontOfFile } from '../files/font/file-names.ts'
import { keyedQueue } from '../settings/keyed-queue.ts'
import type { OptionsStore } from '../settings/option-rows.ts'
import type { LocalStorage } from '../storage/local.ts'
import { fontChange, fontChanges } from './font-changes.ts'

/** A family as the API returns it. */
interface Font {
  name: string
  file: string
  url: string
  /** URLs of the existing variants. */
  variants: { bold?: string; italic?: string; bolditalic?: string }
}

const folder = svcFolders.fonts
/** The option with the files that are offered to customers, an array of PHP. */
const offeredKey = 'svc_fonts_directory'

/** A stored family, and the name by which a repeated request finds it. */
export interface FoundFont {
  font: Font
  found_by: string
}

/** The fonts of one context, whose files are always on local disk, because PHP reads them. */
export function fontsRepository(database: Database, options: OptionsStore, storage: LocalStorage) {
  const { t, dialect, transaction } = database
  // Changes wait for each other in this process, so that waiting ones hold no connection.
  const queue = keyedQueue()

  const pathOf = (file: string) => `${folder}/${file}`

  function toFont({ name, file, variants }: FontFamily): Font {
    const urls = Object.entries(variants).map(([variant, variantFile]) => [
      variant,
      storage.url(pathOf(variantFile)),
    ])
    return { name, file, url: storage.url(pathOf(file)), variants: Object.fromEntries(urls) }
  }

  /**
   * Runs a change of files while no other process changes files. With an embedded database, whose guard would make all its writers
   * wait for the disk, only the changes of this process wait for each other.
   */
  const underLock = <T>(work: () => Promise<T>): Promise<T> =>
    queue(folder, () =>
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

  async function findFont(name: string): Promise<FoundFont | undefined> {
    const family = await find(name)
    return family && { font: toFont(family), found_by: family.name }
  }

  async function removeAll(files: readonly string[]): Promise<void> {
    for (const file of files) await storage.remove(pathOf(file))
  }

  /** The entries of the option. @throws SvcError 500 when it cannot be read: a write would lose its entries */
  function offeredIn(stored: string | undefined): readonly PhpEntry[] {
    const entries = readStoredArray(stored ?? null)
    if (!entries) throw unreadableValue({ table: t.options, row: offeredKey, column: 'option_value' })
    return entries
  }

  /** Makes the option name exactly the base file, or none, of the family; entries of other families stay as they are. */
  async function offer(name: string): Promise<void> {
    const key = familyKey(name)
    const isOfFamily = ([, file]: PhpEntry) =>
      typeof file === 'string' && familyKey(fontOfFile(file)?.family ?? '') === key
    /** The value of the option that offers these files of the family; undefined if it does so already. */
    const withFiles = (stored: string | undefined, files: readonly string[]): string | undefined => {
      const offered = offeredIn(stored)
      const offeredFiles = offered.filter(isOfFamily).map(([, file]) => file)
      if (offeredFiles.join('/') === files.join('/')) return undefined
      const otherEntries = offered.filter((entry) => !isOfFamily(entry))
      const newEntries = files.map((file): PhpEntry => [0n, file])
      // Numeric keys are assigned anew, so that the array has no gaps.
      let nextKey = 0n
      const entries = [...otherEntries, ...newEntries].map(
        ([entryKey, value]): PhpEntry => [typeof entryKey === 'bigint' ? nextKey++ : entryKey, value],
      )
      return writePhp({ entries })
    }
    // Another process may change the files meanwhile: the option is written until the file is the same before and after.
    let file = (await find(name))?.file
    for (;;) {
      const files = file === undefined ? [] : [file]
      await options.update(offeredKey, (stored) => withFiles(stored, files))
      const fileNow = (await find(name))?.file
      if (fileNow === file) return
      file = fileNow
    }
  }

  /** Stores a file, and then removes the old files: a failure leaves the old family, the new one, or both. */
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

    /** All families by name. */
    async list(): Promise<Font[]> {
      // A read does not fail because a repair fails.
      await repair().catch(() => {})
      return fontFamilies(await storage.list(folder)).map(toFont)
    },

    /** The family; undefined when there is none. */
    find: findFont,

    /** Stores a base file or a variant. @throws SvcError 422 for a variant of a family that does not exist */
    async store(accepted: AcceptedFont): Promise<FoundFont> {
      // Throws before the files change if the option cannot be written.
      offeredIn(await options.get(offeredKey))
      const { family, variant, file, bytes } = accepted
      const store = () =>
        underLock(async () => {
          const before = filesOfFamily(await storage.list(folder), family)
          await (variant === undefined ? replace(before, file, bytes) : storeVariant(before, accepted))
          return { font: await findFont(family), isNew: before.length === 0 }
        })
      const { font } = await change(
        family,
        store,
        (stored) => stored.font && fontChange(stored.isNew ? 'created' : 'updated', stored.font.found_by),
      )
      if (!font) throw new Error('A font that was just stored is gone.')
      return font
    },

    /** Removes the family with its variants. Returns its name; undefined if there is none. */
    async remove(name: string): Promise<string | undefined> {
      offeredIn(await options.get(offeredKey))
      const family = (await find(name))?.name
      if (family === undefined) return undefined
      const remove = () =>
        underLock(async () => {
          const current = await find(family)
          if (current) await removeAll(filesOfFamily(await storage.list(folder), current.name))
          return current?.name
        })
      return change(family, remove, (removed) =>
        removed === undefined ? undefined : fontChange('deleted', removed),
      )
    },
  }
}
