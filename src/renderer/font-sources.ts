// Brings the fonts that a design needs to the renderer: uploaded ones, and those of this machine.
import { svcFolders } from '../files/folders.ts'
import { fontFamilies } from '../files/font/families.ts'
import type { LocalStorage } from '../storage/local.ts'
import { emojiFolder, type FontSettings, fallbackFiles, fontChooser } from './font-choice.ts'
import { copied, type Fetching } from './picture-sources.ts'
import type { LoadedFonts, Needs } from './task.ts'

export interface FontSourceSettings extends FontSettings {
  /** Undefined if the host names no uploads folder. */
  storage: LocalStorage | undefined
}

export function fontSources(settings: FontSourceSettings) {
  const { storage } = settings

  return async ({ fonts: needs }: Needs, fetching: Omit<Fetching, 'later'>): Promise<LoadedFonts> => {
    const families = storage && needs.length > 0 ? fontFamilies(await storage.list(svcFolders.fonts)) : []
    const chooseFont = fontChooser(families, settings)
    const fonts: LoadedFonts['fonts'] = []
    for (const need of needs) {
      const found = chooseFont(need)
      if ('cause' in found) {
        fonts.push(found)
        continue
      }
      const { source, ...use } = found
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
