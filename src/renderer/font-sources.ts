// Finds the font files that a design needs: uploaded ones, which are copied to the folder of the task, and those of this machine.
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import type { LocalStorage } from '../storage/local.ts'
import { copied, type Fetching } from './file-copies.ts'
import { emojiFolder, type FontSettings, fallbackFiles, fontChooser } from './font-choice.ts'
import type { LoadedFonts, Needs } from './task.ts'

/** The settings for fonts, and where uploaded ones are. */
export interface FontSourceSettings extends FontSettings {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
}

/**
 * Returns a function that finds the files for the fonts that a renderer process requests, in the order of its needs. A font that cannot
 * be found or copied has a cause instead of a path. It reads the list of uploaded fonts at each call, and throws SvcError if the disk is full.
 */
export function fontSources(settings: FontSourceSettings) {
  const { storage } = settings

  return async ({ fonts: needs }: Needs, fetching: Omit<Fetching, 'afterTask'>): Promise<LoadedFonts> => {
    const families = storage && needs.length > 0 ? fontFamilies(await storage.list(svcFolders.fonts)) : []
    const chooseFont = fontChooser(families, settings)
    const fonts: LoadedFonts['fonts'] = []
    for (const need of needs) {
      const choice = chooseFont(need)
      if ('cause' in choice) {
        fonts.push(choice)
        continue
      }
      const { source, ...use } = choice
      if ('path' in source) fonts.push({ ...source, ...use })
      else if (!storage) fonts.push({ cause: 'This installation names no uploads folder.' })
      else {
        const file = await copied(() => storage.open(`${svcFolders.fonts}/${source.file}`), fetching)
        fonts.push({ ...file, ...use })
      }
    }
    return { fonts, fallbacks: fallbackFiles(settings), emoji: emojiFolder(settings) }
  }
}
