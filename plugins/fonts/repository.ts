// Font families: files in svc/fonts, changed under a guard, and the option that names those offered to customers.
import type { Database } from '../../src/db/connect.ts'
import { guard } from '../../src/db/guard.ts'
import { phpFromJson, writePhp } from '../../src/db/php-value.ts'
import { readStoredJson } from '../../src/db/stored-json.ts'
import { SvcError, unreadableValue } from '../../src/errors.ts'
import type { AcceptedFont } from '../../src/files/accept.ts'
import { type FontFamily, filesOfFamily, fontFamilies } from '../../src/files/font-families.ts'
import { familyKey, fontFile, fontOfFile } from '../../src/files/names.ts'
import type { OptionsStore } from '../../src/options/store.ts'
import type { LocalStorage } from '../../src/storage/local.ts'
import type { Font } from './schema.ts'

export const folder = 'svc/fonts'
const offeredKey = 'svc_fonts_directory'

/** A family as stored, and what the same request finds it by when it comes again. */
export interface FoundFont {
  font: Font
  found_by: string
}

export function fontsRepository(database: Database, options: OptionsStore, storage: LocalStorage) {
  const pathOf = (file: string) => `${folder}/${file}`

  function toFont({ name, file, variants }: FontFamily): Font {
    const urls = Object.entries(variants).map(([variant, own]) => [variant, storage.url(pathOf(own))])
    return { name, file, url: storage.url(pathOf(file)), variants: Object.fromEntries(urls) }
  }

  async function find(name: string): Promise<FontFamily | undefined> {
    const key = familyKey(name.replaceAll('_', ' '))
    return fontFamilies(await storage.list(folder)).find((family) => familyKey(family.name) === key)
  }

  async function foundOf(name: string): Promise<FoundFont | undefined> {
    const family = await find(name)
    return family && { font: toFont(family), found_by: family.name }
  }

  /** Changes of files by several processes and machines come one after the other. */
  function guarded<T>(work: () => Promise<T>): Promise<T> {
    return database.transaction(async (trx) => {
      await guard(database, trx, 'fonts')
      return work()
    })
  }

  async function removeAll(files: readonly string[]): Promise<void> {
    for (const file of files) await storage.remove(pathOf(file))
  }

  /** @throws SvcError 500 when what is stored cannot be read, and so could not be kept */
  function offeredIn(stored: string | undefined): string[] {
    const text = readStoredJson(stored ?? null, '[]')
    const list: unknown = text === undefined ? undefined : JSON.parse(text)
    if (typeof list !== 'object' || list === null) {
      throw unreadableValue({ table: database.t.options, row: offeredKey, column: 'option_value' })
    }
    return Object.values(list).filter((file) => typeof file === 'string')
  }

  /** Makes the option name exactly this file, or none, of the family; entries of others stay as they are. */
  async function offer(name: string, file: string | undefined): Promise<void> {
    const key = familyKey(name)
    const isOwn = (other: string) => familyKey(fontOfFile(other)?.family ?? '') === key
    const wanted = file === undefined ? [] : [file]
    await options.update(offeredKey, (stored) => {
      const offered = offeredIn(stored)
      const own = offered.filter(isOwn)
      if (own.join('/') === wanted.join('/')) return undefined
      return writePhp(phpFromJson([...offered.filter((other) => !isOwn(other)), ...wanted]))
    })
  }

  /** A base file ends all that was there of its family, but not before it is whole in its place. */
  async function storeBase({ family, file, bytes }: AcceptedFont): Promise<void> {
    await storage.put(pathOf(file), bytes)
    await removeAll(filesOfFamily(await storage.list(folder), family).filter((old) => old !== file))
  }

  /** @throws SvcError 422 when there is no such family */
  async function storeVariant({ family, variant, bytes }: AcceptedFont): Promise<void> {
    const base = await find(family)
    if (!base) {
      throw new SvcError('svc_upload_rejected', {
        message: `There is no font family "${family}"; upload its base file first.`,
      })
    }
    const file = fontFile(base.file.slice(0, -'.ttf'.length), variant)
    await storage.put(pathOf(file), bytes)
    const others = filesOfFamily(await storage.list(folder), family)
    await removeAll(others.filter((old) => old !== file && fontOfFile(old)?.variant === variant))
  }

  return {
    async list(): Promise<Font[]> {
      return fontFamilies(await storage.list(folder)).map(toFont)
    },

    find: foundOf,

    /** @throws SvcError 422 for a variant of a family that is not there */
    async store(accepted: AcceptedFont): Promise<FoundFont> {
      offeredIn(await options.get(offeredKey))
      // Wrapped, so that a request with a key counts as done only when the option has been written, too.
      const [stored] = await guarded(async () => {
        await (accepted.variant === undefined ? storeBase(accepted) : storeVariant(accepted))
        return [await foundOf(accepted.family)]
      })
      if (!stored) throw new Error('A font that was just stored is gone.')
      await offer(stored.font.name, stored.font.file)
      return stored
    },

    /** Removes the family with its variants; answers with its name, undefined when there is none. */
    async remove(name: string): Promise<string | undefined> {
      offeredIn(await options.get(offeredKey))
      const removed = await guarded(async () => {
        const family = await find(name)
        if (!family) return undefined
        await removeAll(filesOfFamily(await storage.list(folder), family.name))
        return family.name
      })
      if (removed !== undefined) await offer(removed, undefined)
      return removed
    },
  }
}
