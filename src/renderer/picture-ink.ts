// Measures how much ink a picture of a design takes on paper, for the warnings of ink-warnings.ts.
import sharp, { type Sharp } from 'sharp'
import { isScalable, type KeptPicture } from './drawn-materials.ts'
import { openPicture } from './picture.ts'
import { isVectorPage } from './picture-for-pdf.ts'
import { isGrayPicture, pixelsOf } from './picture-pixels.ts'
import { separated } from './press-colors.ts'
import { rasterized } from './svg-pictures.ts'

/** Pixels of the longer side of the small copy that is measured. */
const copySide = 400
/** The share of the pixels that may have more ink than is reported: single dark pixels do no harm. */
const darkestShare = 0.01

/**
 * The ink of the darkest hundredth of a picture.
 * @param profile path of the output profile
 * @returns percent of all inks together; 0 for what is not converted: a gray picture, or a page of a PDF that is placed as vectors
 * @throws Undrawable if it cannot be drawn
 */
export async function inkOfPicture(picture: KeptPicture, profile: string): Promise<number> {
  if (isScalable(picture)) {
    if (isVectorPage(picture, { isForPress: true })) return 0
    const scale = copySide / Math.max(picture.width, picture.height)
    // `stretch: 1` gives the copy this scale, whatever the size on paper.
    return darkestInk(await rasterized({ ...picture, stretch: 1 }, scale, copySide * copySide), profile)
  }
  const { source, change, isPointwise } = picture
  if (isGrayPicture(source) && !change) return 0
  // A change that needs all pixels takes too long for a check, so the picture is measured without it.
  if (!change || !isPointwise) return darkestInk(openPicture(source.bytes), profile)
  const { data, ...size } = await pixelsOf(picture, Math.min(copySide, source.width))
  return darkestInk(sharp(data, { raw: { ...size, channels: 4 } }), profile)
}

/** Percent of all inks together, of the darkest hundredth of an image on white paper. */
async function darkestInk(image: Sharp, profile: string): Promise<number> {
  const small = image.flatten({ background: '#ffffff' }).resize(copySide, copySide, { fit: 'inside' })
  const inks = await separated(small, profile)
  const sums = new Uint16Array(inks.length / 4)
  for (const [index, ink] of inks.entries()) sums[index >> 2] = (sums[index >> 2] ?? 0) + ink
  sums.sort()
  return Math.round(((sums[Math.floor(sums.length * (1 - darkestShare))] ?? 0) / 255) * 100)
}
