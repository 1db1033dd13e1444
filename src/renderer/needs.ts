// The fonts and pictures that the scenes of a design need.
import { readElement } from './element.ts'
import type { Scene } from './scene.ts'
import type { FontNeed, Needs } from './task.ts'
import { fontsOfText } from './text-looks.ts'
import type { Properties } from './values.ts'

export const faceKey = ({ family, bold, italic }: FontNeed) => JSON.stringify([family, bold, italic])

/** A `data:` URL, or a drawing as text. */
export const isEmbedded = (name: string) => /^(?:data:|\s*<(?:svg|\?xml|!))/i.test(name)

/** Pictures of a design that lie in files, and characters of their URLs. */
export const [maxPictures, maxUrl] = [1000, 4096]

/** Everything the scenes draw or clip with; `pages` of each picture, which count where it is a PDF. */
export function needsOf(
  scenes: readonly Scene[],
  masks: readonly Properties[],
): Needs & { pictures: string[]; pages: Map<string, Set<number>>; texts: string[]; isBackward: boolean } {
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

/** Those that are to be fetched before the scenes are drawn. */
export const fetchedPictures = (needs: ReturnType<typeof needsOf>): string[] =>
  needs.pictures.filter((name) => !isEmbedded(name) && name.length <= maxUrl).slice(0, maxPictures)

function readOrNone(stored: Parameters<typeof readElement>[0]) {
  try {
    return [readElement(stored)]
  } catch {
    // The element that is clipped by it reports the cause.
    return []
  }
}

/** Different fonts of the texts of a design, and of those in its drawings: each is looked up, fetched and read. */
export const maxFonts = 200
