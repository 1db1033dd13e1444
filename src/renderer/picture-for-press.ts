// Converts the pictures of a PDF, which picture-for-pdf.ts made, to the inks of the press.
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { PdfPicture } from './pdf-picture.ts'
import { jpegQuality } from './picture-files.ts'
import { separated } from './press-colors.ts'

/** The least quality of a JPEG that is converted. */
const leastQuality = 80

/**
 * The picture in the inks of the press. Pictures in gray or CMYK, and pages of PDFs, are not converted. A picture of the kind `png` is
 * gray, because picture-for-pdf.ts keeps the rows of no other PNG for a press.
 * @param profile path of the output profile
 */
export async function pictureForPress(picture: PdfPicture, profile: string): Promise<PdfPicture> {
  if (picture.kind === 'jpeg') return jpegForPress(picture, profile)
  if (picture.kind !== 'pixels' || picture.isGray) return picture
  const { rgba, width, height, isSoft = false } = picture
  const image = sharp(rgba, { raw: { width, height, channels: 4 } })
  const alpha = await image.clone().extractChannel(3).raw().toBuffer()
  return { kind: 'inks', inks: await separated(image, profile), alpha, width, height, isSoft }
}

type Jpeg = Extract<PdfPicture, { kind: 'jpeg' }>

/**
 * An RGB JPEG encoded once more in CMYK. A gray or CMYK one stays as it is, except that a profile equal to the output profile is left
 * out, which PDF/X-4 does not allow a second time (ISO 15930-7, 6.2.4).
 */
async function jpegForPress(picture: Jpeg, profile: string): Promise<Jpeg> {
  if (picture.channels !== 3) {
    const isSame = picture.icc !== undefined && isSameProfile(picture.icc, await readFile(profile))
    return isSame ? { ...picture, icc: undefined } : picture
  }
  const image = sharp(picture.bytes).withIccProfile(profile).toColourspace('cmyk')
  // At the quality of the source: more would only store its losses exactly.
  const quality = Math.min(95, Math.max(leastQuality, jpegQuality(picture.bytes)))
  const bytes = await image.jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
  return { ...picture, bytes, channels: 4, icc: undefined }
}

/** Bytes of the header of a profile (ICC.1 §7.2). Programs write the rendering intent and flags of their own into it. */
const profileHeader = 128

/** Whether two profiles are the same apart from their headers. */
const isSameProfile = (a: Uint8Array, b: Uint8Array) =>
  Buffer.compare(a.subarray(profileHeader), b.subarray(profileHeader)) === 0
