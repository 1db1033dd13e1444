// Brings the files that a design needs to the renderer: uploaded fonts, own pictures from the storage, others by a guarded download.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import type { LocalStorage } from '../storage/local.ts'
import { isKey } from '../storage/storage.ts'
import { emojiFolder, type FontSettings, fallbackFiles, fontChooser } from './font-choice.ts'
import { shown } from './refusal.ts'
import type { LoadedFile, LoadedFiles, Needs } from './task.ts'

export interface SourceSettings extends FontSettings {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
  /** Public URL of the uploads folder. */
  uploadsUrl: string | undefined
  siteUrl: string
  /** Opens a picture in a remote storage of this installation; undefined if the URL is not that of one. */
  own(url: string): Promise<Readable | undefined>
  /** Downloads a picture of another host to a file. @throws if that is not allowed or fails */
  download(url: string, signal: AbortSignal): Promise<{ path: string; discard(): Promise<void> }>
}

/** Bytes of one file, and of all files of a design. */
const maxBytes = 128 * 1024 * 1024
const maxTogether = 384 * 1024 * 1024
/** Pictures that are fetched at once. */
const atOnce = 4

export function sourcesOf(settings: SourceSettings) {
  const { storage, uploadsUrl, siteUrl } = settings

  /** @param folder of the task; downloaded files are removed with it */
  async function fetch(
    needs: Needs,
    folder: string,
    signal: AbortSignal,
    later: (work: () => Promise<void>) => void,
  ): Promise<LoadedFiles> {
    const budget = { bytes: maxTogether }
    const fromStorage = async (open: () => Promise<Readable>): Promise<LoadedFile> => {
      const path = join(folder, `file-${randomUUID()}`)
      try {
        const source = await open()
        await pipeline(source, limited(budget), createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
          signal,
        })
        return { path }
      } catch (error) {
        return { cause: causeOf(error) }
      }
    }
    const fromUploads = async (key: string): Promise<LoadedFile> =>
      storage ? fromStorage(() => storage.open(key)) : { cause: 'This installation names no uploads folder.' }
    const fromUrl = async (url: string): Promise<LoadedFile> => {
      try {
        const own = await settings.own(url)
        if (own) return fromStorage(async () => own)
      } catch (error) {
        return { cause: causeOf(error) }
      }
      try {
        const { path, discard } = await settings.download(url, signal)
        later(discard)
        return { path }
      } catch (error) {
        const why = error instanceof Error ? error.message : ''
        return { cause: `The picture at ${shown(url)} could not be fetched. ${why}`.trim() }
      }
    }
    const families =
      storage && needs.fonts.length > 0 ? fontFamilies(await storage.list(svcFolders.fonts)) : []
    const chooseFont = fontChooser(families, settings)
    const fonts: LoadedFiles['fonts'] = []
    for (const need of needs.fonts) {
      const found = chooseFont(need)
      if ('cause' in found) {
        fonts.push(found)
        continue
      }
      const { source, ...how } = found
      const loadedFile = 'path' in source ? source : await fromUploads(`${svcFolders.fonts}/${source.file}`)
      fonts.push({ ...loadedFile, ...how })
    }
    const pictures: LoadedFile[] = []
    for (let i = 0; i < needs.pictures.length; i += atOnce) {
      const some = needs.pictures.slice(i, i + atOnce).map((name) => {
        const place = placeOf(name)
        if ('cause' in place) return place
        return 'key' in place ? fromUploads(place.key) : fromUrl(place.url)
      })
      pictures.push(...(await Promise.all(some)))
    }
    return { fonts, fallbacks: fallbackFiles(settings), emoji: emojiFolder(settings), pictures }
  }

  /** Below the uploads folder a picture is ours, whichever scheme its URL has. */
  function placeOf(name: string): { key: string } | { url: string } | { cause: string } {
    if (!URL.canParse(name, `${siteUrl}/`)) return { cause: `${shown(name)} is not a URL.` }
    const url = new URL(name, `${siteUrl}/`)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return { cause: `${shown(name)} is neither an http nor an https URL.` }
    const own = uploadsUrl === undefined ? undefined : new URL(`${uploadsUrl}/`)
    if (own && url.host === own.host && url.pathname.startsWith(own.pathname)) {
      const key = decoded(url.pathname.slice(own.pathname.length))
      return key !== undefined && isKey(key) ? { key } : { cause: `${shown(name)} does not name a file.` }
    }
    return { url: url.href }
  }

  return { fetch }
}

class TooLarge extends Error {}

function causeOf(error: unknown): string {
  if (error instanceof TooLarge) return error.message
  const isGone = Object(error).code === 'ENOENT'
  return isGone ? 'The file is not in the storage.' : 'The file could not be read from the storage.'
}

/** Limits the bytes of the file, and of all files together. */
function limited(budget: { bytes: number }) {
  return async function* (source: AsyncIterable<Buffer>) {
    let size = 0
    for await (const chunk of source) {
      size += chunk.length
      budget.bytes -= chunk.length
      if (size > maxBytes) throw new TooLarge(`The file is larger than ${maxBytes / 2 ** 20} MB.`)
      if (budget.bytes < 0)
        throw new TooLarge(`The files of the design are larger than ${maxTogether / 2 ** 20} MB together.`)
      yield chunk
    }
  }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
