// Pictures as objects of a PDF: JPEG unchanged, all others as deflated pixels with a mask.
import { deflateSync } from 'node:zlib'
import { identity, type Matrix, multiply, type Rectangle } from './matrix.ts'
import { added, type Document, type Reference } from './pdf-document.ts'
import type { PngRows } from './picture-files.ts'

/** Of a picture, ready to be put into the file. */
export type PdfPicture =
  | {
      kind: 'jpeg'
      bytes: Uint8Array
      width: number
      height: number
      channels: number
      icc: Buffer | undefined
      /** As in Exif; width and height are those of the turned picture. */
      orientation: number
    }
  | ({ kind: 'png'; width: number; height: number } & PngRows)
  | {
      kind: 'pixels'
      rgba: Uint8Array
      width: number
      height: number
      /** Without edges between its pixels, such as a shadow. */
      isSoft?: boolean
    }
  | { kind: 'inks'; inks: Uint8Array; alpha: Uint8Array; width: number; height: number; isSoft?: boolean }

export function pictureObject(doc: Document, picture: PdfPicture): Reference {
  const isTurned = picture.kind === 'jpeg' && picture.orientation > 4
  const [Width, Height] = isTurned ? [picture.height, picture.width] : [picture.width, picture.height]
  const image = { Type: 'XObject', Subtype: 'Image', Width, Height, BitsPerComponent: 8 }
  if (picture.kind === 'jpeg') {
    const { bytes, channels, icc } = picture
    const device = channels === 1 ? 'DeviceGray' : channels === 4 ? 'DeviceCMYK' : 'DeviceRGB'
    const profile = { N: channels, Alternate: device, Filter: 'FlateDecode' }
    const ColorSpace = icc ? ['ICCBased', added(doc, profile, deflateSync(icc))] : device
    // Programs that write JPEGs of four inks invert them.
    const Decode = channels === 4 ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}
    return added(doc, { ...image, ColorSpace, ...Decode, Filter: 'DCTDecode' }, Buffer.from(bytes))
  }
  if (picture.kind === 'png') return pngObject(doc, picture, image)
  const deflated = (data: Record<string, unknown>, bytes: Uint8Array) => {
    const Interpolate = picture.isSoft && { Interpolate: true }
    const entries = { ...image, ...data, ...Interpolate, Filter: 'FlateDecode' }
    return added(doc, entries, deflateSync(bytes))
  }
  const { colors, alpha, ColorSpace } =
    picture.kind === 'inks'
      ? { colors: picture.inks, alpha: picture.alpha, ColorSpace: 'DeviceCMYK' }
      : { ...apart(picture.rgba), ColorSpace: 'DeviceRGB' }
  const isOpaque = alpha.every((value) => value === 255)
  const mask = isOpaque ? {} : { SMask: deflated({ ColorSpace: 'DeviceGray' }, alpha) }
  return deflated({ ColorSpace, ...mask }, colors)
}

/** Its rows stay as they are. */
function pngObject(
  doc: Document,
  { data, colors, palette, width: Columns }: Extract<PdfPicture, { kind: 'png' }>,
  image: Record<string, unknown>,
): Reference {
  const ColorSpace = palette
    ? ['Indexed', 'DeviceRGB', Math.floor(palette.length / 3) - 1, added(doc, {}, palette)]
    : `Device${colors === 3 ? 'RGB' : 'Gray'}`
  const DecodeParms = { Predictor: 15, Colors: colors, BitsPerComponent: 8, Columns }
  return added(doc, { ...image, ColorSpace, Filter: 'FlateDecode', DecodeParms }, data)
}

/** From the unit square of the stored picture to that of the upright one, both measured downwards. */
const turns: readonly Matrix[] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
]

/** From the unit square of a PDF, which is measured upwards, to a rectangle in which the picture is upright. */
export function placeOf(picture: PdfPicture, { x, y, width, height }: Rectangle): Matrix {
  const turn = turns[picture.kind === 'jpeg' ? picture.orientation - 1 : 0] ?? identity
  return multiply([width, 0, 0, height, x, y], multiply(turn, [1, 0, 0, -1, 0, 1]))
}

function apart(rgba: Uint8Array): { colors: Uint8Array; alpha: Uint8Array } {
  const count = rgba.length / 4
  const colors = Buffer.alloc(count * 3)
  const alpha = Buffer.alloc(count)
  for (let i = 0; i < count; i++) {
    colors[3 * i] = rgba[4 * i] ?? 0
    colors[3 * i + 1] = rgba[4 * i + 1] ?? 0
    colors[3 * i + 2] = rgba[4 * i + 2] ?? 0
    alpha[i] = rgba[4 * i + 3] ?? 255
  }
  return { colors, alpha }
}

/** White wherever the picture is. */
export function whitePicture(doc: Document, { data }: Reference, white: Reference | undefined): Reference {
  const image = {
    ...{ Type: 'XObject', Subtype: 'Image', Width: 1, Height: 1, BitsPerComponent: 8 },
    ColorSpace: white,
    ...(data.SMask !== undefined && { SMask: data.SMask }),
  }
  return added(doc, image, Buffer.from([255]))
}
