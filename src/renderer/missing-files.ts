// Fonts and pictures that a written design names and that this installation does not have.
import { setTimeout as delay } from 'node:timers/promises'
import { outsideRequest } from '../core/deadline.ts'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import type { LocalStorage } from '../storage/local.ts'
import { type FontSettings, fontChooser } from './font-choice.ts'
import { placeOf } from './picture-sources.ts'
import { shown } from './refusal.ts'
import type { FontNeed } from './task.ts'
import type { UploadPlaces } from './upload-urls.ts'

export interface FileNeeds {
  fonts: readonly FontNeed[]
  /** URLs. */
  pictures: readonly string[]
}

/** Sentences about the missing files; empty if the disk does not respond in time. Never fails. */
export type MissingFiles = (needs: FileNeeds) => Promise<string[]>

interface Settings extends UploadPlaces {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
  /** Undefined if another service draws, which may have other fonts. */
  fonts: FontSettings | undefined
}

/** Milliseconds that a response, whose write is done, waits for the disk. */
const maxWait = 1000
/** Files that are looked for at once, and in all. */
const atOnce = 16
const maxFiles = 500

export function missingFiles({ storage, fonts, ...urls }: Settings): MissingFiles {
  async function missingFonts(needs: readonly FontNeed[]): Promise<string[]> {
    if (!storage || !fonts || needs.length === 0) return []
    const choose = fontChooser(fontFamilies(await storage.list(svcFolders.fonts)), fonts)
    return needs.flatMap((need) => {
      const found = choose(need)
      return 'cause' in found ? [found.cause] : []
    })
  }

  /** Pictures below the uploads folder; others are not fetched for this. */
  async function missingPictures(pictures: readonly string[]): Promise<string[]> {
    if (!storage) return []
    const sentences: string[] = []
    const places = new Map(
      pictures.flatMap((name) => {
        const place = placeOf(name, urls)
        return 'key' in place ? [[place.key, name] as const] : []
      }),
    )
    const waiting = [...places].slice(0, maxFiles).values()
    const look = async () => {
      for (const [key, name] of waiting)
        if (!(await storage.stat(key)))
          sentences.push(`The picture ${shown(name)} is not in the uploads folder.`)
    }
    await Promise.all(Array.from({ length: atOnce }, look))
    return sentences.sort()
  }

  return async ({ fonts: fontNeeds, pictures }) => {
    const found = outsideRequest(() => Promise.all([missingFonts(fontNeeds), missingPictures(pictures)]))
    const waiting = new AbortController()
    const late = delay(maxWait, [], { signal: waiting.signal }).catch(() => [])
    try {
      return (await Promise.race([found, late])).flat()
    } catch {
      return []
    } finally {
      waiting.abort()
    }
  }
}
