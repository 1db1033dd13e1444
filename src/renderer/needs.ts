// Collects the fonts and pictures that the scenes of a design need.
import { readElement } from './element.ts'
import type { Scene } from './scene.ts'
import type { FontNeed, Needs } from './task.ts'
import { fontsOfText } from './text-looks.ts'
import type { Properties } from './values.ts'

/** A key for a font need; equal needs have equal keys. */
export const faceKey = ({ family, bold, italic }: FontNeed) => JSON.stringify([family, bold, italic])

/** Whether the source of a picture contains it: a `data:` URL, or a drawing as text. */
export const isEmbedded = (name: string) => /^(?:data:|\s*<(?:svg|\?xml|!))/i.test(name)

/** Limits on the picture files of a design, and on the characters of their URLs. */
export const [maxPictures, maxUrl] = [1000, 4096]
/** Limit on the different fonts of a design's texts, and on those of texts in its drawings: each is looked up, fetched and read. */
export const maxFonts = 200

/** All that scenes draw, or clip with. */
export interface SceneNeeds extends Needs {
  /** URLs, and pictures in their names (`isEmbedded`). */
  pictures: string[]
  /** Page numbers that elements show of each picture, which matter if it is a PDF. */
  pages: Map<string, Set<number>>
  /** The texts of the elements. */
  texts: string[]
  /** Whether a text is marked as running from right to left. */
  isBackward: boolean
}

/** Collects the needs, of fonts the first `maxFonts`. @param masks of the pages, as stored elements */
export function needsOf(scenes: readonly Scene[], masks: readonly Properties[]): SceneNeeds {
  const fonts = new Map<string, FontNeed>()
  const pictures = new Set<string>()
  for (const { source } of masks) pictures.add(String(source))
  const pagesOf = new Map<string, Set<number>>()
  const texts: string[] = []
  let isBackward = false
  for (const { elements, byTitle } of scenes) {
    const clipping = elements.flatMap(({ clip }) => {
      const stored = clip?.of === 'element' ? byTitle.get(clip.title) : undefined
      return stored ? readOrNone(stored) : []
    })
    for (const element of [...elements, ...clipping]) {
      if (element.kind === 'picture') {
        pictures.add(element.source)
        pagesOf.set(element.source, (pagesOf.get(element.source) ?? new Set()).add(element.page))
      } else {
        if (element.pattern !== undefined) pictures.add(element.pattern)
        texts.push(element.text)
        isBackward ||= element.isBackward
        for (const need of fontsOfText(element)) fonts.set(faceKey(need), need)
      }
    }
  }
  return {
    fonts: [...fonts.values()].slice(0, maxFonts),
    pictures: [...pictures],
    pages: pagesOf,
    texts,
    isBackward,
  }
}

/** The URLs of the pictures that the host fetches before the scenes are drawn; source-files.ts refuses those beyond the limits. */
export const fetchedPictures = ({ pictures }: SceneNeeds): string[] =>
  pictures.filter((name) => !isEmbedded(name) && name.length <= maxUrl).slice(0, maxPictures)

/** The element in a list; empty if it cannot be read, which the element that it clips reports. */
function readOrNone(stored: Properties) {
  try {
    return [readElement(stored)]
  } catch {
    return []
  }
}
