// Font families: files in svc/fonts, and the option that names those offered to customers.
import type { Database } from '../../src/db/connect.ts'
import { type PhpEntry, writePhp } from '../../src/db/php-value.ts'
import { readStoredArray } from '../../src/db/stored-json.ts'
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

export function fontsRepository({ t }: Database, options: OptionsStore, storage: LocalStorage) {
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
      const wanted = file === undefined ? [] : [file]
      await options.update(offeredKey, (stored) => {
        const offered = offeredIn(stored)
        const own = offered.filter(isOwn).map(([, file]) => file)
        if (own.join('/') === wanted.join('/')) return undefined
        const others = offered.filter((entry) => !isOwn(entry))
        let next = 0n
        const entries = [...others, ...wanted.map((file) => [0n, file] as const)].map(
          ([key, value]) => [typeof key === 'bigint' ? next++ : key, value] as const,
        )
        return writePhp({ entries })
      })
    }
  }

  /**
   * Only what was there before the new file came goes, after it is whole in its place: a failure leaves the old family,
   * the new one, or both.
   */
  async function replace(files: readonly string[], file: string, bytes: Uint8Array): Promise<void> {
    await storage.put(pathOf(file), bytes)
    await removeAll(files.filter((old) => old !== file))
    // Another upload at the same time may have known it as an old one.
    if (!(await storage.stat(pathOf(file)))) await storage.put(pathOf(file), bytes)
  }

  /** Puts a variant beside the base file, under the base file's name. */
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

  return {
    async list(): Promise<Font[]> {
      return fontFamilies(await storage.list(folder)).map(toFont)
    },

    find: foundOf,

    /** @throws SvcError 422 for a variant of a family that is not there */
    async store(accepted: AcceptedFont): Promise<FoundFont> {
      offeredIn(await options.get(offeredKey))
      const { family, variant, file, bytes } = accepted
      const before = filesOfFamily(await storage.list(folder), family)
      await (variant === undefined ? replace(before, file, bytes) : storeVariant(before, accepted))
      const stored = await foundOf(family)
      if (!stored) throw new Error('A font that was just stored is gone.')
      await offer(family)
      return stored
    },

    /** Removes the family with its variants; answers with its name, undefined when there is none. */
    async remove(name: string): Promise<string | undefined> {
      offeredIn(await options.get(offeredKey))
      const family = await find(name)
      if (!family) return undefined
      await removeAll(filesOfFamily(await storage.list(folder), family.name))
      await offer(family.name)
      return family.name
    },
  }
}
