// Decides how a PDF embeds a picture. Pixels that PDFs can contain as they are (a JPEG, the rows of a PNG) stay unchanged; of others, an
// opaque photo becomes a JPEG again, and the rest plain pixels. A drawing becomes pixels, a page of a customer's PDF stays vectors.
import sharp from 'sharp'
import { isScalable, type KeptPdf, type KeptPicture } from './drawn-materials.ts'
import { pictureReason } from './pdf-page-print.ts'
import type { PdfPicture } from './pdf-picture.ts'
import { pngRows } from './picture-files.ts'
import {
  isGrayPicture,
  isOpaque,
  isPhoto,
  neededWidth,
  pixelsOf,
  printQuality,
  type ReadyPicture,
} from './picture-pixels.ts'
import { rasterized } from './svg-pictures.ts'

/** How a picture is embedded. */
interface EmbeddingOptions {
  /** Pixels for each pixel of the stage, of drawings that become pictures and of pictures that are encoded once more. */
  pixelsPerStage: number
  /** The most pixels of a drawing that becomes a picture. */
  maxPixels: number
  /** Whether the PDF is in the inks of a press. */
  isForPress: boolean
}

/** Whether the PDF contains the picture as vectors: an unchanged page of a customer's PDF. */
export const isVectorPage = (
  picture: KeptPicture,
  options: Pick<EmbeddingOptions, 'isForPress'>,
): picture is KeptPdf =>
  'pdf' in picture && !picture.change && !picture.blur && pictureReason(picture.pdf, options) === undefined

/** The picture as the PDF embeds it, before picture-for-press.ts converts it. @throws Undrawable if it cannot be drawn */
export async function pictureForPdf(picture: KeptPicture, options: EmbeddingOptions): Promise<PdfPicture> {
  const { pixelsPerStage, maxPixels } = options
  if (!isScalable(picture)) return pictureFromFile(picture, options)
  if (isVectorPage(picture, options)) return { kind: 'page', pdf: picture.pdf }
  const image = (await rasterized(picture, pixelsPerStage, maxPixels)).ensureAlpha().raw()
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { kind: 'pixels', rgba: data, width: info.width, height: info.height }
}

/** A picture file: a JPEG or the rows of a PNG unchanged if possible; otherwise a JPEG as a new JPEG, and others as pixels. */
async function pictureFromFile(
  picture: ReadyPicture,
  { pixelsPerStage, isForPress }: EmbeddingOptions,
): Promise<PdfPicture> {
  const { source, change, blur } = picture
  const { width, height, bytes, channels, icc, orientation } = source
  // A picture that is encoded once more needs no pixels that cannot be seen. For a press RGB is converted, and so encoded, anyway.
  const reducedWidth = neededWidth(picture, pixelsPerStage)
  const isReduced = isForPress && channels === 3 && reducedWidth !== undefined
  const isUnchangedJpeg = (source.isPlainJpeg && !isReduced) || (isForPress && source.isPlainCmyk)
  if (!change && !blur && isUnchangedJpeg)
    return { kind: 'jpeg', bytes, width, height, channels, icc, orientation }
  const isGray = isGrayPicture(source) && !change
  const isPlainPng = source.format === 'png' && (isGray || !isForPress)
  const png = !change && !blur && isPlainPng ? pngRows(bytes) : undefined
  if (png) return { kind: 'png', width, height, ...png }
  const { data: rgba, ...size } = await pixelsOf(picture, reducedWidth)
  if (!isPhoto(source) || !isOpaque(rgba)) return { kind: 'pixels', rgba, ...size, isGray }
  const jpeg = sharp(rgba, { raw: { ...size, channels: 4 } })
    .removeAlpha()
    .toColourspace(isGray ? 'b-w' : 'srgb')
    .jpeg(printQuality)
  const encoded = { bytes: await jpeg.toBuffer(), ...size, channels: isGray ? 1 : 3 }
  return { kind: 'jpeg', ...encoded, icc: undefined, orientation: 1 }
}
