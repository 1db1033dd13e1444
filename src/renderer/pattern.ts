// Fills text with a repeated picture: the glyphs clip tiles of the picture, which begin at the corner of the element's box.
import type { Materials } from './drawn-materials.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Mark } from './marks.ts'
import { extentOf } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { Tiled } from './text.ts'

/** Maximum tiles of the words that are filled at once. */
const maxTiles = 4000

/**
 * Returns a function that fills words with the pattern. It throws Undrawable if the picture is too small for the words.
 * @param size of the element's box, around its center
 * @throws Undrawable if the picture cannot be used as a pattern
 */
export function tiledWith(
  { width, height }: { width: number; height: number },
  url: string,
  materials: Materials,
): Tiled {
  const source = materials.source(url)
  if (source.kind === 'unusable') throw source.cause
  if (source.kind !== 'pixels') throw new Undrawable('feature', 'A drawing as pattern cannot be drawn.')
  const { picture } = source
  /** The beginning of the tile at a position. */
  const tileStart = (position: number, corner: number, step: number) =>
    corner + Math.floor((position - corner) / step) * step
  const key = materials.keep({ id: JSON.stringify(['pattern', url]), source: picture, change: undefined })
  return (mark, face) => {
    const outline = mark.words.flatMap((word) => wordOutlines(word, face, mark.size)).flat()
    const { x, y, width: w, height: h } = extentOf(outline)
    const marks: Mark[] = []
    if ((w / picture.width + 1) * (h / picture.height + 1) > maxTiles)
      throw new Undrawable('limit', 'The picture of a pattern is too small for its text.')
    for (let top = tileStart(y, -height / 2, picture.height); top < y + h; top += picture.height) {
      for (let left = tileStart(x, -width / 2, picture.width); left < x + w; left += picture.width) {
        marks.push({
          kind: 'picture',
          picture: key,
          x: left,
          y: top,
          width: picture.width,
          height: picture.height,
        })
      }
    }
    return { kind: 'group', clips: [{ outline, rule: 'nonzero' }], marks }
  }
}
