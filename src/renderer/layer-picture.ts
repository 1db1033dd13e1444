// A picture as a layer of a page: as many of its pixels as the page shows.
import { type Bitmap, multiplied } from './canvas.ts'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import {
  boundsOf,
  common,
  grown,
  invert,
  type Matrix,
  multiply,
  type Rectangle,
  scale,
  translate,
} from './matrix.ts'
import { damaged } from './picture.ts'
import { pixelsOf, type ReadyPicture, uprightPart } from './picture-pixels.ts'
import { Undrawable } from './refusal.ts'
import { rasterized } from './svg-pictures.ts'

export interface PlacedBitmap {
  bitmap: Bitmap
  /** From its pixels to those of the page. */
  matrix: Matrix
}

interface Place {
  /** The rectangle that the picture fills, in the space of its mark. */
  area: Rectangle
  /** From there to the pixels of the page. */
  matrix: Matrix
  page: { width: number; height: number }
  perStage: number
}

/** Undefined if nothing of it is on the page. @throws Undrawable */
export async function placedPicture(kept: KeptPicture, place: Place): Promise<PlacedBitmap | undefined> {
  const { area, matrix, page, perStage } = place
  const whole = (bitmap: Bitmap) => ({ bitmap, matrix: placedOver(matrix, area, bitmap) })
  if (isScalable(kept)) {
    const image = await rasterized(kept, perStage, page.width * page.height)
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return whole({ width: info.width, height: info.height, channels: 4, data: multiplied(data) })
  }
  const size = reducedSize(kept, placedOver(matrix, area, kept.source))
  if (kept.change || kept.blur) {
    const { data, ...own } = await pixelsOf(kept, size.width < kept.source.width ? size.width : undefined)
    return whole({ ...own, channels: 4, data: multiplied(data) })
  }
  const onPage = placedOver(matrix, area, size)
  const part = seenPart(size, onPage, page)
  if (!part) return undefined
  const { data, info } = await uprightPart(kept.source, size, part).catch((error) => {
    throw kept.source.isChecked ? error : damaged(error)
  })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4)
    throw new Undrawable('picture', 'The picture has an unknown kind of colors.')
  const bitmap: Bitmap = { width, height, channels, data: channels === 4 ? multiplied(data) : data }
  return { bitmap, matrix: multiply(onPage, translate(part.left, part.top)) }
}

/** From the pixels of a picture of this size, which fills the area. */
export const placedOver = (
  matrix: Matrix,
  { x, y, width, height }: Rectangle,
  size: { width: number; height: number },
): Matrix => multiply(matrix, multiply(translate(x, y), scale(width / size.width, height / size.height)))

/** Scale from which a picture is not reduced: four of its pixels blend into one of the page. */
const worthwhile = 0.75

function reducedSize({ source, stretch }: ReadyPicture, [a, b, c, d]: Matrix) {
  const side = (length: number, by: number) =>
    by < worthwhile && stretch !== undefined ? Math.max(1, Math.ceil(length * by)) : length
  return { width: side(source.width, Math.hypot(a, b)), height: side(source.height, Math.hypot(c, d)) }
}

/** Pixels around what the page shows, for the colors between them. */
const margin = 2

/** The pixels that the page shows; undefined for none. */
function seenPart(
  { width, height }: { width: number; height: number },
  onPage: Matrix,
  page: { width: number; height: number },
) {
  const back = invert(onPage)
  const seen = back && grown(boundsOf(back, { x: 0, y: 0, ...page }), margin)
  const part = seen && common(seen, { x: 0, y: 0, width, height })
  if (!part) return undefined
  const [left, top] = [Math.floor(part.x), Math.floor(part.y)]
  return {
    left,
    top,
    width: Math.min(width, Math.ceil(part.x + part.width)) - left,
    height: Math.min(height, Math.ceil(part.y + part.height)) - top,
  }
}
