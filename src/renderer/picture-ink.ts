// How much ink a picture of a design takes on paper, measured on a small copy.
import sharp from 'sharp'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import { pictureReason } from './pdf-page-print.ts'
import { openPicture } from './picture.ts'
import { isGrayPicture, pixelsOf } from './picture-pixels.ts'
import { inkOfPicture } from './press-colors.ts'
import { rasterized } from './svg-pictures.ts'

/** Pixels of the longer side of the copy. */
const side = 400

/** Percent of all inks together; 0 for what keeps inks of its own, such as a page of a PDF that is placed as vectors. */
export async function inkOfKept(kept: KeptPicture, profile: string): Promise<number> {
  if (isScalable(kept)) {
    const isVectors = 'pdf' in kept && !kept.change && !kept.blur && !pictureReason(kept.pdf, true)
    if (isVectors) return 0
    const scale = side / Math.max(kept.width, kept.height)
    // The scale of the copy, whatever the size on paper.
    return inkOfPicture(await rasterized({ ...kept, stretch: 1 }, scale, side * side), profile)
  }
  const { source, change, isPointwise } = kept
  if (isGrayPicture(source) && !change) return 0
  // A filter that needs all pixels takes too long for a check.
  if (!change || !isPointwise) return inkOfPicture(openPicture(source.bytes), profile)
  const { data, ...size } = await pixelsOf(kept, Math.min(side, source.width))
  return inkOfPicture(sharp(data, { raw: { ...size, channels: 4 } }), profile)
}
