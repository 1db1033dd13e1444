// Text that is filled with a repeated picture: its glyphs clip the tiles, which begin at the corner of the element's box.
import type { Materials } from './drawn-materials.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Mark } from './marks.ts'
import { extentOf } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { Tiled } from './text.ts'

const maxTiles = 4000

/** @throws Undrawable */
export function tiledWith(
  { width, height }: { width: number; height: number },
  source: string,
  materials: Materials,
): Tiled {
  const found = materials.source(source)
  if (found.kind === 'unusable') throw found.cause
  if (found.kind !== 'pixels') throw new Undrawable('feature', 'A drawing as pattern cannot be drawn.')
  const { picture } = found
  const key = materials.keep({ id: JSON.stringify(['pattern', source]), source: picture, change: undefined })
  return (mark, face) => {
    const outline = mark.words.flatMap((word) => wordOutlines(word, face, mark.size)).flat()
    const { x, y, width: w, height: h } = extentOf(outline)
    const marks: Mark[] = []
    const from = (start: number, corner: number, step: number) =>
      corner + Math.floor((start - corner) / step) * step
    if ((w / picture.width + 1) * (h / picture.height + 1) > maxTiles)
      throw new Undrawable('limit', 'The picture of a pattern is too small for its text.')
    for (let top = from(y, -height / 2, picture.height); top < y + h; top += picture.height) {
      for (let left = from(x, -width / 2, picture.width); left < x + w; left += picture.width) {
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
