// Finds fonts and pictures that a design names and that this installation does not have, for warnings in responses to its write.
import { withoutDeadline } from '../core/deadline.ts'
import { endsWithin } from '../core/ends-within.ts'
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import type { LocalStorage } from '../storage/local.ts'
import { type FontSettings, fontChooser } from './font-choice.ts'
import { placeOf } from './picture-sources.ts'
import { quoted } from './refusal.ts'
import type { FontNeed } from './task.ts'
import type { UploadPlaces } from './upload-urls.ts'

/** The files that a design names. */
export interface FileNeeds {
  fonts: readonly FontNeed[]
  /** URLs of pictures. */
  pictures: readonly string[]
}

/** Returns sentences about the missing files; none if the disk fails or does not respond in time. Never rejects. */
export type MissingFiles = (needs: FileNeeds) => Promise<string[]>

interface Settings extends UploadPlaces {
  /** The uploads folder; without one nothing is reported. */
  storage: LocalStorage | undefined
  /** Undefined if another service draws, which may have other fonts. */
  fonts: FontSettings | undefined
}

/** Milliseconds that the response waits for the disk; its write is done already. */
const maxWait = 1000
/** Pictures that are looked for at once, and in all. */
const atOnce = 16
const maxFiles = 500

/** Returns the function that looks for the files of a design in the uploads folder. */
export function missingFiles({ storage, fonts, ...urls }: Settings): MissingFiles {
  if (!storage) return async () => []

  const missingFonts = async (needs: readonly FontNeed[]): Promise<string[]> => {
    if (!fonts || needs.length === 0) return []
    const choose = fontChooser(fontFamilies(await storage.list(svcFolders.fonts)), fonts)
    return needs.flatMap((need) => {
      const choice = choose(need)
      return 'cause' in choice ? [choice.cause] : []
    })
  }

  /** Sentences about pictures below the uploads folder; pictures elsewhere are not requested. */
  const missingPictures = async (pictures: readonly string[]): Promise<string[]> => {
    const sentences: string[] = []
    const places = new Map(
      pictures.flatMap((name) => {
        const place = placeOf(name, urls)
        return 'key' in place ? [[place.key, name] as const] : []
      }),
    )
    // All loops take from the same iterator, so that each picture is looked for once.
    const pending = [...places].slice(0, maxFiles).values()
    const lookForNext = async () => {
      for (const [key, name] of pending)
        if (!(await storage.stat(key)))
          sentences.push(`The picture ${quoted(name)} is not in the uploads folder.`)
    }
    await Promise.all(Array.from({ length: atOnce }, lookForNext))
    return sentences.sort()
  }

  return async ({ fonts: fontNeeds, pictures }) => {
    const sentences = withoutDeadline(() => Promise.all([missingFonts(fontNeeds), missingPictures(pictures)]))
    try {
      return (await endsWithin(maxWait, sentences)) ? (await sentences).flat() : []
    } catch {
      return []
    }
  }
}
