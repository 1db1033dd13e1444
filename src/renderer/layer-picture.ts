// Reads the pixels of a picture that is a layer of a page: only the part that the page shows, and no finer than needed.
import { type Bitmap, multiplied } from './canvas.ts'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import {
  boundsOf,
  grown,
  intersection,
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

/** The pixels of a picture, and where they lie on a page. */
export interface PlacedBitmap {
  bitmap: Bitmap
  /** From its pixels to those of the page. */
  matrix: Matrix
}

/** Where a picture lies on a page. */
interface Place {
  /** The rectangle that the picture fills, in the space of its mark. */
  area: Rectangle
  /** From there to the pixels of the page. */
  matrix: Matrix
  /** The size of the page in pixels. */
  page: { width: number; height: number }
  /** Pixels of the page for each pixel of the stage. */
  perStage: number
  /** Pixels of the whole page, also if only a band of it is painted. */
  maxPixels: number
}

/** The pixels of a picture that a page shows; undefined if nothing of it is on the page. @throws Undrawable */
export async function placedPicture(picture: KeptPicture, place: Place): Promise<PlacedBitmap | undefined> {
  const { area, matrix, page, perStage, maxPixels } = place
  const placedWhole = (bitmap: Bitmap) => ({ bitmap, matrix: placedOver(matrix, area, bitmap) })
  if (isScalable(picture)) {
    const image = await rasterized(picture, perStage, maxPixels)
    const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return placedWhole({ width: info.width, height: info.height, channels: 4, data: multiplied(data) })
  }
  const { source } = picture
  const size = reducedSize(picture, placedOver(matrix, area, source))
  if (picture.change || picture.blur) {
    const { data, width, height } = await pixelsOf(
      picture,
      size.width < source.width ? size.width : undefined,
    )
    return placedWhole({ width, height, channels: 4, data: multiplied(data) })
  }
  const onPage = placedOver(matrix, area, size)
  const part = seenPart(size, onPage, page)
  if (!part) return undefined
  const { data, info } = await uprightPart(source, size, part).catch((error) => {
    // The rows of an unchecked picture are decoded here for the first time.
    throw source.isChecked ? error : damaged(error)
  })
  const { width, height, channels } = info
  if (channels !== 3 && channels !== 4)
    throw new Undrawable('picture', 'The picture has an unknown kind of colors.')
  const bitmap: Bitmap = { width, height, channels, data: channels === 4 ? multiplied(data) : data }
  return { bitmap, matrix: multiply(onPage, translate(part.left, part.top)) }
}

/** The matrix from the pixels of a picture of this size, which fills the area, to the pixels of the page. @param matrix from the space of the area */
export const placedOver = (
  matrix: Matrix,
  { x, y, width, height }: Rectangle,
  size: { width: number; height: number },
): Matrix => multiply(matrix, multiply(translate(x, y), scale(width / size.width, height / size.height)))

/** A picture is reduced below this scale; above it, four of its pixels blend into one of the page. */
const reducedBelow = 0.75

/**
 * The size to which the source is reduced, in pixels; its own if the page shows it hardly smaller, or if all of its pixels are needed
 * (no `stretch`, as for patterns). The matrix leads from its pixels to those of the page.
 */
function reducedSize({ source, stretch }: ReadyPicture, [a, b, c, d]: Matrix) {
  const reduced = (length: number, factor: number) =>
    factor < reducedBelow && stretch !== undefined ? Math.max(1, Math.ceil(length * factor)) : length
  return {
    width: reduced(source.width, Math.hypot(a, b)),
    height: reduced(source.height, Math.hypot(c, d)),
  }
}

/** Pixels around what the page shows, for the colors between them. */
const margin = 2

/** The part of a picture, in its pixels, that the page shows; undefined for none. @param onPage from its pixels to those of the page */
function seenPart(
  { width, height }: { width: number; height: number },
  onPage: Matrix,
  page: { width: number; height: number },
) {
  const toPicture = invert(onPage)
  const pageInPicture = toPicture && grown(boundsOf(toPicture, { x: 0, y: 0, ...page }), margin)
  const part = pageInPicture && intersection(pageInPicture, { x: 0, y: 0, width, height })
  if (!part) return undefined
  const [left, top] = [Math.floor(part.x), Math.floor(part.y)]
  return {
    left,
    top,
    width: Math.min(width, Math.ceil(part.x + part.width)) - left,
    height: Math.min(height, Math.ceil(part.y + part.height)) - top,
  }
}
