// Caches the layouts of short Latin words between the tasks of a renderer process: fabric.js measures each character and each pair, which takes
// most of the time of a text. A cached layout depends on the font and the word alone, not on texts before it.
import type { Font } from 'fontkit'
import type { Piece } from './directions.ts'
import { internalsOf, tablesOf } from './font-tables.ts'
import type { PlacedGlyph } from './marks.ts'

/** A word that was shaped. */
export interface Shaped {
  /** Positions from the origin of the word, in em, y downwards. */
  glyphs: PlacedGlyph[]
  /** In em. */
  width: number
}

/** Layouts in all fonts; about 15 MB. */
const maxLayouts = 20_000
/** Characters of a word, up to which its layout is cached. */
const maxCharacters = 24

/** The layouts by font and word; the one used last comes last. */
const layouts = new Map<string, Shaped>()

/** Whether layouts of the piece are cached. */
export const isCacheable = ({ text, isRightToLeft, script }: Piece): boolean =>
  script === 'latn' && !isRightToLeft && text.length <= maxCharacters

/**
 * Whether Latin words have the same layout whatever was laid out before, so that `cachedLayout` may be used: a font with rules needs some
 * for Latin text, because fontkit otherwise takes those of the last script. Rules of Apple (`morx`) count as not cacheable.
 */
export function hasLatinRules(font: Font): boolean {
  if (tablesOf(font).morx !== undefined) return false
  const { GSUB, GPOS } = internalsOf(font)
  return [GSUB, GPOS].every((table) => {
    return !table || table.scriptList?.some(({ tag }) => ['latn', 'DFLT', 'dflt'].includes(tag))
  })
}

/**
 * The layout of a word, from the cache if it is there.
 * @param key of the font file, its instance, and the word with its direction and script
 * @param layOut called if it is not cached; if it throws, nothing is cached
 */
export function cachedLayout(key: string, font: Font, layOut: () => Shaped): Shaped {
  const layout = layouts.get(key) ?? withFreshGlyphs(font, layOut)
  // Moves the layout to the end.
  layouts.delete(key)
  layouts.set(key, layout)
  if (layouts.size > maxLayouts) {
    const [oldest = ''] = layouts.keys()
    layouts.delete(oldest)
  }
  return layout
}

/** Runs work as if the font had no text before: fontkit stores the characters of the first text in its private `_glyphs`. */
function withFreshGlyphs<T>(font: Font, work: () => T): T {
  const internals = internalsOf(font)
  const glyphs = internals._glyphs
  internals._glyphs = {}
  try {
    return work()
  } finally {
    internals._glyphs = glyphs
  }
}
