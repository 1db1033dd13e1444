// How much ink a picture of a design takes on paper, measured on a small copy.
import sharp from 'sharp'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import { pictureReason } from './pdf-page-print.ts'
import { openPicture } from './picture.ts'
import { isGrayPicture, pixelsOf } from './picture-pixels.ts'
import { inkOfPicture } from './press-colors.ts'
import { rasterized } from './svg-pictures.ts'

/** Pixels of the longer side of the copy. */
const copySide = 400

/**
 * The ink of the darkest hundredth of a picture.
 * @param profile path of the output profile
 * @returns percent of all inks together; 0 if the picture is not converted: a gray one, or a page of a PDF that is placed as vectors
 */
export async function inkOfDrawn(picture: KeptPicture, profile: string): Promise<number> {
  if (isScalable(picture)) {
    const isUnchanged = !picture.change && !picture.blur
    if ('pdf' in picture && isUnchanged && !pictureReason(picture.pdf, true)) return 0
    const scale = copySide / Math.max(picture.width, picture.height)
    // `stretch: 1` gives the copy this scale, whatever the size on paper.
    return inkOfPicture(await rasterized({ ...picture, stretch: 1 }, scale, copySide * copySide), profile)
  }
  const { source, change, isPointwise } = picture
  if (isGrayPicture(source) && !change) return 0
  // A filter that needs all pixels takes too long for a check, so the picture is measured without it.
  if (!change || !isPointwise) return inkOfPicture(openPicture(source.bytes), profile)
  const { data, ...size } = await pixelsOf(picture, Math.min(copySide, source.width))
  return inkOfPicture(sharp(data, { raw: { ...size, channels: 4 } }), profile)
}
