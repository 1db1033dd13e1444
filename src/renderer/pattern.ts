// Text that is filled with a repeated picture: its glyphs clip the tiles, which begin at the corner of the element's box.
import type { Materials } from './drawn-materials.ts'
import { wordOutlines } from './emit-svg.ts'
import type { Face } from './face.ts'
import type { Mark, TextMark } from './marks.ts'
import { extentOf } from './outline.ts'
import { Undrawable } from './refusal.ts'
import type { LaidOut, Painted } from './text.ts'

const maxTiles = 4000

/** @throws Undrawable */
export function patterned(
  { width, height, paint }: LaidOut,
  source: string,
  face: Face,
  materials: Materials,
): Painted[] {
  const found = materials.source(source)
  if (found.kind === 'unusable') throw found.cause
  if (found.kind !== 'pixels') throw new Undrawable('feature', 'A drawing as pattern cannot be drawn.')
  const { picture } = found
  const key = materials.keep({ id: JSON.stringify(['pattern', source]), source: picture, change: undefined })
  const tiled = (mark: TextMark): Mark => {
    const own = face.fallbacks.find((other) => other.face.key === mark.font)?.face ?? face
    const outline = mark.words.flatMap((word) => wordOutlines(word, own, mark.size)).flat()
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
  return paint.flatMap(({ mark, casts }) => {
    if (mark.kind !== 'text' || !mark.fill) return [{ mark, casts }]
    return [{ mark: tiled(mark), casts }]
  })
}
