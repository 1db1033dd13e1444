// Encodes the pictures of an SVG as `data:` URLs; and draws drawings and pages of PDFs that are printed as pictures, for all formats.
import sharp from 'sharp'
import { fileTypes } from '../files/file-types.ts'
import { isScalable, type KeptPdf, type RasterDrawing } from './drawn-materials.ts'
import type { SvgResources } from './emit-svg.ts'
import { faceByKey, type Loaded } from './materials.ts'
import { drawingScale } from './output-limits.ts'
import { pdfPixels } from './pdf-pixels.ts'
import { damaged } from './picture.ts'
import { encodedOf, leastBlur, neededWidth, widestBlur } from './picture-pixels.ts'

/**
 * The faces and pictures of an SVG.
 * @param keys of the pictures that it shows
 * @param options `perStage`: pixels of the output for each pixel of the stage; `isWhole`: pictures keep all of their pixels
 * @throws Undrawable for a damaged picture that was not checked when it was read, and for a page that PDFium cannot draw
 */
export async function svgResources(
  loaded: Loaded,
  keys: Set<string>,
  { perStage, maxPixels, isWhole = false }: { perStage: number; maxPixels: number; isWhole?: boolean },
): Promise<SvgResources> {
  const urls = new Map<string, string>()
  for (const key of keys) {
    const picture = loaded.pictures.get(key)
    if (!picture) continue
    const { type, bytes } = isScalable(picture)
      ? await rasterizedPng(picture, perStage, maxPixels)
      : await encodedOf(picture, isWhole ? undefined : neededWidth(picture, perStage)).catch((error) => {
          throw picture.source.isChecked ? error : damaged(error)
        })
    urls.set(key, `data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
  }
  return { face: faceByKey(loaded), picture: (key) => urls.get(key) ?? '' }
}

async function rasterizedPng(drawing: RasterDrawing | KeptPdf, perStage: number, maxPixels: number) {
  const image = await rasterized(drawing, perStage, maxPixels)
  return { type: fileTypes.png.mimeType, bytes: await image.png({ compressionLevel: 1 }).toBuffer() }
}

/**
 * A drawing or a page of a PDF as pixels, with its changes and blur; coarser than the output if it is larger than the limits.
 * @param pixelsPerStage pixels of the output for each pixel of the stage
 * @throws Undrawable for a page that PDFium cannot draw
 */
export async function rasterized(
  drawing: RasterDrawing | KeptPdf,
  pixelsPerStage: number,
  maxPixels: number,
) {
  const { width, height, change, blur } = drawing
  const scale = drawingScale(drawing, pixelsPerStage, maxPixels)
  const [w, h] = [Math.max(1, Math.ceil(width * scale)), Math.max(1, Math.ceil(height * scale))]
  const image = await ('pdf' in drawing ? pdfImage(drawing, w, h) : svgImage(drawing, w, h, maxPixels))
  if (!change && blur === 0) return image
  const data = await image.ensureAlpha().raw().toBuffer()
  change?.(new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength), w)
  const changed = sharp(data, { raw: { width: w, height: h, channels: 4 } })
  const sigma = Math.min(blur * scale, widestBlur)
  return sigma < leastBlur ? changed : changed.blur(sigma)
}

const pdfImage = async ({ pdf }: KeptPdf, width: number, height: number) =>
  sharp(await pdfPixels(pdf.page, width, height), { raw: { width, height, channels: 4 } })

function svgImage({ svg, width, height }: RasterDrawing, w: number, h: number, maxPixels: number) {
  // The SVG library requires at least one pixel.
  const minDensity = 80 / Math.min(width, height)
  const density = Math.min(Math.max((72 * w) / width, minDensity, 1), 100_000)
  return sharp(Buffer.from(svg), { density, limitInputPixels: 4 * maxPixels }).resize(w, h, { fit: 'fill' })
}
